import Foundation
import SubGuardDomain
import SubGuardEngine

/// The app's own type; the widget adds `extension WidgetEntry: TimelineEntry {}`.
nonisolated struct WidgetEntry: Sendable {
    let date: Date
    let charges: [Occurrence]
}

/// For `getTimeline(in:completion:)`.
nonisolated func widgetEntries(path: String, at moment: Moment) throws -> [WidgetEntry] {
    let store = try DeviceStore(path: path, now: moment.now)
    defer { try? store.close() }
    return try store.ledger.widget(.medium, at: moment).entries.map { entry in
        WidgetEntry(date: entry.at.date, charges: entry.payments)
    }
}
