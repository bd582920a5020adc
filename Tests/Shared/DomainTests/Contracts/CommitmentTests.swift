import SubGuardDomain
import TestKit
import Testing

@Suite struct CommitmentTests {
    private func day(_ text: String) throws -> CalendarDay { try SubscriptionFixture.day(text) }

    @Test func aCancellationTakesEffectAfterWhatIsOwed() throws {
        let today = try day("2026-11-20")
        #expect(try SubscriptionFixture.make().cancellationDay(today: today) == today)
        let term = try SubscriptionFixture.make([.contractEndsOn: "2027-03-31", .noticeDays: "30"])
        #expect(term.cancellationDay(today: today).iso == "2027-04-01")
        #expect(term.commitment(cancelledOn: today)?.amounts.map(\.decimal) == ["67.45"])
        // Too late for this term.
        #expect(try term.cancellationDay(today: day("2027-03-02")) == day("2027-04-02"))
        // Nothing is charged in the notice period, so there is nothing to wait for.
        let notice = try SubscriptionFixture.make([.noticeDays: "3"])
        #expect(notice.cancellationDay(today: today) == today)
    }

    @Test func theWayToCancelIsTheAppStoreThenThePageThenTheWebsite() throws {
        var subscription = try SubscriptionFixture.make([.website: "https://example.com/account"])
        #expect(subscription.cancellationRoute(nil)?.channel == .website)
        for method in ["App Store", "Apple", "iTunes (Zoé)"] {
            subscription.paymentMethod = method
            #expect(subscription.cancellationRoute(nil)?.url == CancellationRoute.appStoreURL, "\(method)")
        }
        subscription.paymentMethod = "Apple Pay"
        #expect(subscription.cancellationRoute(nil)?.channel == .website)
        #expect(try SubscriptionFixture.make().cancellationRoute(nil) == nil)
    }
}
