public import Foundation

/// One billing day of a subscription with what is known of it.
public struct Occurrence: Sendable, Hashable {
    public var id: OccurrenceID
    public var name: String
    /// What was really paid where that was noted, else the price of the day.
    public var amount: Money
    public var fate: OccurrenceFate
    public var status: OccurrenceStatus

    public init(id: OccurrenceID, name: String, amount: Money, fate: OccurrenceFate, today: CalendarDay) {
        self.id = id
        self.name = name
        self.amount = amount
        self.fate = fate
        status = fate.status(billingOn: id.billingOn, today: today)
    }

    public var billingOn: CalendarDay { id.billingOn }

    /// By day, then by name, then by id, so that lists come out the same each time.
    public static func soonestFirst(_ left: Occurrence, _ right: Occurrence) -> Bool {
        if left.billingOn != right.billingOn { return left.billingOn < right.billingOn }
        let order = byteOrder(left.name, right.name)
        return order == 0 ? left.id.subscriptionID.halves < right.id.subscriptionID.halves : order < 0
    }

    /// The order of the UTF-8 bytes: that of the letters' code points, and many times faster than the order of strings,
    /// which normalises each name that is not ASCII anew for every comparison.
    private static func byteOrder(_ left: String, _ right: String) -> Int {
        let order = left.utf8.withContiguousStorageIfAvailable { left in
            right.utf8.withContiguousStorageIfAvailable { right in
                for index in 0..<min(left.count, right.count) where left[index] != right[index] {
                    return left[index] < right[index] ? -1 : 1
                }
                return left.count - right.count
            }
        }
        if let order = order.flatMap({ $0 }) { return order }
        return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : left.utf8.elementsEqual(right.utf8) ? 0 : 1
    }
}

/// Names one billing day of one subscription: the subscription's id, a colon and the day.
public struct OccurrenceID: Sendable, Hashable {
    public var subscriptionID: UUID
    public var billingOn: CalendarDay

    public init(subscriptionID: UUID, billingOn: CalendarDay) {
        self.subscriptionID = subscriptionID
        self.billingOn = billingOn
    }

    /// Reads `0192…:2026-12-05`; nil for anything else.
    public init?(wire: String) {
        let parts = wire.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 36, let id = UUID(uuidString: String(parts[0])),
            let day = CalendarDay(iso: String(parts[1]))
        else { return nil }
        self.init(subscriptionID: id, billingOn: day)
    }

    public var wire: String { "\(subscriptionID.lowercased):\(billingOn.iso)" }
}

/// What the user did about a billing day. The raw value is how stores keep it.
public enum OccurrenceFate: Int, Sendable, Hashable, CaseIterable {
    /// Nothing yet.
    case open = 0
    /// Acknowledged on its day or before.
    case acknowledged = 1
    /// Acknowledged after its day.
    case late = 2
    /// Not charged after all; counts for nothing.
    case skipped = 3

    /// The fate after an acknowledgment on `today`. Acknowledging twice changes nothing, and nothing that was in time
    /// becomes late.
    public func acknowledged(billingOn: CalendarDay, today: CalendarDay) -> OccurrenceFate {
        switch self {
        case .acknowledged, .late: self
        case .open, .skipped: today <= billingOn ? .acknowledged : .late
        }
    }

    /// What is shown of it on a day.
    public func status(billingOn: CalendarDay, today: CalendarDay) -> OccurrenceStatus {
        switch self {
        case .acknowledged: .acknowledged
        case .late: .late
        case .skipped: .skipped
        case .open:
            if billingOn < today {
                .missed
            } else if billingOn <= today.adding(days: OccurrenceStatus.pendingDays) {
                .pending
            } else {
                .expected
            }
        }
    }
}

/// How a billing day stands; the raw value is its word on the wire.
public enum OccurrenceStatus: String, Sendable, Hashable, CaseIterable {
    /// Further ahead than the pending ones.
    case expected
    /// From today through today + 7 days.
    case pending
    case acknowledged
    case late
    /// Passed without acknowledgment.
    case missed
    case skipped

    /// How many days after today are pending.
    public static let pendingDays = 7

    public func displayName(_ language: DisplayLanguage) -> String {
        switch (self, language) {
        case (_, .english): rawValue
        case (.expected, .french): "prévu"
        case (.pending, .french): "à acquitter"
        case (.acknowledged, .french): "acquitté"
        case (.late, .french): "acquitté en retard"
        case (.missed, .french): "manqué"
        case (.skipped, .french): "sauté"
        }
    }
}
