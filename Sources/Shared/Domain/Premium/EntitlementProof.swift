/// What a server last proved about a purchase, kept for when the device is offline.
public struct EntitlementProof: Sendable, Hashable {
    public var status: PurchaseStatus
    public var productID: String?
    /// Nil for what never ends.
    public var expiresAt: UTCInstant?
    /// By the device's clock, when the server answered.
    public var provenAt: UTCInstant

    /// How long a proof is good for at least while no newer one is to be had, in days of 24 hours: as long as the App
    /// Store itself goes on trying to renew before it gives up a grace period.
    public static let offlineGraceDays = 16

    public init(status: PurchaseStatus, productID: String?, expiresAt: UTCInstant?, provenAt: UTCInstant) {
        self.status = status
        self.productID = productID
        self.expiresAt = expiresAt
        self.provenAt = provenAt
    }

    /// Until when premium is taken for granted without another proof: through what was paid for, or, where that ends
    /// sooner, for ``offlineGraceDays`` after the proof, because a renewal may have happened that the device has not
    /// heard of. Nil where a proof says that premium is not due, which holds at once; `latest` for what never ends.
    public var holdsUntil: UTCInstant? {
        guard status.isEntitled else { return nil }
        guard let expiresAt else { return .latest }
        return max(expiresAt, provenAt.adding(days: Self.offlineGraceDays))
    }

    /// - Parameter now: the latest moment that the device has seen, so that a clock that is set back prolongs nothing.
    public func isPremium(at now: UTCInstant) -> Bool { holdsUntil.map { now < $0 } ?? false }
}
