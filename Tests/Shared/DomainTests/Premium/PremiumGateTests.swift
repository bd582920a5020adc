import SubGuardDomain
import TestKit
import Testing

@Suite struct PremiumGateTests {
    private let free = PremiumGate(isPremium: false)
    private let premium = PremiumGate(isPremium: true)

    @Test func theFreeTierHoldsFive() throws {
        try free.requireRoom(forAdding: 1, to: 4)
        try free.requireRoom(forAdding: 5, to: 0)
        #expect(throws: PremiumGate.Refusal(feature: .unlimitedSubscriptions)) {
            try free.requireRoom(forAdding: 1, to: 5)
        }
        #expect(throws: PremiumGate.Refusal.self) { try free.requireRoom(forAdding: 6, to: 0) }
        // Subscriptions entered with premium are kept, and editing them adds none.
        try free.requireRoom(forAdding: 0, to: 50)
        try premium.requireRoom(forAdding: 1, to: 50)
    }

    @Test func aCustomCategoryIsKeptButNotChosen() throws {
        let games = try SubscriptionCategory("Jeux")
        for builtIn in SubscriptionCategory.builtIn { try free.requireCategory(builtIn) }
        try free.requireCategory(games, current: games)
        #expect(throws: PremiumGate.Refusal(feature: .customCategories)) { try free.requireCategory(games) }
        try premium.requireCategory(games)
    }

    @Test func jsonIsFree() throws {
        try free.requireExport(.json)
        for format in ExportFormat.allCases where format != .json {
            #expect(throws: PremiumGate.Refusal(feature: .export)) { try free.requireExport(format) }
            try premium.requireExport(format)
        }
    }

    @Test func premiumGoesOnForItsGrace() throws {
        let end = UTCInstant(startOf: try SubscriptionFixture.day("2026-11-20"))
        #expect(Entitlement.premium(until: end).isPremium(at: end.adding(days: 2)))
        #expect(!Entitlement.premium(until: end).isPremium(at: end.adding(days: 3)))
        #expect(Entitlement.premium(until: nil).isPremium(at: .latest) && !Entitlement.free.isPremium(at: .earliest))
    }
}
