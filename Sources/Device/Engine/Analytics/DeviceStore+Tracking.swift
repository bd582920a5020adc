import Foundation
import JSONWire
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// The value of an event's property.
public enum EventValue: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// A text, such as `yearly`; which texts a property takes is in `EventRegistry`.
    case text(String)
    /// A whole number; which numbers a property takes is in `EventRegistry`.
    case integer(Int64)

    /// A text, from a string literal.
    public init(stringLiteral text: String) { self = .text(text) }
    /// A whole number, from an integer literal.
    public init(integerLiteral integer: Int64) { self = .integer(integer) }

    fileprivate func isValid(for kind: PropertyKind) -> Bool {
        switch self {
        case .text(let text): kind.accepts(text: text)
        case .integer(let integer): kind.accepts(integer: integer)
        }
    }

    fileprivate var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .integer(let integer): .integer(integer)
        }
    }
}

extension DeviceStore.Analytics {
    /// Queues an event that the engine does not see by itself, such as `premium_conversion` from the app's paywall. The
    /// vocabulary is `EventRegistry`: an event or property that it lacks is refused, so nothing else can ever leave the
    /// device. Nothing is queued once consent was revoked. A milestone is queued the first time only.
    ///
    /// ```swift
    /// try store.analytics.track(
    ///     "premium_conversion", ["price_tier": "yearly", "days_since_first_launch": 12], at: moment)
    /// ```
    ///
    /// Throws ``DeviceStoreError/invalid(_:)`` naming `name`, or the property.
    public func track(_ name: String, _ properties: [String: EventValue] = [:], at moment: Moment) throws {
        guard let definition = EventRegistry.definition(named: name) else {
            let known = EventRegistry.events.map(\.name).joined(separator: ", ")
            throw DeviceStoreError.invalid(Fault("name", .unknownValue, "Must be one of \(known)."))
        }
        let values = try properties.sorted { $0.key < $1.key }.map { name, value -> (name: String, value: JSONValue) in
            guard let property = definition.property(named: name) else {
                let known = definition.properties.map(\.name).joined(separator: ", ")
                throw DeviceStoreError.invalid(Fault(name, .unknownField, "Must be one of \(known)."))
            }
            guard value.isValid(for: property.kind) else {
                throw DeviceStoreError.invalid(Fault(name, .invalidFormat, property.kind.rule))
            }
            return (name, value.json)
        }
        try store.write(at: moment) { unit in
            if definition.countsOncePerUser {
                try unit.reach(name, values)
            } else {
                try unit.record(name, values)
            }
        }
    }
}

extension PropertyKind {
    fileprivate var rule: Sentence {
        switch self {
        case .shortText(let maximumBytes): "Must have 1 to \(maximumBytes) printable ASCII characters."
        case .locale: "Must be a language tag such as fr-CH."
        case .uuid: "Must be a UUID."
        case .integer(let range): "Must be a whole number from \(range.lowerBound) to \(range.upperBound)."
        }
    }
}

extension UnitOfWork {
    /// Records that a subscription was added by hand or by import, or that undo or redo brought it back. Call after it
    /// was written.
    func noteAdded(_ subscription: Subscription) throws {
        let count = try subscriptionCount.map { $0 + 1 } ?? presentSubscriptions()
        subscriptionCount = count
        try record("subscription_added", item(subscription.catalogueItemID))
        if count >= 1 { try reach("first_subscription_added") }
        if count >= Self.manySubscriptions { try reach("five_subscriptions_reached") }
    }

    /// Records that a subscription was deleted, also by undo or redo.
    func noteRemoved(_ subscription: Subscription) throws {
        subscriptionCount = subscriptionCount.map { $0 - 1 }
        try record("subscription_removed", item(subscription.catalogueItemID))
    }

    /// Marks milestones reached by a restore or merge, without reporting them: the subscriptions were added on another
    /// device.
    func passMilestonesOfPresent() throws {
        let count = try presentSubscriptions()
        if count >= 1 { try pass("first_subscription_added") }
        if count >= Self.manySubscriptions { try pass("five_subscriptions_reached") }
    }

    private static let manySubscriptions = 5

    func presentSubscriptions() throws -> Int {
        try session.count("SELECT count(*) FROM subscriptions")
    }

    /// Without the ids of the starter catalogue, which no server knows.
    private func item(_ id: UUID?) throws -> [(name: String, value: JSONValue)] {
        guard let id, try !StarterCatalogue.mayHave(id) || catalogue.item(id) != nil else { return [] }
        return [("catalogue_item_id", .string(id.lowercased))]
    }
}

extension DeviceStore.Analytics {
    /// Records that the app was opened; may be called any number of times. Queues `app_downloaded` the first time ever,
    /// `app_opened` once a day, and `retention_d1`, `_d7` or `_d30` on the first, seventh or thirtieth local day after
    /// the first. Costs one read when the day is already recorded.
    public func recordOpening(at moment: Moment) throws {
        let today = moment.today
        let last = try store.read { try Settings($0).day(Settings.lastOpenedKey) }
        // A clock that was set back must not count a day twice.
        if let last, last >= today, try !isFarAhead(last, of: today) { return }
        try store.write(at: moment) { unit in
            let settings = Settings(unit.session)
            if let last = try settings.day(Settings.lastOpenedKey), last == today { return }
            try unit.reach("app_downloaded")
            let first = try settings.day(Settings.firstOpenedKey)
            if first == nil {
                try Settings.set("\(today.daysSinceEpoch)", for: Settings.firstOpenedKey, in: unit.session)
            }
            try unit.record("app_opened")
            if let first, let retention = Self.retention[today.daysSinceEpoch - first.daysSinceEpoch] {
                try unit.reach(retention)
            }
            try Settings.set("\(today.daysSinceEpoch)", for: Settings.lastOpenedKey, in: unit.session)
            try unit.noteSeen()
        }
    }

    private static let retention = [1: "retention_d1", 7: "retention_d7", 30: "retention_d30"]

    /// Whether the last day was recorded by a clock that ran ahead (by more than time zones can explain). It must not
    /// suppress events until then.
    private func isFarAhead(_ last: CalendarDay, of today: CalendarDay) throws -> Bool {
        last.daysSinceEpoch - today.daysSinceEpoch > 2
    }
}

extension Settings {
    static let firstOpenedKey = "first_opened_on"
    static let lastOpenedKey = "last_opened_on"

    func day(_ key: String) throws -> CalendarDay? {
        try value(key).flatMap { Int($0) }.flatMap { CalendarDay(daysSinceEpoch: $0) }
    }
}
