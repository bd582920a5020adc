package import Foundation
package import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

/// Reads the raw events in the order of arrival, a few thousand in each snapshot, so that no long transaction keeps the
/// database from reclaiming space. Ends with the block that was the newest at the beginning.
///
/// Between two steps blocks may be purged, rewritten without discarded events, or joined. Purged and discarded events
/// are left out; any other event is visited exactly once.
package struct EventLogWalk: Sendable {
    /// An event with the block that holds it.
    package struct Visit {
        package let block: Int64
        package let event: EventBlockReader.Event
        /// The hash of the user, already the new one while an erasure is under way.
        package let user: UserHash
        /// For the properties of the event.
        package let reader: EventBlockReader
    }

    /// A block as its row describes it; a rewritten block differs.
    private struct Header: Sendable, Equatable {
        let id: Int64
        let eventCount: Int
        let receivedAt: UTCInstant
        let lastOccurredAt: UTCInstant
    }

    /// Everything before a block and some of its events are done.
    private struct Place: Sendable {
        let header: Header
        let done: Int
    }

    private let occurredFrom: UTCInstant
    private let lastBlock: Int64
    private var firstBlock: Int64?
    private var place: Place?
    /// The last visited event, or the one after which the walk began.
    package private(set) var lastVisited: EventPosition?
    /// The oldest block when the walk began.
    private let oldestBlock: Int64?
    package private(set) var isAtEnd: Bool

    /// Maximum events visited in a step.
    package var mostEvents = 2_000

    /// Maximum blocks looked at in a step.
    private static let blocksInAStep = 500

    /// - Parameters:
    ///   - position: begins after this event; nil begins with the oldest. If the event and everything before it were
    ///     purged, begins with the oldest, too. Throws ``EventPositionError`` if the event is missing otherwise.
    ///   - occurredFrom: blocks whose events all occurred earlier may be skipped.
    package init(after position: EventPosition?, occurredFrom: UTCInstant?, in session: any SQLSession) throws {
        self.occurredFrom = occurredFrom ?? .earliest
        lastBlock = try EventLogState.load(in: session).lastBlock
        oldestBlock = try Self.oldestBlock(in: session)
        isAtEnd = lastBlock == 0
        guard let position else { return }
        place = try Self.find(position, in: session)
        lastVisited = place == nil ? nil : position
    }

    /// Whether it begins with the oldest event: nothing was visited, and none of the log is left out.
    package var beginsAtTheOldest: Bool { place == nil }

    /// The part of the log that is done, from 0 to 1.
    package var progress: Double {
        guard !isAtEnd else { return 1 }
        guard let firstBlock, let place, lastBlock > firstBlock else { return 0 }
        return min(1, Double(place.header.id - firstBlock) / Double(lastBlock - firstBlock))
    }

    /// Visits the next events, up to ``mostEvents``. There may be none although ``isAtEnd`` is still false.
    package mutating func takeStep(in session: any SQLSession, _ visit: (Visit) throws -> Void) throws {
        guard !isAtEnd else { return }
        let start = try currentPlace(in: session)
        let headers = try session.query(
            "SELECT \(Self.columns) FROM event_blocks WHERE id >= ? ORDER BY id LIMIT ?",
            [.integer(start?.header.id ?? 0), .integer(Int64(Self.blocksInAStep))], Self.header)
        firstBlock = firstBlock ?? headers.first?.id
        var (chosen, eventCount, isFull): ([Header], Int, Bool) = ([], 0, false)
        for header in headers {
            let done = header.id == start?.header.id ? start?.done ?? 0 : 0
            let rest = header.eventCount - done
            if rest > 0, header.lastOccurredAt >= occurredFrom {
                isFull = !chosen.isEmpty && eventCount + rest > mostEvents
                if isFull { break }
                chosen.append(header)
                eventCount += rest
            }
            place = Place(header: header, done: header.eventCount)
            // An older block may have been joined into one with a higher number.
            if header.id >= lastBlock {
                isAtEnd = true
                break
            }
        }
        if !isFull, headers.count < Self.blocksInAStep { isAtEnd = true }
        if let first = chosen.first, let last = chosen.last {
            try read(first, through: last, from: start, in: session, visit)
        }
    }

    /// Visits the events of the blocks from `first` through `last`.
    private mutating func read(
        _ first: Header, through last: Header, from start: Place?, in session: any SQLSession,
        _ visit: (Visit) throws -> Void
    ) throws {
        let sweep = try ErasureSweep(in: session)
        var (visited, newest): (Int, EventPosition?) = (0, nil)
        try session.forEach(
            """
            SELECT id, events, event_count FROM event_blocks
            WHERE id >= ? AND id <= ? AND last_occurred_at >= ? ORDER BY id
            """,
            [.integer(first.id), .integer(last.id), .instant(occurredFrom)]
        ) { row in
            let block = try row.integer(0)
            let bytes = try row.blob(1)
            let eventCount = try row.integer(2)
            let done = block == start?.header.id ? start?.done ?? 0 : 0
            try EventBlockReader.read(bytes, of: block) { reader in
                // Otherwise the rest of the block would never come.
                guard Int64(reader.count) == eventCount else { throw PackedReader.malformed }
                var number = 0
                try reader.forEach { event in
                    number += 1
                    guard number > done, visited < mostEvents else { return }
                    visited += 1
                    newest = EventPosition(block: block, id: event.id.uuid)
                    let user = sweep?.user(event.userID, block: block) ?? event.userID
                    try visit(Visit(block: block, event: event, user: user, reader: reader))
                }
            }
        }
        lastVisited = newest ?? lastVisited
        let doneBefore = first.id == start?.header.id ? start?.done ?? 0 : 0
        if first == last, doneBefore + visited < first.eventCount {
            // The rest of a large block follows in the next step.
            place = Place(header: first, done: doneBefore + visited)
            isAtEnd = false
        }
    }

    /// Where to continue; nil at the beginning of the log.
    private func currentPlace(in session: any SQLSession) throws -> Place? {
        guard let place else { return nil }
        let header = try session.first(
            "SELECT \(Self.columns) FROM event_blocks WHERE id = ?", [.integer(place.header.id)], Self.header)
        if header == place.header { return place }
        // The block was changed. Without a visit nothing was visited, so the walk may begin again.
        return try lastVisited.flatMap { try Self.find($0, in: session) }
    }

    /// Whether events that it has not visited may have been purged since it began or took its last step.
    package func isOvertaken(in session: any SQLSession) throws -> Bool {
        guard try currentPlace(in: session) == nil else { return false }
        return try lastVisited != nil || Self.oldestBlock(in: session) != oldestBlock
    }

    private static func oldestBlock(in session: any SQLSession) throws -> Int64? {
        try session.integer("SELECT min(id) FROM event_blocks")
    }

    /// Looks in the block of the position, and in the neighbours into which that block may have been joined. Nil if
    /// everything up to the position was purged.
    private static func find(_ position: EventPosition, in session: any SQLSession) throws -> Place? {
        let wanted = EventID(position.id)
        var hasEarlier = false
        for (isEarlier, sql) in [(true, "id <= ? ORDER BY id DESC LIMIT 1"), (false, "id > ? ORDER BY id LIMIT 1")] {
            let block = try session.first(
                "SELECT \(columns), events FROM event_blocks WHERE \(sql)", [.integer(position.block)]
            ) { (header: try header($0), events: try $0.blob(4)) }
            guard let block else { continue }
            hasEarlier = hasEarlier || isEarlier
            if let index = try index(of: wanted, in: block.events, block.header.id) {
                return Place(header: block.header, done: index + 1)
            }
        }
        if hasEarlier { throw EventPositionError(position: position) }
        return nil
    }

    private static func index(of wanted: EventID, in events: [UInt8], _ block: Int64) throws -> Int? {
        try EventBlockReader.read(events, of: block) { reader in
            var (index, found): (Int, Int?) = (0, nil)
            reader.forEachID { id in
                if id == wanted, found == nil { found = index }
                index += 1
            }
            return found
        }
    }

    private static let columns = "id, event_count, received_at, last_occurred_at"

    private static func header(_ row: any SQLRow) throws -> Header {
        Header(
            id: try row.integer(0), eventCount: Int(clamping: try row.integer(1)), receivedAt: try row.instant(2),
            lastOccurredAt: try row.instant(3))
    }
}

/// A place in the log: directly after an event. It stays valid when blocks are purged, rewritten or joined, because the
/// event is found again by its id.
package struct EventPosition: Sendable, Hashable {
    /// The block that held the event when it was read.
    package let block: Int64
    package let id: UUID

    package init(block: Int64, id: UUID) {
        self.block = block
        self.id = id
    }

    /// `4821,01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b`: the first two cells of an exported line.
    package var text: String { "\(block),\(id.lowercased)" }

    /// Nil for a text of another form. Accepts ids in either case.
    package init?(text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let block = Int64(parts[0]),
            (1...EventLogState.highestBlock).contains(block), let id = UUID(strict: String(parts[1]))
        else { return nil }
        self.init(block: block, id: id)
    }
}

/// An event after which reading should continue is not in the log any more, so it is unknown what follows it.
package struct EventPositionError: Error, Sendable, Hashable, CustomStringConvertible {
    package let position: EventPosition

    package var description: String {
        "the event \(position.id.lowercased) is not in the log any more; continue after an earlier one, or start again"
    }
}
