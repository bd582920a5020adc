/// How a purchase stands at a moment. The raw value is the word on the wire.
public enum PurchaseStatus: String, Sendable, Hashable, CaseIterable {
    /// Nothing was ever bought.
    case none
    case active
    /// The renewal failed, and the App Store grants a grace period while it tries again.
    case gracePeriod = "grace_period"
    /// The renewal failed, and the App Store tries again without a grace period.
    case billingRetry = "billing_retry"
    case expired
    /// Family sharing ended, or the App Store took it back for another reason than a refund.
    case revoked
    case refunded
    /// Replaced by a better product, whose own transaction tells what holds.
    case upgraded

    /// Whether premium is due.
    public var isEntitled: Bool {
        switch self {
        case .active, .gracePeriod: true
        case .none, .billingRetry, .expired, .revoked, .refunded, .upgraded: false
        }
    }
}
