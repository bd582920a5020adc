import SQLDatabase
import ServerAccess
import SubGuardDomain
import Telemetry

/// What `subguardd sink verify` found.
package struct EventSinkVerification: Sendable {
    /// Ranges and events that were compared, on one replica of each shard.
    package var ranges = 0
    package var eventCount: Int64 = 0
    /// Servers that were compared.
    package var servers = 0
    /// What differs, in words; at most ``mostDifferences``.
    package var differences: [String] = []
    package var differenceCount = 0

    /// The number of differences of each server.
    var differencesByHost: [String: Int] = [:]

    package static let mostDifferences = 100

    mutating func note(_ difference: String, of host: String) {
        differenceCount += 1
        differencesByHost[host, default: 0] += 1
        if differences.count < Self.mostDifferences { differences.append(difference) }
    }
}

/// Compares the events that each server has with the ledger: number, distinct ids and sums of each range and week.
struct EventSinkVerifier {
    private let context: BackendContext
    private let tables: EventSinkTables
    /// The number of the table whose ledger is compared.
    private let ledger: Int64
    /// Weeks before this one may have been dropped.
    private let firstWeek: Int64

    /// The number of blocks whose sums a query returns at most.
    private static let blocksAtOnce = 50_000

    init(context: BackendContext, tables: EventSinkTables, ledger: Int64? = nil, firstWeek: Int64) {
        self.context = context
        self.tables = tables
        self.ledger = ledger ?? tables.number
        self.firstWeek = firstWeek
    }

    private struct Found: Equatable {
        var sums = EventSinkSums()
        var distinctIDs: Int64 = 0
    }

    /// Week by week, because a week is a partition of the tables: each event is read once.
    ///
    /// - Parameter block: only ranges that begin before this block are compared; nil for all, and the views.
    func verify(before block: Int64? = nil) throws -> EventSinkVerification {
        var result = EventSinkVerification()
        result.servers = tables.cluster.servers.count
        let (ranges, weeks) = try context.store.read { session in
            (
                try EventSinkLedger.ranges(table: ledger, in: session)
                    .filter { range in block.map { range.blocks.lowerBound < $0 } ?? true },
                try EventSinkLedger.weeks(table: ledger, in: session)
            )
        }
        result.ranges = ranges.count
        let last = ranges.last?.blocks.upperBound ?? 0
        var stored = Set(weeks)
        for (_, server) in tables.cluster.servers {
            let rows = try server.query("SELECT DISTINCT toUInt32(toMonday(day)) FROM \(tables.local)")
            stored.formUnion(rows.compactMap { $0.first.flatMap { Int64($0) } })
        }
        for week in stored.sorted() where week >= firstWeek {
            try compare(week, ranges, &result)
        }
        guard block == nil else { return result }
        try compareRest(from: last + 1, &result)
        let calendar = try context.store.read { try ReportCalendar.load(in: $0) }
        for (_, server) in tables.cluster.servers {
            for fault in try tables.faultsOfViews(on: server, calendar) { result.note(fault, of: server.host) }
        }
        return result
    }

    /// Compares the events of a week in all ranges, and that there is nothing between them.
    private func compare(
        _ week: Int64, _ ranges: [EventSinkLedger.Range], _ result: inout EventSinkVerification
    ) throws {
        // Later ranges may have been planned meanwhile.
        let last = ranges.last?.number ?? -1
        let parts = try context.store.read { session in
            try EventSinkLedger.parts(table: ledger, week: week, in: session).filter { $0.range <= last }
        }
        let unsent = Set(parts.filter { $0.sentAt == nil }.map(\.range))
        for (shard, server) in tables.cluster.servers {
            let expected = Dictionary(
                parts.filter { $0.shard == shard && $0.sentAt != nil }.map { ($0.range, $0.sums) },
                uniquingKeysWith: { first, _ in first })
            let found = try self.found(on: server, week, ranges)
            if server.host == tables.cluster.shards[shard].first?.host {
                result.eventCount += expected.values.reduce(0) { $0 + $1.eventCount }
            }
            for number in Set(expected.keys).union(found.keys).sorted() where !unsent.contains(number) {
                let words = Self.difference(
                    of: found[number] ?? Found(), from: expected[number] ?? EventSinkSums())
                guard !words.isEmpty else { continue }
                let name =
                    ranges.first { $0.number == number }
                    .map { "range \(number) (blocks \($0.blocks.lowerBound) to \($0.blocks.upperBound))" }
                    ?? "outside of all ranges"
                result.note(
                    "\(server.host), shard \(shard + 1), \(name), week of \(Self.date(week)): "
                        + words.joined(separator: ", "), of: server.host)
            }
        }
    }

