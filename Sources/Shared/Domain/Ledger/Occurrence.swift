public import Foundation

/// One charge of a subscription, past or future.
public struct Occurrence: Sendable, Hashable, Identifiable {
    /// The subscription and the day of the charge.
    public var id: OccurrenceID
    /// The name of the subscription.
    public var name: String
    /// The recorded payment, or else the price on that day.
    public var amount: Money
    /// What the user did about it; does not depend on the present day.
    public var fate: OccurrenceFate
    /// The status on the day that the initialiser was given.
    public var status: OccurrenceStatus

    /// Takes the fields as they are, and computes ``status`` for `today`.
    public init(id: OccurrenceID, name: String, amount: Money, fate: OccurrenceFate, today: CalendarDay) {
        self.id = id
        self.name = name
        self.amount = amount
        self.fate = fate
        status = fate.status(billingOn: id.billingOn, today: today)
    }

    /// The day of the charge.
    public var billingOn: CalendarDay { id.billingOn }

    /// Whether it counts as charged: one before `today` is, one of today once it was confirmed or skipped.
    public func isPast(on today: CalendarDay) -> Bool {
        billingOn < today || billingOn == today && fate != .open
    }

    /// Sorts by day, then name, then id, so that the order is stable.
    public static func soonestFirst(_ left: Occurrence, _ right: Occurrence) -> Bool {
        if left.billingOn != right.billingOn { return left.billingOn < right.billingOn }
        let order = nameOrder(left.name, right.name)
        return order == 0 ? left.id.subscriptionID.halves < right.id.subscriptionID.halves : order < 0
    }

    /// Compares the UTF-8 bytes of names: negative, zero or positive. Much faster than comparing strings, which
    /// normalises non-ASCII names at every comparison.
    public static func nameOrder(_ left: String, _ right: String) -> Int {
        let order = left.utf8.withContiguousStorageIfAvailable { left in
            right.utf8.withContiguousStorageIfAvailable { right in
                guard let leftStart = left.baseAddress, let rightStart = right.baseAddress else {
                    return left.count - right.count
                }
                let order = memcmp(leftStart, rightStart, min(left.count, right.count))
                return order == 0 ? left.count - right.count : Int(order)
            }
        }
        if let order = order.flatMap({ $0 }) { return order }
        return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : left.utf8.elementsEqual(right.utf8) ? 0 : 1
    }
}

/// The first 16 bytes of a name, for sorting many: numbers are compared much faster than names. Only names with equal
/// keys need ``Occurrence/nameOrder(_:_:)``.
package struct NameKey: Sendable, Hashable, Comparable {
    private let first: UInt64
    private let second: UInt64

    package init(_ name: String) {
        var words: (UInt64, UInt64) = (0, 0)
        var count = 0
        for byte in name.utf8.prefix(16) {
            if count < 8 { words.0 = words.0 << 8 | UInt64(byte) } else { words.1 = words.1 << 8 | UInt64(byte) }
            count += 1
        }
        // A name that ends earlier comes first.
        first = count < 8 ? words.0 << UInt64(8 * (8 - count)) : words.0
        second = words.1 << UInt64(8 * (16 - max(count, 8)))
    }

    package static func < (left: NameKey, right: NameKey) -> Bool {
        left.first == right.first ? left.second < right.second : left.first < right.first
    }
}

/// Identifies a charge: the subscription's id, a colon and the billing day.
public struct OccurrenceID: Sendable, Hashable {
    /// The subscription that is charged.
    public var subscriptionID: UUID
    /// The day of the charge.
    public var billingOn: CalendarDay

    /// The charge of a subscription on a day; there need not be one.
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

    /// The text that ``init(wire:)`` reads, with the UUID in lower case: `0192…:2026-12-05`.
    public var wire: String { "\(subscriptionID.lowercased):\(billingOn.iso)" }
}

/// What the user did about a charge. The raw value is stored.
public enum OccurrenceFate: Int, Sendable, Hashable, CaseIterable {
    /// Nothing yet.
    case open = 0
    /// Confirmed on its day or before.
    case confirmed = 1
    /// Confirmed after its day.
    case late = 2
    /// Not charged; ignored in scores and totals.
    case skipped = 3
    /// Before the day of entry: counts as charged, is not asked about, and not part of the score, also when it is
    /// confirmed.
    case assumed = 4

    /// The fate after a confirmation on `today`. Confirming twice changes nothing.
    public func confirmed(billingOn: CalendarDay, today: CalendarDay) -> OccurrenceFate {
        switch self {
        case .confirmed, .late: self
        case .assumed: .confirmed
        case .open, .skipped: today <= billingOn ? .confirmed : .late
        }
    }

    /// The status on a day.
    public func status(billingOn: CalendarDay, today: CalendarDay) -> OccurrenceStatus {
        switch self {
        case .confirmed, .assumed: .confirmed
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

/// The status of a charge; the raw value is the wire form.
public enum OccurrenceStatus: String, Sendable, Hashable, CaseIterable {
    /// Later than the pending charges.
    case expected
    /// From today through today + 7 days.
    case pending
    /// Confirmed on its day or before, or from before the day of entry; `acknowledged` on the wire.
    case confirmed = "acknowledged"
    /// Confirmed after its day.
    case late
    /// Past and never confirmed.
    case missed
    /// Recorded as not charged; ignored in scores and totals.
    case skipped

    /// Number of days after today that are pending.
    public static let pendingDays = 7
}
