import Backend
import SQLDatabase
import SubGuardDomain

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

    package static let mostDifferences = 100

    mutating func note(_ difference: String) {
        differenceCount += 1
        if differences.count < Self.mostDifferences { differences.append(difference) }
    }
}

/// Compares the events that each server has with the ledger: number, distinct ids and sums of each range and week.
struct EventSinkVerifier {
    private let context: BackendContext
    private let tables: EventSinkTables
    /// Weeks before this one may have been dropped.
    private let firstWeek: Int64

    /// The span of block numbers that one query covers, and about how many events: ClickHouse holds each of their ids in
    /// memory.
    private static let blocksAtOnce: Int64 = 20_000
    private static let eventsAtOnce: Int64 = 1_000_000
    private static let partsAtOnce = 5_000

    init(context: BackendContext, tables: EventSinkTables, firstWeek: Int64) {
        self.context = context
        self.tables = tables
        self.firstWeek = firstWeek
    }

    /// A range, or everything between two of them.
    private struct Key: Hashable {
        let range: Int64
        let week: Int64
    }

    private struct Found: Equatable {
        var sums = EventSinkSums()
        var distinctIDs: Int64 = 0
    }

    func verify() throws -> EventSinkVerification {
        var result = EventSinkVerification()
        result.servers = tables.cluster.servers.count
        var (parts, isAtEnd, seenRange, nextBlock): ([EventSinkPart], Bool, Int64, Int64) = ([], false, -1, 0)
        while !isAtEnd || !parts.isEmpty {
            if !isAtEnd, parts.count < Self.partsAtOnce {
                let (found, after) = (parts, seenRange)
                let more = try context.store.read { session in
                    let next = try EventSinkLedger.parts(
                        table: tables.number, after: after, limit: Self.partsAtOnce, in: session)
                    // The last range may be incomplete, so it is read again with the next ones.
                    guard next.count == Self.partsAtOnce, let last = next.last?.range else { return (next, true) }
                    return (next.filter { $0.range < last }, false)
                }
                parts = found + more.0
                isAtEnd = more.1
                seenRange = parts.last?.range ?? seenRange
            }
            guard let first = parts.first else { break }
            // Ranges are in the order of their blocks.
            var (range, events) = (first.range, Int64(0))
            let chosen = parts.prefix { part in
                if part.range != range {
                    let isNear = part.lastBlock - first.firstBlock < Self.blocksAtOnce
                    guard isNear, events < Self.eventsAtOnce else { return false }
                    range = part.range
                }
                events += part.sums.eventCount
                return true
            }
            parts.removeFirst(chosen.count)
            try compare(Array(chosen), from: nextBlock, &result)
            nextBlock = (chosen.last?.lastBlock ?? nextBlock) + 1
        }
        try compareRest(from: nextBlock, &result)
        return result
    }

    /// Compares some ranges, and that there is nothing between them.
    private func compare(_ parts: [EventSinkPart], from block: Int64, _ result: inout EventSinkVerification) throws {
        guard let last = parts.last else { return }
        var bounds: [(first: Int64, last: Int64, range: Int64)] = []
        for part in parts where bounds.last?.range != part.range {
            bounds.append((part.firstBlock, part.lastBlock, part.range))
        }
        result.ranges += bounds.count
        for (shard, server) in tables.cluster.servers {
            var expected: [Key: EventSinkSums] = [:]
            for part in parts where part.shard == shard && part.week >= firstWeek && part.sentAt != nil {
                expected[Key(range: part.range, week: part.week)] = part.sums
            }
            let unsent = Set(parts.filter { $0.sentAt == nil }.map(\.range))
            var found: [Key: Found] = [:]
            for row in try rows(of: server, "block >= \(block) AND block <= \(last.lastBlock)") {
                let place = bounds.first { row.block >= $0.first && row.block <= $0.last }
                let key = Key(range: place?.range ?? 0, week: row.week)
                found[key, default: Found()].sums += row.found.sums
                found[key, default: Found()].distinctIDs += row.found.distinctIDs
            }
            if server.host == tables.cluster.shards[shard].first?.host {
                result.eventCount += expected.values.reduce(0) { $0 + $1.eventCount }
            }
            for key in Set(expected.keys).union(found.keys).sorted(by: { ($0.range, $0.week) < ($1.range, $1.week) }) {
                guard !unsent.contains(key.range) else { continue }
                let wanted = expected[key] ?? EventSinkSums()
                let words = Self.difference(of: found[key] ?? Found(), from: wanted)
                guard !words.isEmpty else { continue }
                let place = bounds.first { $0.range == key.range }
                let name =
                    place.map { "range \($0.range) (blocks \($0.first) to \($0.last))" } ?? "outside of all ranges"
                result.note(
                    "\(server.host), shard \(shard + 1), \(name), week of \(Self.date(key.week)): "
                        + words.joined(separator: ", "))
            }
        }
    }

    /// Behind the last range nothing may be stored, unless it is being sent.
    private func compareRest(from block: Int64, _ result: inout EventSinkVerification) throws {
        for (shard, server) in tables.cluster.servers {
            let rest = try server.query("SELECT count(), min(block) FROM \(tables.local) WHERE block >= \(block)")
            guard let row = rest.first, row.count == 2, let count = Int64(row[0]), count > 0 else { continue }
            let isPlanned = try context.store.read { session in
                try !EventSinkLedger.parts(table: tables.number, after: 0, limit: 1, in: session).isEmpty
                    && EventSinkLedger.unsent(table: tables.number, in: session).first != nil
            }
            guard !isPlanned else { continue }
            result.note("\(server.host), shard \(shard + 1): \(count) events from block \(row[1]) on are in no range")
        }
    }

    private func rows(
        of server: ClickHouseServer, _ condition: String, place: String = "block", distinct: String = "uniqExact(id)"
    ) throws -> [(block: Int64, week: Int64, found: Found)] {
        let texts = "event, '\\n', platform, '\\n', app_version, '\\n', toString(item), '\\n', properties"
        let half = "reinterpretAsUInt64(substring(UUIDStringToNum(toString(id)), 9, 8))"
        let answer = try server.query(
            """
            SELECT \(place) AS place, toUInt32(toMonday(day)) AS week, count(), \(distinct), sum(toUInt64(moment)), \
            sum(toUInt64(received)), sum(user), sum(\(half)), sum(halfMD5(concat(\(texts)))) \
            FROM \(tables.local) FINAL WHERE \(condition) AND toMonday(day) >= toDate(toUInt16(\(max(0, firstWeek)))) \
            GROUP BY place, week
            """, settings: [("max_bytes_before_external_group_by", "400000000")])
        return try answer.map { row in
            guard row.count == 9, let block = Int64(row[0]), let week = Int64(row[1]), let count = Int64(row[2]),
                let distinct = Int64(row[3])
            else { throw EventSinkError("\(server.host): the response to a query has another form") }
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