    /// What a server has of a week, by the number of the range; -1 for what is in none. Without blocks behind the last
    /// range.
    private func found(
        on server: ClickHouseServer, _ week: Int64, _ ranges: [EventSinkLedger.Range]
    ) throws -> [Int64: Found] {
        var found: [Int64: Found] = [:]
        var (range, block) = (ranges.startIndex, Int64(0))
        let last = ranges.last?.blocks.upperBound ?? 0
        while true {
            let rows = try rows(
                of: server, "toMonday(day) = toDate(toUInt16(\(week))) AND block >= \(block) AND block <= \(last)")
            guard rows.allSatisfy({ $0.block >= block && $0.block <= last }) else { throw Self.otherForm(server) }
            for row in rows {
                while range < ranges.endIndex, ranges[range].blocks.upperBound < row.block { range += 1 }
                let isWithin = range < ranges.endIndex && ranges[range].blocks.contains(row.block)
                let number = isWithin ? ranges[range].number : -1
                found[number, default: Found()].sums += row.found.sums
                found[number, default: Found()].distinctIDs &+= row.found.distinctIDs
            }
            guard rows.count == Self.blocksAtOnce, let next = rows.last?.block else { return found }
            block = next + 1
        }
    }

    /// Behind the last range nothing may be stored, unless it is being sent.
    private func compareRest(from block: Int64, _ result: inout EventSinkVerification) throws {
        for (shard, server) in tables.cluster.servers {
            let rest = try server.query("SELECT count(), min(block) FROM \(tables.local) WHERE block >= \(block)")
            guard let row = rest.first, row.count == 2, let count = Int64(row[0]), count > 0 else { continue }
            let isPlanned = try context.store.read { session in
                try EventSinkLedger.unsent(table: ledger, in: session).first != nil
            }
            guard !isPlanned else { continue }
            result.note(
                "\(server.host), shard \(shard + 1): \(count) events from block \(row[1]) on are in no range",
                of: server.host)
        }
    }

    /// Sums by block and week, in the order of the blocks; at most ``blocksAtOnce``.
    private func rows(
        of server: ClickHouseServer, _ condition: String, place: String = "block", distinct: String = "uniqExact(id)"
    ) throws -> [(block: Int64, week: Int64, found: Found)] {
        let texts = "event, '\\n', platform, '\\n', app_version, '\\n', toString(item), '\\n', properties"
        let half = "reinterpretAsUInt64(substring(UUIDStringToNum(toString(id)), 9, 8))"
        let answer = try server.query(
            """
            SELECT \(place) AS place, toUInt32(toMonday(day)) AS week, count(), \(distinct), sum(toUInt64(moment)), \
            sum(toUInt64(received)), sum(user), sum(\(half)), sum(halfMD5(concat(\(texts)))) \
            FROM \(tables.local) FINAL WHERE \(condition) \
            GROUP BY place, week ORDER BY place, week LIMIT \(Self.blocksAtOnce)
            """, settings: [("max_bytes_before_external_group_by", "400000000")])
        // An answer in another order could go on for ever.
        var previous: (Int64, Int64) = (.min, .min)
        return try answer.map { row in
            guard row.count == 9, let block = Int64(row[0]), let week = Int64(row[1]), let count = Int64(row[2]),
                let distinct = Int64(row[3]), (block, week) > previous
            else { throw Self.otherForm(server) }
            previous = (block, week)
            let sums = row[4...].map { UInt64($0) ?? 0 }
            var found = Found()
            found.distinctIDs = distinct
            found.sums.eventCount = count
            found.sums.moments = sums[0]
            found.sums.received = sums[1]
            found.sums.users = sums[2]
            found.sums.ids = sums[3]
            found.sums.texts = sums[4]
            return (block, week, found)
        }
    }

    private static func otherForm(_ server: ClickHouseServer) -> EventSinkError {
        EventSinkError("\(server.host): the response to a query has another form")
    }

    /// The sums of the events of each week in blocks before one.
    func sums(of server: ClickHouseServer, before block: Int64) throws -> [(week: Int64, sums: EventSinkSums)] {
        var sums: [Int64: EventSinkSums] = [:]
        for row in try rows(of: server, "block < \(block)", place: "toUInt64(0)", distinct: "count()") {
            sums[row.week, default: EventSinkSums()] += row.found.sums
        }
        return sums.sorted { $0.key < $1.key }.map { (week: $0.key, sums: $0.value) }
    }

    private static func difference(of found: Found, from wanted: EventSinkSums) -> [String] {
        var words: [String] = []
        if found.sums.eventCount != wanted.eventCount {
            words.append("\(found.sums.eventCount) events instead of \(wanted.eventCount)")
        }
        // Then everything else differs, too.
        guard found.sums.eventCount > 0, wanted.eventCount > 0 else { return words }
        if found.distinctIDs != wanted.eventCount {
            words.append("\(found.distinctIDs) distinct ids instead of \(wanted.eventCount)")
        }
        let sums: [(String, KeyPath<EventSinkSums, UInt64>)] = [
            ("moment", \.moments), ("received", \.received), ("user", \.users), ("id", \.ids),
            ("event, platform, app_version, item or properties", \.texts),
        ]
        let different = sums.filter { found.sums[keyPath: $0.1] != wanted[keyPath: $0.1] }.map(\.0)
        if !different.isEmpty { words.append("other values of \(different.joined(separator: ", "))") }
        return words
    }

    static func date(_ day: Int64) -> String { CalendarDay(daysSinceEpoch: Int(day))?.iso ?? "\(day)" }
}
