import Foundation
import JSONWire
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

extension UnitOfWork {
    /// A subscription was added by hand or by an import. Call after it is written, in any order with others.
    func noteAdded(_ subscription: Subscription) throws {
        let count = try subscriptionCount.map { $0 + 1 } ?? presentSubscriptions()
        subscriptionCount = count
        try record("subscription_added", Self.item(subscription.catalogueItemID))
        if count >= 1 { try reach("first_subscription_added") }
        if count >= Self.manySubscriptions { try reach("five_subscriptions_reached") }
    }

    func noteRemoved(_ subscription: Subscription) throws {
        try record("subscription_removed", Self.item(subscription.catalogueItemID))
    }

    /// What a restore or a merge brought was entered before, elsewhere: no milestone of this device, now or later.
    func passMilestonesOfPresent() throws {
        let count = try presentSubscriptions()
        if count >= 1 { try pass("first_subscription_added") }
        if count >= Self.manySubscriptions { try pass("five_subscriptions_reached") }
    }

    private static let manySubscriptions = 5

    func presentSubscriptions() throws -> Int {
        try session.first("SELECT count(*) FROM subscriptions", []) { Int(try $0.integer(0)) } ?? 0
    }

    private static func item(_ id: UUID?) -> [(name: String, value: JSONValue)] {
        id.map { [("catalogue_item_id", .string($0.lowercased))] } ?? []
    }
}

extension DeviceStore {
    /// Says that somebody opened the app, as often as they do. The first time ever is `app_downloaded`, the first of
    /// each day `app_opened`, and one on the first, seventh or thirtieth day after the first, by the days of the
    /// moment's zone, `retention_d1`, `_d7` or `_d30`. Costs one read where the day is known.
    public func opened(at moment: Moment) throws {
        let today = moment.today
        let last = try read { try Settings($0).day(Settings.lastOpenedKey) }
        // A clock that is set back opens no day a second time.
        if let last, last >= today, try !isFarAhead(last, of: today) { return }
        try write(at: moment) { unit in
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

    /// Whether the last day can only come from a clock that ran ahead, by more than zones and travel explain: it must
    /// not silence the days until then.
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
