import EventLog
import Foundation
import SQLDatabase
import SubGuardDomain

/// The effect that a discard would have on the current figures.
package struct DiscardPreview: Sendable, Hashable {
    /// Events that would be removed.
    package fileprivate(set) var eventCount: Int64 = 0
    /// Users that would be removed.
    package fileprivate(set) var removedUserCount: Int64 = 0
    /// Users who would lose events and have others.
    package fileprivate(set) var reducedUserCount: Int64 = 0
    package let totalsBefore: UserTotals
    package fileprivate(set) var totalsAfter: UserTotals
    /// Thresholds that would be re-armed, smallest first.
    package fileprivate(set) var rearmedThresholds: [Int64] = []
    /// Events that are not folded yet and were not searched.
    package let waitingCount: Int
}

extension EventDiscarder {
    /// Computes the effect of a discard in one snapshot. Changes nothing.
    package func preview(_ selection: DiscardSelection) throws -> DiscardPreview {
        let now = log.now()
        return try log.store.read { session in
            let state = try EventFoldState.load(in: session).state
            let totals = try UserTotals.load(in: session)
            var preview = DiscardPreview(
                totalsBefore: totals, totalsAfter: totals,
                waitingCount: Int(
                    try session.integer(
                        "SELECT coalesce(sum(event_count), 0) FROM event_blocks WHERE id > ?",
                        [.integer(state.foldedBlock)]) ?? 0))
            var position: Int64 = 0
            var change = UserTotalsChange()
            while position < state.foldedBlock {
                let portion = try DiscardPortion(
                    selection, after: position, through: state.foldedBlock,
                    mostEvents: tuning.eventsInAPortion, includesKept: true, in: session)
                // A user whose first selected event is in an earlier block was counted completely with an earlier
                // portion.
                for (hash, user) in portion.users where user.firstSelectedBlock > position {
                    // Events dated ahead are removed as well, but are in no figure yet.
                    preview.eventCount += Int64(user.events.count { $0.isSelected })
                    let before = user.events.filter { state.isFolded(block: $0.block, occurredAt: $0.occurredAt) }
                    let after = before.filter { !$0.isSelected }
                    guard after.count < before.count else { continue }
                    let kept = portion.kept[hash] ?? UserState(knownFrom: before)
                    let left = kept.remainder(
                        of: before, after: after, completeFrom: portion.completeFrom,
                        horizon: FigureRetention.horizon(at: now))
                    if left == nil { preview.removedUserCount += 1 } else { preview.reducedUserCount += 1 }
                    change.add(kept, left, gone: before.filter(\.isSelected))
                }
                position = portion.through
            }
            preview.totalsAfter = change.applied(to: totals)
            preview.rearmedThresholds = try session.query(
                """
                SELECT user_threshold FROM alert_thresholds
                WHERE fired_at IS NOT NULL AND user_threshold > ? ORDER BY user_threshold
                """, [.integer(preview.totalsAfter.users)]
            ) { try $0.integer(0) }
            if preview.eventCount == 0 { preview.rearmedThresholds = [] }
            return preview
        }
    }
}

private struct UserTotalsChange {
    private var users: Int64 = 0
    private var conversions: Int64 = 0
    private var subscriptions: Int64 = 0

    mutating func add(_ kept: UserState, _ left: UserState?, gone: [DiscardPortion.Event]) {
        if left == nil { users -= 1 }
        if kept.moments[.premiumConversion] != nil, left?.moments[.premiumConversion] == nil { conversions -= 1 }
        for event in gone { subscriptions -= Int64(event.subscriptions) }
    }

    func applied(to totals: UserTotals) -> UserTotals {
        UserTotals(
            users: totals.users + users, conversions: totals.conversions + conversions,
            subscriptions: totals.subscriptions + subscriptions)
    }
}

extension UserState {
    /// Of a user all of whose events are there; without the absences and the days.
    fileprivate init(knownFrom events: [DiscardPortion.Event]) {
        let moments = events.map(\.occurredAt)
        self.init(seenAt: moments.min() ?? .latest)
        self.moments.lastSeenAt = moments.max() ?? .earliest
        for event in events {
            if let milestone = event.milestone { self.moments.mark(milestone, at: event.occurredAt) }
        }
    }
}

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
