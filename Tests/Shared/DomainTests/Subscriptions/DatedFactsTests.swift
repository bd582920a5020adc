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

    private func charges(_ subscription: Subscription, _ through: String = "2027-06-30") throws -> [String] {
        subscription.charges(from: .earliest, through: try day(through)).map { String($0.iso.prefix(7)) }
    }

    private let halfYear = ["2026-11", "2026-12", "2027-01", "2027-02", "2027-03", "2027-04", "2027-05", "2027-06"]

    @Test func aPauseHasAnEndThatCanBeCorrectedAndTakenBack() throws {
        var subscription = try SubscriptionFixture.make()
        try subscription.pause(from: try day("2026-12-25"), through: try day("2027-02-25"))
        #expect(try charges(subscription) == ["2026-11", "2027-03", "2027-04", "2027-05", "2027-06"])
        #expect(subscription.stateHistory.map(\.from.iso) == ["2026-12-25", "2027-02-26"])
        // Shorter, then longer.
        try subscription.pause(from: try day("2026-12-25"), through: try day("2026-12-25"))
        #expect(try charges(subscription) == halfYear.filter { $0 != "2026-12" })
        try subscription.pause(from: try day("2026-12-25"), through: try day("2027-05-24"))
        #expect(try charges(subscription) == ["2026-11", "2027-05", "2027-06"])
        // Set on a day of the pause, the end alone changes.
        try subscription.pause(from: try day("2027-01-20"), through: try day("2027-03-25"))
        #expect(try charges(subscription) == ["2026-11", "2027-04", "2027-05", "2027-06"])
        #expect(subscription.stateHistory.map(\.from.iso) == ["2026-12-25", "2027-03-26"])
        try subscription.removePause(from: try day("2026-12-25"))
        #expect(try charges(subscription) == halfYear && subscription.stateHistory.isEmpty)
        #expect(throws: Fault.self) { try subscription.removePause(from: try day("2026-12-25")) }
        #expect(throws: Fault.self) {
            try subscription.pause(from: try day("2027-01-02"), through: try day("2027-01-01"))
        }
    }

    /// Whatever is planned or under way: a pause without an end lasts until it is resumed.
    @Test(arguments: ["2026-12-20", "2026-12-25", "2027-02-01"])
    func aPauseWithoutAnEndLasts(_ from: String) throws {
        var subscription = try SubscriptionFixture.make()
        try subscription.pause(from: try day("2026-12-20"), through: try day("2027-01-31"))
        try subscription.pause(from: try day("2027-03-01"), through: try day("2027-03-31"))
        try subscription.pause(from: try day(from), through: nil)
        #expect(subscription.status(on: try day("2030-01-01")) == .paused)
        #expect(try charges(subscription, "2030-12-31") == ["2026-11"])
        subscription.setState(.active, from: try day("2027-05-01"))
        #expect(try charges(subscription) == ["2026-11", "2027-05", "2027-06"])
        // A cancellation that is planned stays.
        subscription.setState(.cancelled, from: try day("2027-09-01"))
        try subscription.pause(from: try day("2027-06-01"), through: nil)
        #expect(subscription.cancelsOn(after: try day("2027-06-01")) == (try day("2027-09-01")))
    }

    @Test func aPauseLeavesOthersAndCancellationsAlone() throws {
        var subscription = try SubscriptionFixture.make()
        subscription.setState(.cancelled, from: try day("2027-05-01"))
        try subscription.pause(from: try day("2027-03-01"), through: nil)
        try subscription.pause(from: try day("2026-12-01"), through: try day("2026-12-31"))
        #expect(try charges(subscription) == ["2026-11", "2027-01", "2027-02"])
        // Beyond the cancellation, and into the other pause.
        try subscription.pause(from: try day("2027-02-01"), through: try day("2027-06-15"))
        #expect(try charges(subscription, "2029-12-31") == ["2026-11", "2027-01"])
        try subscription.removePause(from: try day("2027-02-01"))
        #expect(try charges(subscription, "2029-12-31") == ["2026-11", "2027-01", "2027-02", "2027-03", "2027-04"])
        #expect(subscription.status(on: try day("2027-05-01")) == .cancelled)
    }

    /// A pause that was removed, a planned cancellation that was taken back and a resumption without effect do not end
    /// a pause that is entered later.
    @Test(arguments: ["removed pause", "planned cancellation", "idle resumption", "resumed early", "shortened"])
    func whatWasTakenBackEndsNoLaterPause(_ way: String) throws {
        var subscription = try SubscriptionFixture.make()
        switch way {
        case "removed pause":
            try subscription.pause(from: try day("2027-02-01"), through: try day("2027-02-28"))
            try subscription.removePause(from: try day("2027-02-01"))
        case "planned cancellation":
            subscription.setState(.cancelled, from: try day("2027-02-01"))
            subscription.setState(.active, from: try day("2026-11-20"))
        case "idle resumption":
            subscription.setState(.active, from: try day("2027-02-01"))
        case "resumed early":
            try subscription.pause(from: try day("2026-12-01"), through: try day("2027-02-28"))
            subscription.setState(.active, from: try day("2026-12-05"))
            try subscription.removePause(from: try day("2026-12-01"))
        default:
            try subscription.pause(from: try day("2026-12-01"), through: try day("2027-02-28"))
            try subscription.pause(from: try day("2026-12-01"), through: try day("2026-12-02"))
            try subscription.removePause(from: try day("2026-12-01"))
        }
        #expect(subscription.states.isEmpty)
        subscription.setState(.paused, from: try day("2026-12-20"))
        #expect(subscription.status(on: try day("2028-01-01")) == .paused)
        #expect(try charges(subscription, "2030-12-31") == ["2026-11"])
    }

    @Test func aPriceCanBeTakenBack() throws {
        var subscription = try SubscriptionFixture.make()
        subscription.setPrice(1599, from: try day("2027-01-01"))
        subscription.setPrice(1799, from: try day("2027-03-01"))
        try subscription.removePrice(from: try day("2027-03-01"))
        #expect(subscription.priceHistory.map(\.amount.decimal) == ["13.49", "15.99"])
        // What was taken back is no limit for a price set before it.
        subscription.setPrice(1499, from: try day("2027-02-01"))
        #expect(subscription.price(on: try day("2027-12-01")).decimal == "14.99")
        try subscription.removePrice(from: try day("2027-02-01"))
        try subscription.removePrice(from: try day("2027-01-01"))
        #expect(subscription.priceHistory.map(\.amount.decimal) == ["13.49"])
        for bad in ["2027-01-01", "2026-11-20", "2025-01-01"] {
            #expect(throws: Fault.self, "\(bad)") { try subscription.removePrice(from: try day(bad)) }
        }
    }

    /// Compared with a look at each day, with any states, prices, a trial, an end and skipped charges.
    @Test func theNextChargeIsTheFirstDayThatIsCharged() throws {
        var random = SeededRandom(seed: 16)
        let start = try day("2026-01-31")
        for _ in 0..<300 {
            var subscription = try SubscriptionFixture.make()
            subscription.schedule = BillingSchedule(
                anchor: start, cycle: Bool.random(using: &random) ? .monthly : .weekly)
            (subscription.startedOn, subscription.trackedFrom) = (start, start)
            let days = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                start.adding(days: .random(in: -20...200, using: &random))
            }
            subscription.place(
                days.map { day in
                    DatedState(
                        from: day, state: SubscriptionState.allCases.randomElement(using: &random) ?? .active,
                        isOverruled: Int.random(in: 0..<4, using: &random) == 0)
                })
            subscription.place(days.map { DatedPrice(from: $0.adding(days: 3), amount: subscription.price) })
            if Bool.random(using: &random) {
                subscription.trial = Trial(
                    endsOn: start.adding(days: .random(in: 0...90, using: &random)),
                    converts: Int.random(in: 0..<3, using: &random) > 0,
                    startsOn: Bool.random(using: &random) ? start.adding(days: 5) : nil)
            }
            if Bool.random(using: &random) { subscription.endsOn = start.adding(days: 150) }
            for billing in subscription.schedule.days(from: start, through: start.adding(days: 60)).shuffled(
                using: &random
            )
            .prefix(1) {
                subscription.decisions[billing] = .skipped
            }
            let all = (0..<230).map { start.adding(days: $0) }.filter { day in
                subscription.nextBilling(onOrAfter: day) == day && subscription.isCharged(on: day)
            }
            for offset in [0, 1, 40, 120] {
                let from = start.adding(days: offset)
                let found = subscription.nextCharge(onOrAfter: from)
                let expected = all.first { $0 >= from }
                #expect(found == expected || expected == nil && found.map { $0 >= start.adding(days: 230) } ?? true)
            }
        }
    }

    /// A file may give one subscription any number of prices and states. Looking for the next charge took the square of
    /// them.
    @Test(.timeLimit(.minutes(1))) func thousandsOfPricesAndStatesWhileItIsPaused() throws {
        let start = try day("2026-01-01")
        var subscription = try SubscriptionFixture.make()
        subscription.schedule = BillingSchedule(anchor: start, cycle: .daily)
        (subscription.startedOn, subscription.trackedFrom) = (start, start)
        let days = (1...20_000).map { start.adding(days: $0) }
        subscription.place(days.map { DatedPrice(from: $0, amount: subscription.price) })
        subscription.place(
            days.map { DatedState(from: $0, state: $0.day.isMultiple(of: 2) ? .paused : .cancelled) })
        #expect(subscription.nextCharge(onOrAfter: start.adding(days: 1)) == nil)
        #expect(subscription.charges(from: start, through: start.adding(days: 30_000)) == [start])
        let last = start.adding(days: 20_000)
        subscription.place([DatedState(from: last, state: .active)])
        #expect(subscription.nextCharge(onOrAfter: start.adding(days: 1)) == last)
        #expect(!subscription.isBillingDay(last.adding(days: -1)))
    }
}
