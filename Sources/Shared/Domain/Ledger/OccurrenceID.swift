public import Foundation

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
