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
    }
}
