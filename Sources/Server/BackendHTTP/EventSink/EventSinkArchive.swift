package import EventLog
import Foundation
import Outbound
import SQLDatabase
package import ServerAccess
package import SubGuardDomain
import Synchronization
package import Telemetry

/// The events in ClickHouse, in the order of arrival: page by page along the ranges of the ledger, so that a page reads
/// only the weeks of its range.
package struct EventSinkArchive: EventArchive {
    /// The tables of ClickHouse, which is asked for only when the log lacks something.
    private final class Connection: Sendable {
        private let settings: Settings
        private let url: EventSinkURL
        private let number: Int64
        private let opened = Mutex<EventSinkTables?>(nil)

        init(_ settings: Settings, _ url: EventSinkURL, number: Int64) {
            self.settings = settings
            self.url = url
            self.number = number
        }

        func tables() throws(EventSinkError) -> EventSinkTables {
            if let tables = opened.withLock({ $0 }) { return tables }
            let cluster = try EventSinkCluster(settings, url: url, stop: OutboundStop())
            let tables = EventSinkTables(cluster: cluster, database: url.database, number: number)
            opened.withLock { $0 = tables }
            return tables
        }
    }

    private let context: BackendContext
    private let number: Int64
    private let connection: Connection

    private static let eventsInAPage = 20_000

    /// Nil while no sink is configured. Connects when something is read that the log no longer has.
    package init?(_ settings: Settings, context: BackendContext) throws {
        guard let url = settings[\.eventSinkURL] else { return nil }
        self.context = context
        number = try context.store.read { try EventSinkState.load(in: $0)?.table } ?? 1
        connection = Connection(settings, url, number: number)
    }

    package func page(
        after place: ArchivePlace, before block: Int64, occurred range: ClosedRange<UTCInstant>
    ) throws -> ArchivePage {
        let parts = try context.store.read { session in
            try EventSinkLedger.nextRange(table: number, endingFrom: place.block, before: block, in: session)
        }
        guard let first = parts.first else { return ArchivePage(events: [], next: nil) }
        let weeks = Set(parts.map(\.week)).sorted().map { "toDate(toUInt16(\($0)))" }
        let rows = try read(
            """
            WHERE toMonday(day) IN (\(weeks.joined(separator: ", "))) \
            AND block >= \(max(first.firstBlock, place.block)) AND block <= \(first.lastBlock) AND block < \(block) \
            AND (block > \(place.block) OR place >= \(place.place + 1)) \
            AND moment >= \(range.lowerBound.millisecondsSinceEpoch) \
            AND moment <= \(range.upperBound.millisecondsSinceEpoch) \
            ORDER BY block, place LIMIT \(Self.eventsInAPage)
            """)
        // An event may be stored twice.
        var (events, last): ([ArchivedEvent], ArchivePlace?) = ([], nil)
        for row in rows where row.place != last {
            // An answer in another order could go on for ever.
            guard row.place.isAfter(last ?? place), row.place.block <= first.lastBlock, row.place.block < block else {
                throw RowReader.malformed
            }
            events.append(row.event)
            last = row.place
        }
        if rows.count == Self.eventsInAPage, let last { return ArchivePage(events: events, next: last) }
        let end = ArchivePlace(block: first.lastBlock + 1, place: -1)
        return ArchivePage(events: events, next: end.block >= block ? nil : end)
    }

    package func place(of event: EventPosition) throws -> ArchivePlace? {
        let rows = try read(
            "WHERE block = \(event.block) AND id = toUUID('\(event.id.lowercased)') LIMIT 1")
        return rows.first?.place
    }

    /// The events that a condition selects. Every server of a shard reads the rows of all.
    private func read(_ condition: String) throws(EventSinkError) -> [(place: ArchivePlace, event: ArchivedEvent)] {
        do throws(EventSinkError) {
            let tables = try connection.tables()
            let query = "\(Self.selection) FROM \(tables.all) \(condition)"
            return try tables.cluster.onAnyReplica(of: 0) { server throws(EventSinkError) in
                try Self.rows(try server.read(query))
            }
        } catch {
            throw EventSinkError("ClickHouse: \(error); --log-only leaves out what only ClickHouse has")
        }
    }

    private static let selection = "SELECT block, place, event, moment, received, user, id, properties"

    private static func rows(_ bytes: [UInt8]) throws(EventSinkError) -> [(place: ArchivePlace, event: ArchivedEvent)] {
        var reader = RowReader(bytes)
        var rows: [(place: ArchivePlace, event: ArchivedEvent)] = []
        while !reader.isAtEnd {
            let block = try reader.number(8)
            let place = ArchivePlace(block: block, place: try reader.number(4))
            let name = String(decoding: try reader.text(), as: UTF8.self)
            let (moment, received, user) = (try reader.number(8), try reader.number(8), try reader.number(8))
            let halves = (UInt64(bitPattern: try reader.number(8)), UInt64(bitPattern: try reader.number(8)))
            let id = EventID(value: UInt128(halves.0) << 64 | UInt128(halves.1))
            let event = ArchivedEvent(
                block: block, id: id.uuid, name: name, user: user,
                occurredAt: UTCInstant(millisecondsSinceEpoch: moment),
                receivedAt: UTCInstant(millisecondsSinceEpoch: received), properties: Array(try reader.text()))
            rows.append((place, event))
        }
        return rows
    }
}

extension ArchivePlace {
    fileprivate func isAfter(_ other: ArchivePlace) -> Bool { (block, place) > (other.block, other.place) }
}

/// Reads the format RowBinary.
private struct RowReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { place >= bytes.count }

    /// A number of some bytes, the lowest first.
    mutating func number(_ count: Int) throws(EventSinkError) -> Int64 {
        let digits = try take(count)
        return Int64(bitPattern: digits.reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }

    mutating func text() throws(EventSinkError) -> ArraySlice<UInt8> {
        var (length, shift) = (0, 0)
        while true {
            let byte = try take(1).first ?? 0
            length |= Int(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return try take(length) }
            shift += 7
            guard shift <= 28 else { throw Self.malformed }
        }
    }

    private mutating func take(_ count: Int) throws(EventSinkError) -> ArraySlice<UInt8> {
        guard count <= bytes.count - place else { throw Self.malformed }
        defer { place += count }
        return bytes[place..<place + count]
    }

    static var malformed: EventSinkError { EventSinkError("the response to a query has another form") }
}
