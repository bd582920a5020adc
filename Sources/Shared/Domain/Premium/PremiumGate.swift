/// What has been paid for, as far as the device knows.
public enum Entitlement: Sendable, Hashable {
    case free
    /// Through this moment, or without end. Verified elsewhere; the device keeps it for when it is offline.
    case premium(until: UTCInstant?)

    /// How long premium goes on after its end, while a renewal is still on its way to the device.
    public static let graceDays = 3

    public func isPremium(at now: UTCInstant) -> Bool {
        switch self {
        case .free: false
        case .premium(let until): until.map { now < $0.adding(days: Self.graceDays) } ?? true
        }
    }
}

/// The one place that knows what premium is needed for.
///
/// It is asked before something is added and never when something is shown: premium that has lapsed hides nothing.
public struct PremiumGate: Sendable, Hashable {
    /// How many subscriptions the free tier may hold.
    public static let freeSubscriptions = 5

    public enum Feature: String, Sendable, Hashable, CaseIterable {
        case unlimitedSubscriptions = "unlimited_subscriptions"
        case customCategories = "custom_categories"
        /// CSV, iCalendar and plain-text accounting. JSON and backups are the user's own data and free.
        case export
    }

    /// The feature needs premium.
    public struct Refusal: Error, Sendable, Hashable {
        public var feature: Feature

        public init(feature: Feature) { self.feature = feature }
    }

    public let isPremium: Bool

    public init(isPremium: Bool) { self.isPremium = isPremium }

    /// Call before subscriptions are added by hand or by an import; a restore and a merge bring back one's own.
    public func requireRoom(forAdding added: Int, to present: Int) throws(Refusal) {
        guard isPremium || added == 0 || present + added <= Self.freeSubscriptions else {
            throw Refusal(feature: .unlimitedSubscriptions)
        }
    }

    /// Call when a category is given; `current` is the one that the subscription has, which it may keep.
    public func requireCategory(
        _ category: SubscriptionCategory, current: SubscriptionCategory? = nil
    ) throws(Refusal) {
        guard isPremium || !category.isCustom || category == current else {
            throw Refusal(feature: .customCategories)
        }
    }

    public func requireExport(_ format: ExportFormat) throws(Refusal) {
        guard isPremium || format == .json else { throw Refusal(feature: .export) }
    }
}

/// The forms in which a store can be written out; the raw value is the word on the command line.
public enum ExportFormat: String, Sendable, Hashable, CaseIterable {
    case csv
    case json
    case ical
    /// For ledger and hledger.
    case ledger
    case beancount
}

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
