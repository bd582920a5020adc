/// Where the App Store made a purchase; the raw value is the wire form.
public enum PurchaseEnvironment: String, Sendable, Hashable, CaseIterable {
    /// Of customers, for money.
    case production
    /// Of testers, without money: App Review and TestFlight buy here with the same app that customers have.
    case sandbox

    /// As the App Store names it in its messages.
    public var appStoreName: String { self == .production ? "Production" : "Sandbox" }

    /// Reads `Production` or `Sandbox`; nil for anything else, such as `Xcode`.
    public init?(appStoreName: String) {
        guard let known = Self.allCases.first(where: { $0.appStoreName == appStoreName }) else { return nil }
        self = known
    }
}

/// The status of a purchase; the raw value is the wire form.
public enum PurchaseStatus: String, Sendable, Hashable, CaseIterable {
    /// Never purchased.
    case none
    /// Paid for, or given by the operator of the server.
    case active
    /// The renewal failed; the App Store grants a grace period while it retries.
    case gracePeriod = "grace_period"
    /// The renewal failed; the App Store retries without a grace period.
    case billingRetry = "billing_retry"
    /// The last period is over and was not renewed, or the grant has ended.
    case expired
    /// Family Sharing ended, or the App Store revoked it for a reason other than a refund.
    case revoked
    /// The App Store refunded it; premium ended then.
    case refunded
    /// Replaced by a higher product, which has its own transaction.
    case upgraded

    /// Whether the status grants premium.
    public var isEntitled: Bool {
        switch self {
        case .active, .gracePeriod: true
        case .none, .billingRetry, .expired, .revoked, .refunded, .upgraded: false
        }
    }
}

/// One period of a purchase, from a signed App Store transaction.
package struct PurchaseTransaction: Sendable, Hashable {
    /// Why the App Store revoked a purchase.
    package enum Revocation: Sendable, Hashable {
        case refund
        /// Family Sharing ended.
        case familySharing
    }

    package var productID: String
    package var isFamilyShared: Bool
    /// When this period began.
    package var purchasedAt: UTCInstant
    /// Nil when it never expires.
    package var expiresAt: UTCInstant?
    package var revokedAt: UTCInstant?
    package var revocation: Revocation?
    /// Replaced by a higher product.
    package var isUpgraded: Bool
    /// When the App Store signed the transaction, or the notification that changed it.
    package var signedAt: UTCInstant

    package init(
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

/// The state of the next renewal, from the App Store.
package struct PurchaseRenewal: Sendable, Hashable {
    /// The end of the grace period; nil without one.
    package var graceExpiresAt: UTCInstant?
    package var isInBillingRetry: Bool
    package var signedAt: UTCInstant

    package init(graceExpiresAt: UTCInstant? = nil, isInBillingRetry: Bool = false, signedAt: UTCInstant) {
        self.graceExpiresAt = graceExpiresAt
        self.isInBillingRetry = isInBillingRetry
        self.signedAt = signedAt
    }
}

/// The type of a notification, as far as it matters beyond its transaction.
package enum PurchaseEvent: Sendable, Hashable {
    case expired
    case gracePeriodExpired
    case refunded
    case refundReversed
    case revoked
    /// All other types; the transaction and the renewal hold the state.
    case other

    /// `notificationType` of App Store Server Notifications V2; unknown types are ``other``.
    package init(notificationType: String) {
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

    /// Whether it ends the purchase early.
    var takesBack: Bool {
        switch self {
        case .refunded, .revoked: true
        case .expired, .gracePeriodExpired, .refundReversed, .other: false
        }
    }
}
