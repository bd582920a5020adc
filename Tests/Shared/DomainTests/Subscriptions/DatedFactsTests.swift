import SubGuardDomain
import TestKit
import Testing

/// Prices and states with dates: what they replace, and what they leave.
@Suite struct DatedFactsTests {
    private func day(_ text: String) throws -> CalendarDay { try SubscriptionFixture.day(text) }

    @Test func anEarlierPriceEndsWhereTheNextBegins() throws {
        var subscription = try SubscriptionFixture.make()
        subscription.setPrice(900, from: try day("2020-01-01"))
        #expect(subscription.price(on: try day("2020-01-01")).decimal == "9.00")
        #expect(subscription.price(on: try day("2026-11-20")).decimal == "13.49")
        subscription.setPrice(1599, from: try day("2027-01-01"))
        subscription.setPrice(1000, from: try day("2026-12-01"))
        #expect(
            subscription.priceHistory.map { "\($0.from) \($0.amount)" } == [
                "2020-01-01 9.00 EUR", "2026-11-20 13.49 EUR", "2026-12-01 10.00 EUR", "2027-01-01 15.99 EUR",
            ])
    }

    @Test func theDateOfACancellationCanBeCorrected() throws {
        var subscription = try SubscriptionFixture.make()
        subscription.setState(.paused, from: try day("2027-02-01"))
        subscription.setState(.active, from: try day("2027-04-01"))
        let before = subscription.charges(from: .earliest, through: try day("2027-08-01"))
        // A slip of the year.
        subscription.setState(.cancelled, from: try day("2026-01-20"))
        #expect(subscription.charges(from: .earliest, through: .latest).isEmpty)
        #expect(subscription.status(on: try day("2027-05-01")) == .cancelled)
        subscription.setState(.cancelled, from: try day("2027-08-01"))
        #expect(subscription.charges(from: .earliest, through: .latest) == before)
        #expect(subscription.status(on: try day("2027-02-10")) == .paused)
        #expect(subscription.status(on: try day("2027-07-31")) == .active)
        #expect(subscription.cancelsOn(after: try day("2027-05-01")) == (try day("2027-08-01")))
        subscription.setState(.cancelled, from: try day("2027-06-01"))
        #expect(subscription.status(on: try day("2027-05-31")) == .active)
        #expect(subscription.status(on: try day("2027-09-01")) == .cancelled)
        // A cancellation before one that was ended by a resumption is a new one.
        subscription.setState(.active, from: try day("2027-10-01"))
        subscription.setState(.cancelled, from: try day("2027-12-01"))
        #expect(subscription.status(on: try day("2027-09-01")) == .cancelled)
        #expect(subscription.status(on: try day("2027-11-01")) == .active)
    }

    @Test func resumingLeavesWhatWasBefore() throws {
        var subscription = try SubscriptionFixture.make()
        subscription.setState(.cancelled, from: try day("2026-12-01"))
        subscription.setState(.active, from: try day("2027-02-01"))
        #expect(
            subscription.charges(from: .earliest, through: try day("2027-03-01")).map(\.iso)
                == ["2026-11-25", "2027-02-25"])
        // From the day of the cancellation: it never was.
        subscription.setState(.active, from: try day("2026-12-01"))
        #expect(subscription.charges(from: .earliest, through: try day("2027-03-01")).count == 4)
    }

    @Test func theEndOfAPauseKeepsACancellation() throws {
        var subscription = try SubscriptionFixture.make()
        subscription.setState(.cancelled, from: try day("2027-06-01"))
        subscription.setState(.paused, from: try day("2026-12-01"))
        subscription.setState(.active, from: try day("2027-01-01"))
        #expect(subscription.status(on: try day("2027-01-01")) == .active)
        #expect(subscription.cancelsOn(after: try day("2027-01-01")) == (try day("2027-06-01")))
    }

    @Test func limitsDependOnTheCurrency() throws {
        let rupiah: SubscriptionDraft = [.currency: "IDR", .amount: "9999999999.99"]
        #expect(try SubscriptionFixture.make(rupiah).price.decimal == "9999999999.99")
        #expect(try SubscriptionFixture.make([.amount: "9999999.99"]).price.decimal == "9999999.99")
        let error = #expect(throws: Fault.self) { try SubscriptionFixture.make([.amount: "10000000"]) }
        #expect(error == Fault("amount", .outOfRange, "Must be below 10 million."))
        // Amounts of before stay valid.
        var old = try SubscriptionFixture.make()
        old.price.minorUnits = 100_000_000_000
        try old.edit([.name: "Autre"], today: try day("2026-11-20"))
    }
}
