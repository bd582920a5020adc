import Foundation
import SubGuardDomain
import TestKit
import Testing

@Suite struct SubscriptionTests {
    private func day(_ text: String) throws -> CalendarDay { try SubscriptionFixture.day(text) }

    @Test func aPastDateMovesToTheNextAndKeepsItsAnchor() throws {
        let subscription = try SubscriptionFixture.make([.nextBillingOn: "2026-01-31"], today: "2026-02-10")
        #expect(subscription.nextBilling(onOrAfter: try day("2026-02-10"))?.iso == "2026-02-28")
        #expect(
            subscription.charges(from: .earliest, through: try day("2026-05-01")).map(\.iso)
                == ["2026-02-28", "2026-03-31", "2026-04-30"])
    }

    @Test func noStateMovesADate() throws {
        var subscription = try SubscriptionFixture.make()
        let today = try day("2026-11-20")
        for state in SubscriptionState.allCases {
            subscription.setState(state, from: today)
            #expect(subscription.nextBilling(onOrAfter: today)?.iso == "2026-11-25")
        }
        subscription.setState(.active, from: today)
        #expect(subscription.nextCharge(onOrAfter: today)?.iso == "2026-11-25")
    }

    @Test func nothingIsChargedWhilePaused() throws {
        var subscription = try SubscriptionFixture.make()
        subscription.setState(.paused, from: try day("2026-12-25"))
        subscription.setState(.active, from: try day("2027-02-25"))
        #expect(
            subscription.charges(from: try day("2026-11-20"), through: try day("2027-03-31")).map(\.iso)
                == ["2026-11-25", "2027-02-25", "2027-03-25"])
        #expect(subscription.status(on: try day("2027-01-01")) == .paused)
    }

    @Test func aTrialIsFreeUntilItsLastDay() throws {
        let trial = try SubscriptionFixture.make([.trialEndsOn: "2026-12-25"])
        #expect(trial.status(on: try day("2026-12-25")) == .trial)
        #expect(trial.status(on: try day("2026-12-26")) == .active)
        #expect(trial.nextCharge(onOrAfter: try day("2026-11-20"))?.iso == "2026-12-25")
        let given = try SubscriptionFixture.make([.trialEndsOn: "2026-12-25", .trialConverts: "false"])
        #expect(given.status(on: try day("2026-12-26")) == .ended)
        #expect(given.nextCharge(onOrAfter: try day("2026-11-20")) == nil)
    }

    @Test func whatIsPaidElsewhereOrNeverCostsNothing() throws {
        let today = try day("2026-11-20")
        #expect(try SubscriptionFixture.make().counts(on: today))
        #expect(try SubscriptionFixture.make([.trialEndsOn: "2026-12-25"]).counts(on: today))
        #expect(try !SubscriptionFixture.make([.trialEndsOn: "2026-12-25", .trialConverts: "false"]).counts(on: today))
        let bundled = try SubscriptionFixture.make([.bundledIn: "00000000-0000-7000-8000-000000000001"])
        #expect(!bundled.counts(on: today) && bundled.nextCharge(onOrAfter: today) == nil)
        #expect(try !SubscriptionFixture.make([.status: "paused"]).counts(on: today))
    }

    @Test func aFixedTermEnds() throws {
        let fixed = try SubscriptionFixture.make([.endsOn: "2027-01-25"])
        #expect(
            fixed.charges(from: .earliest, through: .latest).map(\.iso) == ["2026-11-25", "2026-12-25", "2027-01-25"])
        #expect(fixed.status(on: try day("2027-01-26")) == .ended)
    }

    @Test func pricesHoldFromTheirDays() throws {
        var subscription = try SubscriptionFixture.make()
        subscription.setPrice(1599, from: try day("2027-01-01"))
        #expect(subscription.price(on: try day("2026-12-31")).decimal == "13.49")
        #expect(subscription.price(on: try day("2027-01-01")).decimal == "15.99")
        #expect(subscription.priceHistory.map(\.from.iso) == ["2026-11-20", "2027-01-01"])
    }

    @Test func anEditedAmountHoldsFromTodayOnceSomethingWasCharged() throws {
        var fresh = try SubscriptionFixture.make()
        try fresh.edit([.amount: "9.99"], today: try day("2026-11-20"))
        #expect(fresh.priceHistory.map(\.minorUnits) == [999])
        try fresh.edit([.amount: "10.99"], today: try day("2027-01-10"))
        #expect(fresh.price(on: try day("2026-12-25")).decimal == "9.99")
        #expect(fresh.price(on: try day("2027-01-10")).decimal == "10.99")
    }

    @Test func anotherCurrencyMustHoldTheAmount() throws {
        var subscription = try SubscriptionFixture.make()
        let before = subscription
        #expect(throws: Fault.self) { try subscription.edit([.currency: "JPY"], today: try day("2026-11-20")) }
        #expect(subscription == before)
        try subscription.edit([.currency: "JPY", .amount: "1500"], today: try day("2026-11-20"))
        #expect(subscription.price.decimal == "1500")
    }

    @Test func editingOtherFieldsLeavesTheScheduleAlone() throws {
        var subscription = try SubscriptionFixture.make([.nextBillingOn: "2026-01-31"], today: "2026-02-10")
        let schedule = subscription.schedule
        let today = try day("2026-03-05")
        try subscription.edit([.name: "Autre", .nextBillingOn: "2026-03-31", .cycle: "monthly"], today: today)
        #expect(subscription.schedule == schedule)
        try subscription.edit([.cycle: "yearly"], today: today)
        #expect(subscription.nextBilling(onOrAfter: today)?.iso == "2026-03-31")
    }

    @Test func anotherCycleKeepsTheDayOfTheMonth() throws {
        var subscription = try SubscriptionFixture.make([.nextBillingOn: "2026-01-31"], today: "2026-02-10")
        try subscription.edit([.cycle: "quarterly"], today: try day("2026-02-10"))
        #expect(
            subscription.charges(from: try day("2026-02-10"), through: try day("2026-12-31")).map(\.iso)
                == ["2026-02-28", "2026-05-31", "2026-08-31", "2026-11-30"])
    }

    @Test func resumingTakesBackWhatWasToCome() throws {
        var subscription = try SubscriptionFixture.make()
        subscription.setState(.cancelled, from: try day("2027-01-01"))
        #expect(subscription.status(on: try day("2026-12-31")) == .active)
        subscription.setState(.active, from: try day("2026-12-01"))
        #expect(subscription.status(on: try day("2027-06-01")) == .active)
    }

    @Test(arguments: [
        ([SubscriptionField.name: "  "], "name"), ([.name: "a\u{7}b"], "name"), ([.amount: "0"], "amount"),
        ([.amount: "-1"], "amount"), ([.amount: "10000000"], "amount"), ([.amount: "123456789012.34"], "amount"),
        ([.amount: "99999999999999999999"], "amount"), ([.amount: "1.234"], "amount"),
        ([.amount: "10000000001"], "amount"),
        ([.currency: "XYZ"], "currency"), ([.cycle: "fortnight"], "cycle"),
        ([.nextBillingOn: "2026-02-30"], "next_billing_on"),
        ([.remind: "7,x"], "remind"), ([.remind: "400"], "remind"), ([.color: "red"], "color"),
        ([.noticeDays: "-3"], "notice_days"), ([.noticeDays: "9999"], "notice_days"), ([.website: "a\nb"], "website"),
        ([.catalogueItemID: "x"], "catalogue_item_id"), ([.endsOn: "2020-01-01"], "ends_on"),
    ])
    func refusesWithTheFieldsName(_ changes: SubscriptionDraft, _ field: String) throws {
        let error = #expect(throws: Fault.self) { try SubscriptionFixture.make(changes) }
        #expect(error?.pointer == field)
    }

    @Test(arguments: [SubscriptionField.name, .amount, .currency, .cycle, .nextBillingOn])
    func theFiveFieldsAreRequired(_ field: SubscriptionField) {
        let error = #expect(throws: Fault.self) { try SubscriptionFixture.make([field: ""]) }
        #expect(error == Fault(field.rawValue, .required, "Is required."))
    }

    @Test func namesAreKeptAsWritten() throws {
        #expect(try SubscriptionFixture.make([.name: " Ça \"va\"; 👩‍👩‍👧 "]).name == "Ça \"va\"; 👩‍👩‍👧")
    }

    /// A subscription's draft creates an equal subscription.
    @Test func draftsRoundTrip() throws {
        let full = try SubscriptionFixture.make([
            .nextBillingOn: "2026-01-31", .trialEndsOn: "2026-12-31", .remind: "7,1", .notes: "a\nb",
            .website: "https://x.fr",
            .contractEndsOn: "2027-06-30", .noticeDays: "30", .isVariable: "true", .category: "Jeux vidéo",
            .color: "#9FE870",
        ])
        let today = try day("2026-11-20")
        let again = try Subscription.make(
            full.draft(today: today), id: SubscriptionFixture.id, today: today, now: full.createdAt)
        #expect(again == full)
    }

    @Test(arguments: [
        "javascript:alert(1)", "JavaScript:alert(1)", " javascript:alert(1)", "data:text/html,x", "file:///etc/passwd",
        "ftp://x.org", "mailto:a@b.fr", "https:", "https://", "http:/x", "https:x.org", "https:///x", "https:\\\\x.org",
        "x.org:8080", "ｊavascript:x",
    ])
    func websitesAreHTTPOrHTTPS(_ website: String) throws {
        let error = #expect(throws: Fault.self) { try SubscriptionFixture.make([.website: website]) }
        #expect(error?.pointer == "website")
        var subscription = try SubscriptionFixture.make()
        subscription.website = website
        #expect(throws: Fault.self) { try subscription.validated() }
    }

    @Test(arguments: [
        "", "https://netflix.com/fr?a=b:c#d", "HTTP://x.org:8080", "http://[::1]/x", "netflix.com/a:b", "été.fr",
    ])
    func websitesMayBeLinksOrNames(_ website: String) throws {
        #expect(try SubscriptionFixture.make([.website: website]).website == website)
        #expect(try SubscriptionFixture.make([.website: " \(website) "]).website == website)
    }
}

/// A subscription made from a draft, for tests of a single rule.
enum SubscriptionFixture {
    static let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

    static func day(_ text: String) throws -> CalendarDay { try #require(CalendarDay(iso: text)) }

    static func make(
        _ changes: SubscriptionDraft = [:], today: String = "2026-11-20"
    ) throws -> Subscription {
        var draft: SubscriptionDraft = [
            .name: "Netflix", .amount: "13.49", .currency: "EUR", .cycle: "monthly", .nextBillingOn: "2026-11-25",
        ]
        draft.merge(changes) { $1 }
        return try Subscription.make(
            draft, id: id, today: try day(today), now: UTCInstant(startOf: try day(today)))
    }
}
