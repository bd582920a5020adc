import JSONWire
import SubGuardDomain

extension DeviceLife {
    /// What the app holds without premium.
    private static let freeSubscriptions = 5

    /// What the owner enters and removes on a day on which the app is open.
    mutating func tendSubscriptions(onDay day: Int) {
        if day >= 3, !subscriptions.isEmpty, numbers.chance(0.05) { remove() }
        guard addedCount < traits.wantedSubscriptions, numbers.chance(day == 0 ? 0.8 : 0.55) else { return }
        let most = day == 0 ? 4 : 2
        for _ in 0..<min(numbers.integer(in: 1...most), traits.wantedSubscriptions - addedCount) {
            add(onDay: day)
        }
    }

    private mutating func add(onDay day: Int) {
        let addedAt = soon(seconds: 20...240)
        if addedCount == Self.freeSubscriptions { convert(onDay: day, at: addedAt) }
        // Some are found nowhere in the catalogue and entered by hand.
        let isInCatalogue = numbers.chance(0.92)
        let rank = choice.rank(&numbers, except: Set(subscriptions.compactMap { $0 }))
        let added = isInCatalogue ? rank : nil
        addedCount += 1
        subscriptions.append(added)
        note("subscription_added", at: addedAt, more: item(added))
        if addedCount == 1 { note("first_subscription_added", at: addedAt) }
        if addedCount == Self.freeSubscriptions { note("five_subscriptions_reached", at: addedAt) }
    }

    private mutating func remove() {
        let removed = subscriptions.remove(at: numbers.integer(in: 0...subscriptions.count - 1))
        note("subscription_removed", at: soon(seconds: 10...50), more: item(removed))
    }

    private mutating func convert(onDay day: Int, at moment: UTCInstant) {
        let tier = numbers.pick([("monthly", 55), ("yearly", 38), ("lifetime", 7)])
        note(
            "premium_conversion", at: moment,
            more: [("price_tier", .string(tier)), ("days_since_first_launch", .number("\(day)"))])
    }

    private func item(_ rank: Int?) -> [(name: String, value: JSONValue)] {
        rank.map { [("catalogue_item_id", .string(plan.catalogue[$0].lowercased))] } ?? []
    }
}
