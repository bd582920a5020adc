import SubGuardDomain
import TestKit
import Testing

@Suite struct CancelByTests {
    private func cancelBy(_ draft: SubscriptionDraft, today: String = "2026-11-20") throws -> CancelBy? {
        try SubscriptionFixture.make(draft).cancelBy(today: try SubscriptionFixture.day(today))
    }

    @Test func withoutTermsItIsTheDayBeforeTheCharge() throws {
        let found = try #require(try cancelBy([:]))
        #expect(found.lastDay.iso == "2026-11-24" && found.avoids.iso == "2026-11-25" && found.reason == .billing)
        #expect(try cancelBy([:], today: "2026-11-25")?.lastDay.iso == "2026-12-24")
    }

    @Test func noticeIsCountedBackFromTheEndOfTheTerm() throws {
        let terms: SubscriptionDraft = [.contractEndsOn: "2026-12-31", .noticeDays: "30", .extensionMonths: "12"]
        let found = try #require(try cancelBy(terms))
        #expect(found.lastDay.iso == "2026-12-01" && found.avoids.iso == "2027-01-01" && found.reason == .contract)
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
        #expect(found.avoids.iso == "2028-11-20" && found.lastDay.iso == "2028-10-19")
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
