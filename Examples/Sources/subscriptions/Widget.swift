import Foundation
import SubGuardDomain
import SubGuardEngine

/// What WidgetKit calls a `TimelineEntry`.
struct WidgetEntry: Sendable {
    var date: Date
    var charges: [Occurrence]
}

/// For `getTimeline(in:completion:)`, with the database in the container of the App Group.
func widgetEntries(path: String, at moment: Moment) throws -> [WidgetEntry] {
    let store = try DeviceStore(path: path, now: moment.now)
    defer { try? store.close() }
    return try store.ledger.widget(.medium, at: moment).entries.map { entry in
        WidgetEntry(date: entry.at.date, charges: entry.payments)
    }
}
