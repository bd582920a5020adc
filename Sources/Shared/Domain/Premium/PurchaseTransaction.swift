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

/// What a signed transaction of the App Store says of one period of a purchase.
public struct PurchaseTransaction: Sendable, Hashable {
    public enum Revocation: Sendable, Hashable {
        case refund
        /// Family sharing ended.
        case familySharing
    }

    public var productID: String
    public var isFamilyShared: Bool
    /// When this period began.
    public var purchasedAt: UTCInstant
    /// Nil for what never ends.
    public var expiresAt: UTCInstant?
    public var revokedAt: UTCInstant?
    public var revocation: Revocation?
    /// A better product took its place.
    public var isUpgraded: Bool
    /// When the App Store said so: when it signed the transaction, or a notification that changed it by its kind.
    public var signedAt: UTCInstant

    public init(
        productID: String, isFamilyShared: Bool = false, purchasedAt: UTCInstant, expiresAt: UTCInstant?,
        revokedAt: UTCInstant? = nil, revocation: Revocation? = nil, isUpgraded: Bool = false, signedAt: UTCInstant
    ) {
        self.productID = productID
        self.isFamilyShared = isFamilyShared
        self.purchasedAt = purchasedAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
        self.revocation = revocation
        self.isUpgraded = isUpgraded
        self.signedAt = signedAt
    }
}

/// What the App Store says of the next renewal.
public struct PurchaseRenewal: Sendable, Hashable {
    /// The end of the grace period, when there is one.
    public var graceExpiresAt: UTCInstant?
    public var isInBillingRetry: Bool
    public var signedAt: UTCInstant

    public init(graceExpiresAt: UTCInstant? = nil, isInBillingRetry: Bool = false, signedAt: UTCInstant) {
        self.graceExpiresAt = graceExpiresAt
        self.isInBillingRetry = isInBillingRetry
        self.signedAt = signedAt
    }
}

/// What a notification says by its kind alone, beside the transaction that it carries.
public enum PurchaseEvent: Sendable, Hashable {
    case expired
    case gracePeriodExpired
    case refunded
    case refundReversed
    case revoked
    /// Everything else: what counts is in the transaction and the renewal.
    case other

    /// `notificationType` of App Store Server Notifications, version 2; new ones are ``other``.
    public init(notificationType: String) {
        self =
            switch notificationType {
            case "EXPIRED": .expired
            case "GRACE_PERIOD_EXPIRED": .gracePeriodExpired
            case "REFUND": .refunded
            case "REFUND_REVERSED": .refundReversed
            case "REVOKE": .revoked
            default: .other
            }
    }

    /// Whether it says that what was bought is due no longer, before its end.
    var takesBack: Bool {
        switch self {
        case .refunded, .revoked: true
        case .expired, .gracePeriodExpired, .refundReversed, .other: false
        }
    }
}
