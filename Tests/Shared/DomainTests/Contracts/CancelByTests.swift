import SubGuardDomain
import TestKit
import Testing

@Suite struct CancelByTests {
    private func cancelBy(_ draft: SubscriptionDraft, today: String = "2026-11-20") throws -> CancelBy? {
        try SubscriptionFixture.make(draft).cancelBy(today: try SubscriptionFixture.day(today))
    }

    @Test func withoutTermsItIsTheDayBeforeTheCharge() throws {
        let found = try #require(try cancelBy([:]))
        #expect(found.lastDay.iso == "2026-11-24" && found.avoids.iso == "2026-11-25" && found.reason == .renewal)
        #expect(try cancelBy([:], today: "2026-11-25")?.lastDay.iso == "2026-12-24")
    }

    @Test func noticeIsCountedBackFromTheEndOfTheTerm() throws {
        let terms: SubscriptionDraft = [.contractEndsOn: "2026-12-31", .noticeDays: "30", .extensionMonths: "12"]
        let found = try #require(try cancelBy(terms))
        #expect(found.lastDay.iso == "2026-12-01" && found.avoids.iso == "2027-01-25" && found.reason == .contract)
        // It would be extended by twelve months.
        #expect(found.amount.decimal == "161.88")
        #expect(try cancelBy(terms, today: "2026-12-01")?.lastDay.iso == "2026-12-01")
        // Too late for this term: the next one ends a year later.
        #expect(try cancelBy(terms, today: "2026-12-02")?.lastDay.iso == "2027-12-01")
    }

    @Test func aTermWithoutExtensionGoesOnFromChargeToCharge() throws {
        let terms: SubscriptionDraft = [.contractEndsOn: "2026-11-30", .noticeDays: "14"]
        #expect(try cancelBy(terms, today: "2026-11-16")?.lastDay.iso == "2026-11-16")
        #expect(try cancelBy(terms, today: "2026-11-17")?.lastDay.iso == "2026-12-11")
    }

    @Test func theMinimumTermBinds() throws {
        let found = try #require(try cancelBy([.minimumMonths: "24", .noticeDays: "31"]))
        #expect(found.avoids.iso == "2028-11-25" && found.lastDay.iso == "2028-10-19")
    }

    @Test func namesADayOnWhichSomethingIsCharged() throws {
        for cycle in ["every:4w", "weekly", "quarterly", "yearly"] {
            let terms: SubscriptionDraft = [.cycle: cycle, .minimumMonths: "3", .extensionMonths: "1"]
            let subscription = try SubscriptionFixture.make(terms)
            let found = try #require(subscription.cancelBy(today: try SubscriptionFixture.day("2026-11-20")))
            #expect(subscription.isCharged(on: found.avoids), "\(cycle)")
            #expect(found.lastDay < found.avoids, "\(cycle)")
        }
        // Charged once a year: the terms of a month before the charge cost nothing, so the last day is in the one before it.
        let yearly = try #require(
            try cancelBy([.cycle: "yearly", .contractEndsOn: "2026-12-20", .extensionMonths: "1", .noticeDays: "14"]))
        #expect(yearly.avoids.iso == "2027-11-25" && yearly.lastDay.iso == "2027-11-06")
    }

    @Test func theAmountIsWhatIsReallyAvoided() throws {
        #expect(try cancelBy([:])?.amount.decimal == "13.49")
        var dearer = try SubscriptionFixture.make([.contractEndsOn: "2026-12-31", .extensionMonths: "12"])
        dearer.setPrice(2000, from: try SubscriptionFixture.day("2027-07-01"))
        let today = try SubscriptionFixture.day("2026-11-20")
        #expect(dearer.cancelBy(today: today)?.amount.decimal == "200.94")
        // A trial that becomes a contract of a year.
        let trial = try #require(try cancelBy([.trialEndsOn: "2026-12-05", .minimumMonths: "12"]))
        #expect(trial.avoids.iso == "2026-12-25" && trial.amount.decimal == "148.39")
    }

    @Test func whatIsSkippedOrPaidCannotBeAvoided() throws {
        var subscription = try SubscriptionFixture.make()
        let (today, next) = (try SubscriptionFixture.day("2026-11-20"), try SubscriptionFixture.day("2026-11-25"))
        for decision in [ChargeDecision.skipped, .paid(Money(minorUnits: 1200, currency: .eur))] {
            subscription.decisions = [next: decision]
            #expect(subscription.cancelBy(today: today)?.avoids.iso == "2026-12-25")
        }
    }

    @Test func aTrialIsLeftBeforeItConverts() throws {
        let found = try #require(try cancelBy([.trialEndsOn: "2026-12-05"]))
        #expect(found.lastDay.iso == "2026-12-04" && found.reason == .trial)
    }

    @Test func whatIsNotChargedHasNone() throws {
        #expect(try cancelBy([.cycle: "lifetime"]) == nil)
        #expect(try cancelBy([.status: "paused"]) == nil)
        #expect(try cancelBy([.status: "cancelled"]) == nil)
        let bundle = "01a1f866-0d00-760d-b139-6c6ff0b1b12c"
        #expect(try cancelBy([.bundledIn: bundle]) == nil)
        #expect(try cancelBy([.bundledIn: bundle, .contractEndsOn: "2026-12-31", .noticeDays: "30"]) == nil)
    }

    @Test func aTrialThatDoesNotConvertHasNone() throws {
        let trial: SubscriptionDraft = [.trialEndsOn: "2026-12-05", .trialConverts: "false"]
        #expect(try cancelBy(trial) == nil)
        #expect(try cancelBy(trial.merging([.noticeDays: "30"]) { $1 }) == nil)
        // A billing day within it is not charged, and after it there is none.
        #expect(try cancelBy(trial.merging([.cycle: "weekly"]) { $1 }) == nil)
    }

    @Test func anEndThatIsNotedAlreadyLeavesNothingToCancel() throws {
        #expect(try cancelBy([.endsOn: "2026-11-30"])?.lastDay.iso == "2026-11-24")
        #expect(try cancelBy([.endsOn: "2026-11-30"], today: "2026-11-26") == nil)
        var subscription = try SubscriptionFixture.make([.contractEndsOn: "2026-12-31", .extensionMonths: "12"])
        subscription.setState(.cancelled, from: try SubscriptionFixture.day("2027-01-01"))
        #expect(subscription.cancelBy(today: try SubscriptionFixture.day("2026-11-20")) == nil)
    }
}
