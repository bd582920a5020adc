import EventLog
import Foundation
import SQLDatabase
import SubGuardDomain

/// Removes events from users, figures and daily totals, in one transaction that has entered ``SQLWriteLane/figures``.
struct DiscardFold {
    struct Change {
        let user: UserHash
        /// Every raw event of the user that is included in the figures …
        let before: [DiscardPortion.Event]
        /// … and those that remain.
        let after: [DiscardPortion.Event]
    }

    private let transaction: any SQLTransaction
    private let completeFrom: UTCInstant?
    private var figures: FigureFold
    /// Users without remaining events.
    private(set) var removed: Set<UserHash> = []

    init(_ transaction: any SQLTransaction, completeFrom: UTCInstant?, now: UTCInstant) throws {
        self.transaction = transaction
        self.completeFrom = completeFrom
        figures = FigureFold(now: now, try ReportCalendar.load(in: transaction))
    }

    /// Subtracts the event's own counts; users are recomputed by ``apply(_:)``.
    mutating func remove(_ event: EventBlockReader.Event, name: String, item: UUID?) {
        figures.count(name, nameID: event.nameID, item: item, at: event.occurredAt, times: -1)
    }

    /// Recomputes users from their remaining events.
    mutating func apply(_ changes: [Change]) throws {
        let pages = try UserPages(in: transaction, figures.calendar)
        let sorted = changes.map { (key: pages.key(of: $0.user), change: $0) }.sorted { $0.key < $1.key }
        var batch = try UserPageBatch(
            sorted.map { ($0.key, $0.change.user) }, pages.calendar, in: transaction)
        for (index, (_, change)) in sorted.enumerated() {
            guard let stored = try batch.state(index) else { continue }
            var left = stored.remainder(
                of: change.before, after: change.after, completeFrom: completeFrom, horizon: figures.horizon)
            let (old, new) = (Set(stored.absences), Set(left?.absences ?? []))
            for absence in old.subtracting(new) { absence.fold(-1, into: &figures) }
            for absence in new.subtracting(old) { absence.fold(1, into: &figures) }
            let days = stored.days(before: change.before, after: change.after, left: left, pages.calendar)
            if days.new != days.old {
                figures.activity.add(days.old, -1)
                figures.activity.add(days.new, 1)
            }
            left?.days = ActiveDays(days.new)
            if let left {
                left.moments.fold(from: stored.moments, into: &figures)
            } else {
                removed.insert(change.user)
                stored.moments.unfold(from: &figures)
            }
            batch.set(index, left)
        }
        try batch.save(in: transaction, with: pages)
    }

    /// Writes the accumulated changes. Call it once, at the end.
    mutating func finish() throws {
        try figures.save(in: transaction)
        try figures.removeEmptyRows(in: transaction)
    }
}
