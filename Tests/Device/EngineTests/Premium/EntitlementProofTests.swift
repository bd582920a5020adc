import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@Suite struct EntitlementProofTests {
    private let folder: TemporaryFolder
    private let store: DeviceStore

    init() throws {
        folder = try TemporaryFolder()
        store = try DeviceStore(
            path: folder.file("store.sqlite"), now: try EngineFixture.moment("2026-01-01").now, consent: .granted)
    }

    private func prove(_ status: PurchaseStatus, until: String?, at now: String) throws {
        let moment = try EngineFixture.moment(now)
        try store.premium.setProof(
            EntitlementProof(
                status: status, productID: "premium.yearly", expiresAt: until.flatMap { UTCInstant(rfc3339: $0) },
                provenAt: moment.now), at: moment)
    }

    private func isPremium(_ now: String) throws -> Bool { try store.premium.isActive(at: EngineFixture.moment(now)) }

    @Test func holdsThroughWhatWasPaidFor() throws {
        #expect(try !isPremium("2026-01-01"))
        try prove(.active, until: "2027-01-01T00:00:00Z", at: "2026-01-02")
        #expect(try isPremium("2026-01-02") && isPremium("2027-01-03T23:59:59Z") && !isPremium("2027-01-04T00:00:00Z"))
    }

    /// An app without a server asks StoreKit itself.
    @Test func keepsWhatTheAppDeterminedUntilAServerSaysOtherwise() throws {
        let moment = try EngineFixture.moment("2026-01-02")
        let until = try #require(UTCInstant(rfc3339: "2028-02-29T00:00:00.500Z"))
        for entitlement in [Entitlement.premium(until: nil), .premium(until: until), .free] {
            try store.premium.setEntitlement(entitlement, at: moment)
            #expect(try store.premium.entitlement() == entitlement)
            #expect(try isPremium("2026-01-02") == (entitlement != .free))
        }
        try store.premium.setEntitlement(.premium(until: until), at: moment)
        #expect(try isPremium("2028-03-03T00:00:00.499Z") && !isPremium("2028-03-03T00:00:00.500Z"))
        try prove(.revoked, until: nil, at: "2026-01-03")
        #expect(try !isPremium("2026-01-03"))
    }

    @Test func keepsWhereItComesFromAndWhose() throws {
        let moment = try EngineFixture.moment("2026-01-02")
        let given = EntitlementProof(
            status: .active, productID: nil, expiresAt: UTCInstant(rfc3339: "2026-02-01T00:00:00Z"),
            provenAt: moment.now, source: .granted, accountID: UUID(uuidString: "01934F0E-7C2A-7D3E-9B1A-5C6D7E8F9A0B"))
        try store.premium.setProof(given, from: nil, at: moment)
        #expect(try store.premium.proof() == given)
        #expect(try isPremium("2026-02-03T23:59:59Z") && !isPremium("2026-02-04T00:00:00Z"))
        // No one bought anything.
        #expect(try !store.analytics.preview(limit: 10).entries.contains { $0.name == "premium_conversion" })
    }

    /// The end of Apple's grace period is the end of what was paid for.
    @Test func aGracePeriodIsFollowedByThreeDaysToo() throws {
        try prove(.gracePeriod, until: "2026-02-01T00:00:00Z", at: "2026-01-31T10:00:00Z")
        #expect(try isPremium("2026-02-03T23:59:59Z") && !isPremium("2026-02-04T00:00:00Z"))
    }

    @Test(arguments: [PurchaseStatus.none, .billingRetry, .expired, .revoked, .refunded, .upgraded])
    func aProofToTheContraryHoldsAtOnce(_ status: PurchaseStatus) throws {
        try prove(.active, until: "2027-01-01T00:00:00Z", at: "2026-01-02")
        try prove(status, until: "2027-01-01T00:00:00Z", at: "2026-01-03")
        #expect(try !isPremium("2026-01-03"))
    }

    @Test func aClockThatIsSetBackProlongsNothing() throws {
        try prove(.active, until: "2026-02-01T00:00:00Z", at: "2026-01-31")
        try store.analytics.recordOpening(at: try EngineFixture.moment("2026-02-20"))
        #expect(try !isPremium("2026-02-20") && !isPremium("2026-02-01") && !isPremium("2026-01-31"))
        // A newer response of the server counts from its own time.
        try prove(.active, until: "2026-02-10T00:00:00Z", at: "2026-02-01")
        #expect(try isPremium("2026-02-02"))
    }

    @Test func theFirstPremiumIsAMilestone() throws {
        try store.analytics.recordOpening(at: try EngineFixture.moment("2026-01-01"))
        try prove(.expired, until: nil, at: "2026-01-05")
        try prove(.active, until: nil, at: "2026-01-11")
        try prove(.revoked, until: nil, at: "2026-01-12")
        try prove(.active, until: nil, at: "2026-01-13")
        let moment = try EngineFixture.moment("2026-01-13")
        let events = try #require(try store.analytics.nextBatch(limit: 10, for: "https://a.example", at: moment))
            .entries.filter {
                $0.name == "premium_conversion"
            }
        #expect(events.count == 1)
        #expect(events.first?.properties["days_since_first_launch"]?.integerValue == 10)
        #expect(events.first?.properties["price_tier"]?.stringValue == "yearly")
    }

    @Test(
        "A name that a server made for one account leaves the device as one of four words",
        arguments: [
            ("premium.Monthly.7f3a", "monthly"), ("annual", "yearly"), ("LIFETIME", "lifetime"), ("u-7f", "other"),
            ("premium.12months", "yearly"), ("6months", "other"),
        ])
    func tiers(_ product: String, _ tier: String) throws {
        let moment = try EngineFixture.moment("2026-01-02")
        try store.premium.setProof(
            EntitlementProof(status: .active, productID: product, expiresAt: nil, provenAt: moment.now), at: moment)
        let event = try #require(
            store.analytics.preview(limit: 10).entries.first { $0.name == "premium_conversion" })
        #expect(event.properties["price_tier"]?.stringValue == tier)
    }

    @Test func theGateAsksIt() throws {
        let moment = try EngineFixture.moment("2026-01-02")
        let draft = { (number: Int) -> SubscriptionDraft in
            [.name: "S\(number)", .amount: "1", .currency: "EUR", .cycle: "monthly", .nextBillingOn: "2026-02-01"]
        }
        for number in 1...5 { try store.subscriptions.add(draft(number), at: moment) }
        #expect(throws: DeviceStoreError.premiumRequired(.unlimitedSubscriptions)) {
            try store.subscriptions.add(draft(6), at: moment)
        }
        try prove(.active, until: nil, at: "2026-01-02")
        try store.subscriptions.add(draft(6), at: moment)
        try store.premium.removeProof(at: moment)
        #expect(throws: DeviceStoreError.premiumRequired(.unlimitedSubscriptions)) {
            try store.subscriptions.add(draft(7), at: moment)
        }
    }
}
