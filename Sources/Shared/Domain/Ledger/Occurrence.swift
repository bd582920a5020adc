import Foundation

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
