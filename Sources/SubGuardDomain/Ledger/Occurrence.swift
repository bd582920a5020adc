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
        if left.name != right.name { return left.name < right.name }
        return left.id.subscriptionID.halves < right.id.subscriptionID.halves
    }
}
