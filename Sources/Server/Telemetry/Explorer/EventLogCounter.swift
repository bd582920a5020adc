import EventLog
import SQLDatabase
package import ServerAccess
import SubGuardDomain

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
                var filter = EventFilter(selection, names: try EventNames.load(in: session))
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
    private let names: EventNames
    private let days: ClosedRange<Int64>
    private var block: Int64 = 0
    private var known: [Int?: Bool] = [:]

    init(_ selection: EventSelection, names: EventNames) {
        self.selection = selection
        self.names = names
        days = Int64(selection.range.from.daysSinceEpoch)...Int64(selection.range.to.daysSinceEpoch)
    }

    /// The day of a selected event, in days since 1970-01-01; nil for any other event.
    mutating func day(of visit: EventLogWalk.Visit) throws -> Int64? {
        let day = visit.event.occurredAt.millisecondsSinceEpoch / 86_400_000
        guard days.contains(day) else { return nil }
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
