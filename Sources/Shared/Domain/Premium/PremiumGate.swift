public import Foundation

/// What has been paid for, as known to the device.
public enum Entitlement: Sendable, Hashable {
    /// Nothing was paid.
    case free
    /// Until this time, or without end when nil. Verified elsewhere and cached for offline use.
    case premium(until: UTCInstant?)

    /// How many days of 24 hours premium outlasts what was paid for, while a renewal may not have reached the device.
    /// The grace period that the App Store grants is part of what was paid for.
    public static let graceDays = 3

    /// Whether premium holds, ``graceDays`` included.
    public func isPremium(at now: UTCInstant) -> Bool {
        switch self {
        case .free: false
        case .premium(let until): until.map { now < $0.adding(days: Self.graceDays) } ?? true
        }
    }
}

/// The single place that decides what requires premium.
///
/// Checked before something is added, never when something is shown: nothing is hidden when premium ends.
public struct PremiumGate: Sendable, Hashable {
    /// Maximum number of subscriptions without premium.
    public static let freeSubscriptions = 5

    /// What requires premium.
    public enum Feature: String, Sendable, Hashable, CaseIterable {
        /// More than ``PremiumGate/freeSubscriptions`` subscriptions.
        case unlimitedSubscriptions = "unlimited_subscriptions"
        /// Categories that are not built in, for subscriptions and budgets.
        case customCategories = "custom_categories"
        /// CSV, iCalendar and plain-text accounting. JSON export and backup are free.
        case export
    }

    /// The feature needs premium.
    public struct Refusal: Error, Sendable, Hashable {
        /// The feature that requires premium.
        public var feature: Feature

        /// The refusal of a feature.
        public init(feature: Feature) { self.feature = feature }
    }

    /// Whether premium is active; if so, nothing is refused.
    public let isPremium: Bool

    /// Takes whether premium is active; see ``Entitlement/isPremium(at:)`` and ``EntitlementProof/isPremium(at:)``.
    public init(isPremium: Bool) { self.isPremium = isPremium }

    /// Call before subscriptions are added by hand or by import. Restore and merge are not limited.
    public func requireRoom(forAdding added: Int, to present: Int) throws(Refusal) {
        guard isPremium || added == 0 || present + added <= Self.freeSubscriptions else {
            throw Refusal(feature: .unlimitedSubscriptions)
        }
    }

    /// Call when a category is set. The `current` category may always be kept.
    public func requireCategory(
        _ category: SubscriptionCategory, current: SubscriptionCategory? = nil
    ) throws(Refusal) {
        guard isPremium || !category.isCustom || category == current else {
            throw Refusal(feature: .customCategories)
        }
    }

    /// Call before an export. JSON is free.
    public func requireExport(_ format: ExportFormat) throws(Refusal) {
        guard isPremium || format == .json else { throw Refusal(feature: .export) }
    }
}

/// The export formats; the raw value is the name on the command line.
public enum ExportFormat: String, Sendable, Hashable, CaseIterable {
    /// The subscriptions as a table; requires premium.
    case csv
    /// All data of the user, which can be imported again; free.
    case json
    /// A calendar of charges, ends of trials and last days to cancel, 24 months ahead; requires premium.
    case ical
    /// For ledger and hledger.
    case ledger
    /// For Beancount.
    case beancount
}

/// Where premium comes from; the raw value is the wire form.
public enum PremiumSource: String, Sendable, Hashable, CaseIterable {
    /// A purchase in the App Store.
    case appStore = "app_store"
    /// Given to one account by the operator of the server.
    case granted
    /// Given to every client by the operator of the server.
    case all
}

/// The server's last proof of a purchase or a grant, cached for offline use.
public struct EntitlementProof: Sendable, Hashable {
    /// The status of the purchase; of a grant, active or expired.
    public var status: PurchaseStatus
    /// The App Store's id of the product, such as `premium.yearly`; nil without a purchase.
    public var productID: String?
    /// Nil when it never expires.
    public var expiresAt: UTCInstant?
    /// When the server responded, by the device's clock.
    public var provenAt: UTCInstant
    /// Nil without premium so far, and from servers that do not say it.
    public var source: PremiumSource?
    /// By which the operator of the server finds the account; nil without one.
    public var accountID: UUID?

    /// Takes the fields as they are.
    public init(
        status: PurchaseStatus, productID: String?, expiresAt: UTCInstant?, provenAt: UTCInstant,
        source: PremiumSource? = nil, accountID: UUID? = nil
    ) {
        self.status = status
        self.productID = productID
        self.expiresAt = expiresAt
        self.provenAt = provenAt
        self.source = source
        self.accountID = accountID
    }

    /// How long premium is valid without a newer proof: until it expires, and ``Entitlement/graceDays`` longer. Nil
    /// when the proof denies premium; `latest` when it never expires.
    public var holdsUntil: UTCInstant? {
        guard status.isEntitled else { return nil }
        guard let expiresAt else { return .latest }
        return expiresAt.adding(days: Entitlement.graceDays)
    }

    /// - Parameter now: the latest time the device has seen, so that setting the clock back does not extend premium.
    public func isPremium(at now: UTCInstant) -> Bool { holdsUntil.map { now < $0 } ?? false }
}
