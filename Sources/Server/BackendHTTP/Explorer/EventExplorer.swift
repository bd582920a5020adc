import EventLog
import Foundation
package import Logging
package import Outbound
import SQLDatabase
package import ServerAccess
import SubGuardDomain
package import Telemetry
import TextCoding

/// Counts raw events for the console: in the event sink if there is one, else in the log. One count at a time, with a
/// limit of time, so that reading millions of events holds up no other request.
package final class EventExplorer: Sendable {
    package enum Outcome {
        /// `isSinkAway`: the event sink did not respond, so the log was read.
        case counted(EventCounts, isSinkAway: Bool)
        /// It took too long.
        case tooMany
        /// Another count is running.
        case busy
    }

    private let context: BackendContext
    private let settings: Settings
    private let stop: OutboundStop
    private let logger: Logger
    private let slots = Slots()

    private static let secondsForTheLog = Duration.seconds(5)

    package init(_ settings: Settings, context: BackendContext, stop: OutboundStop, logger: Logger) {
        self.settings = settings
        self.context = context
        self.stop = stop
        self.logger = logger
    }

    package func count(_ selection: EventSelection) throws -> Outcome {
        try slots.run { try countAlone(selection) } ?? .busy
    }

    private func countAlone(_ selection: EventSelection) throws -> Outcome {
        var isSinkAway = false
        if let url = settings[\.eventSinkURL] {
            do {
                return .counted(try EventSinkCounter(settings, url, context, stop).count(selection), isSinkAway: false)
            } catch let error as EventSinkError {
                logger.warning("the event sink does not count events", metadata: ["error": "\(error)"])
                isSinkAway = true
            }
        }
        let counts = try EventLogCounter(context: context).count(selection, within: Self.secondsForTheLog)
        return counts.map { .counted($0, isSinkAway: isSinkAway) } ?? .tooMany
    }
}

/// Counts events in ClickHouse, with its limits of time and memory.
struct EventSinkCounter {
    private let settings: Settings
    private let url: EventSinkURL
    private let context: BackendContext
    private let stop: OutboundStop

    private static let mostSeconds = 10
    private static let mostBytes = 1 << 30

    init(_ settings: Settings, _ url: EventSinkURL, _ context: BackendContext, _ stop: OutboundStop) {
        self.settings = settings
        self.url = url
        self.context = context
        self.stop = stop
    }

    /// Throws ``EventSinkError`` if no server of the first shard responds, or it takes too long.
    func count(_ selection: EventSelection) throws -> EventCounts {
        let cluster = try EventSinkCluster(settings, url: url, stop: stop, seconds: Self.mostSeconds)
        let now = context.now()
        let (number, completeUntil) = try context.store.read { session in
            let state = try EventSinkState.load(in: session)
            let lag = try state.map { try EventSinkLag(of: $0, at: now, in: session) }
            return (state?.table ?? 1, lag?.completeUntil ?? now)
        }
        let tables = EventSinkTables(cluster: cluster, database: url.database, number: number)
        let limits: [(name: String, value: String)] = [
            ("max_execution_time", "\(Self.mostSeconds - 1)"), ("max_memory_usage", "\(Self.mostBytes)"),
            ("max_result_rows", "\(SeriesRange.mostPeriods)"),
        ]
        let query = Self.query(selection, until: now, tables)
        let rows = try cluster.onAnyReplica(of: 0) { server throws(EventSinkError) in
            try server.query(query, settings: limits)
        }
        var counts: [Int64: Int64] = [:]
        for row in rows {
            // Counts are added up: a server that answers with more than there can be must not end this one.
            guard row.count == 2, let day = Int64(row[0]), let count = Int64(row[1]), (0...1 << 53).contains(count)
            else {
                throw EventSinkError("the response to a query has another form")
            }
            counts[day] = count
        }
        let kept = settings[\.sinkRetentionDays]
        return EventCounts(
            counts, of: selection.range, from: .history,
            completeFrom: kept > 0 ? now.adding(days: -kept) : nil, completeUntil: completeUntil)
    }

    /// `FINAL`, because an event may be stored twice. Events dated ahead are left out.
    static func query(_ selection: EventSelection, until now: UTCInstant, _ tables: EventSinkTables) -> String {
        func day(_ day: CalendarDay) -> String { "toDate(toUInt16(\(max(0, min(day.daysSinceEpoch, 65_535)))))" }
        var conditions = [
            "day >= \(day(selection.range.from))", "day <= \(day(selection.range.to))",
            "moment <= \(now.millisecondsSinceEpoch)",
        ]
        if let event = selection.event { conditions.append("event = \(literal(event))") }
        if let platform = selection.platform {
            conditions.append("platform = \(literal(platform == EventSelection.noPlatform ? "" : platform))")
        }
        if let items = selection.items {
            let ids = items.map { "toUUID('\($0.lowercased)')" }.sorted()
            conditions.append("item IN (\(ids.joined(separator: ", ")))")
        }
        return "SELECT toUInt32(day) AS number, count() FROM \(tables.all) FINAL "
            + "WHERE \(conditions.joined(separator: " AND ")) GROUP BY number ORDER BY number"
    }

    private static func literal(_ text: String) -> String {
        "'" + text.escaping(["\\": "\\\\", "'": "\\'"]) + "'"
    }
}
