import EventLog
package import Foundation
import SQLDatabase
package import ServerAccess
package import SubGuardDomain

/// Counts raw events of the log by day, in small steps with a snapshot each.
package struct EventLogCounter: Sendable {
    private let context: BackendContext

    package init(context: BackendContext) { self.context = context }

    /// Maximum events read in a step.
    private static let eventsInAStep = 20_000

    /// Nil if it takes longer than `limit`.
    package func count(_ selection: EventSelection, within limit: Duration) throws -> EventCounts? {
        let end = ContinuousClock.now + limit
        let now = context.now()
        let start = UTCInstant(startOf: selection.range.from)
        var (walk, completeFrom) = try context.store.readOnStandby { session in
            (
                try EventLogWalk(after: nil, occurredFrom: start, in: session),
                try EventLogReader.completeFrom(in: session)
            )
        }
        walk.mostEvents = Self.eventsInAStep
        var counts: [Int64: Int64] = [:]
        while !walk.isAtEnd {
            guard ContinuousClock.now < end else { return nil }
            // A copy, because the closure of a snapshot cannot change it.
            var next = walk
            let found = try context.store.readOnStandby { session in
                var filter = EventFilter(selection, until: now, names: try EventNames.load(in: session))
                var found: [Int64: Int64] = [:]
                try next.takeStep(in: session) { visit in
                    if let day = try filter.day(of: visit) { found[day, default: 0] += 1 }
                }
                return found
            }
            walk = next
            counts.merge(found, uniquingKeysWith: +)
        }
        return EventCounts(
            counts, of: selection.range, from: .log, completeFrom: completeFrom, completeUntil: now)
    }
}

/// Decides which events are selected; what it has found out about a block's sets of properties is kept.
private struct EventFilter {
    private let selection: EventSelection
    /// Later events are dated ahead, and counted once their moment has come.
    private let now: UTCInstant
    private let names: EventNames
    private let days: ClosedRange<Int64>
    private var block: Int64 = 0
    private var known: [Int?: Bool] = [:]

    init(_ selection: EventSelection, until now: UTCInstant, names: EventNames) {
        self.selection = selection
        self.now = now
        self.names = names
        days = Int64(selection.range.from.daysSinceEpoch)...Int64(selection.range.to.daysSinceEpoch)
    }

    /// The day of a selected event, in days since 1970-01-01; nil for any other event.
    mutating func day(of visit: EventLogWalk.Visit) throws -> Int64? {
        let day = visit.event.occurredAt.millisecondsSinceEpoch / 86_400_000
        guard days.contains(day), visit.event.occurredAt <= now else { return nil }
        if let event = selection.event, names.name(of: visit.event.nameID) != event { return nil }
        return selects(visit) ? day : nil
    }

    private mutating func selects(_ visit: EventLogWalk.Visit) -> Bool {
        guard selection.items != nil || selection.platform != nil else { return true }
        if visit.block != block { (block, known) = (visit.block, [:]) }
        if let answer = known[visit.event.set] { return answer }
        // As in the event sink, so that both sources count the same.
        let properties = EventSinkProperties(visit.event.set.map(visit.reader.properties(ofSet:)) ?? [])
        var answer = true
        if let items = selection.items { answer = properties.item.map(items.contains) ?? false }
        if let platform = selection.platform {
            let name = properties.platform.isEmpty ? EventSelection.noPlatform : properties.platform
            answer = answer && name == platform
        }
        known[visit.event.set] = answer
        return answer
    }
}

/// Which raw events the event explorer counts. Nil stands for all.
package struct EventSelection: Sendable, Hashable {
    /// A name of the registry.
    package var event: String?
    /// A catalogue item and those that were merged into it.
    package var items: Set<UUID>?
    /// A name of ``platforms``.
    package var platform: String?
    /// Days in UTC, by the moment at which an event occurred.
    package var range: SeriesRange

    package init(range: SeriesRange) { self.range = range }

    /// The platforms that can be chosen: those that figures tell apart, the rest of them, and none.
    package static let platforms = UserSegment.platforms + ["other", "none"]
    /// The value of ``platform`` for events that name none.
    package static let noPlatform = "none"
}

/// The number of selected events on each day.
package struct EventCounts: Sendable {
    package enum Source: String, Sendable {
        /// The raw events in the database.
        case log
        /// The event sink.
        case history
    }

    package let source: Source
    /// Every day of the range, in order.
    package let days: [Day]
    /// Events that occurred before this moment may be missing, because raw events are kept for a time. Nil if none were
    /// removed.
    package let completeFrom: UTCInstant?
    /// Every event that was accepted before this moment is counted, once its own moment has come.
    package let completeUntil: UTCInstant

    package struct Day: Sendable, Hashable {
        package let on: CalendarDay
        package let events: Int64
    }

    /// - Parameter counts: the number of events by the day, in days since 1970-01-01.
    package init(
        _ counts: [Int64: Int64], of range: SeriesRange, from source: Source, completeFrom: UTCInstant?,
        completeUntil: UTCInstant
    ) {
        self.source = source
        self.completeFrom = completeFrom
        self.completeUntil = completeUntil
        days = (0..<range.count).map { index in
            let day = range.from.adding(days: index)
            return Day(on: day, events: counts[Int64(day.daysSinceEpoch)] ?? 0)
        }
    }

    /// The sum of all days; the largest number for one beyond it, which only a broken event sink reports.
    package var total: Int64 {
        days.reduce(0) { sum, day in
            let (next, overflows) = sum.addingReportingOverflow(day.events)
            return overflows ? .max : next
        }
    }
}
