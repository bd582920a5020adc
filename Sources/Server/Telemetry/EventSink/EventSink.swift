package import EventLog
import Foundation
package import SQLDatabase
package import ServerAccess
package import SubGuardDomain
import SubGuardSQL
import Synchronization

/// The database's half of the event sink: decides which ranges of the log are sent, packs their rows, and keeps the
/// ledger and the cursor. Any process may continue what another one began. docs/events.md explains how.
package final class EventSink: Sendable {
    /// A range that is in the ledger, ready to be sent.
    package struct Range: Sendable {
        package let table: Int64
        package let number: Int64
        package let firstBlock: Int64
        package let eventCount: Int64
        /// For each shard that still lacks them the rows in the format RowBinary.
        package let rows: [(shard: Int, bytes: [UInt8])]
        /// As the ledger has them.
        fileprivate let parts: [EventSinkPart]

        /// Tells apart what was planned under one number before and after a discard.
        package var plan: String {
            "\(firstBlock)-\(parts.first?.lastBlock ?? 0)-\(parts.reduce(0) { $0 &+ $1.sums.ids })"
        }
    }

    /// Which events a call of ``EventSink/next(_:)`` takes.
    package struct Order: Sendable {
        /// The number of shards among which a new range is divided.
        package var shardCount: Int
        /// The number of the table, if it is not the current one: a table that is being rebuilt.
        package var rebuiltTable: Int64?
        /// The last block; nil for all that are in the figures.
        package var lastBlock: Int64?
        /// Whether fewer than ``EventSink/fewestEvents`` are taken at once, without waiting for more.
        package var isImpatient = false

        package init(shardCount: Int) { self.shardCount = shardCount }
    }

    /// What the sink has to do.
    package enum Work: Sendable {
        case range(Range)
        /// Another process was faster; ask again.
        case again
        case nothing
    }

    /// A range has at least so many events, unless the first of them has waited for ``longestWait``.
    package static let fewestEvents = 10_000
    package static let mostEvents = 100_000
    package static let longestWait: Int64 = 20
    private static let secondsBetweenSigns: Int64 = 600

    private let context: BackendContext
    private let users = Mutex(EventSinkUsers())

    package init(context: BackendContext) { self.context = context }

    /// States that this database has a sink: from now on the log keeps what was not sent. Call it often.
    package func sign() throws {
        let now = context.now()
        let isDue = { (state: EventSinkState?) in
            state.map { abs($0.seenAt.milliseconds(until: now)) >= Self.secondsBetweenSigns * 1000 } ?? true
        }
        guard try isDue(context.store.read { try EventSinkState.load(in: $0) }) else { return }
        try context.store.write { transaction in
            var state =
                try EventSinkState.load(in: transaction)
                ?? EventSinkState(cursor: 0, nextUser: 1, revision: 0, table: 1, seenAt: now)
            state.seenAt = now
            try state.save(in: transaction)
        }
    }

    /// Whether a range is due: one that is not sent completely, or enough events behind the cursor.
    package func isDue() throws -> Bool {
        try context.read { session, now in
            guard let state = try EventSinkState.load(in: session), try !EventLog.isDiscardUnderWay(in: session) else {
                return false
            }
            let isUnsent = try !EventSinkLedger.unsent(table: state.table, in: session).isEmpty
            return try isUnsent
                || choose(
                    Choice(after: state.cursor, order: Order(shardCount: 1), mostEvents: Self.fewestEvents), now,
                    session) != nil
        }
    }

    /// The next range, which is in the ledger when this returns. Nothing is sent while forged events are discarded.
    ///
    /// - Parameter range: the range that is being sent meanwhile. It must be sent completely before the one behind it
    ///   is, because the cursor moves to the end of each range.
    package func next(_ order: Order, after range: Range? = nil) throws -> Work {
        switch try find(order, after: range) {
        case .nothing: return .nothing
        case .unsent(let parts, let packed): return try resume(parts, packed)
        case .new(let packed, let number, let table): return try plan(packed, number, table)
        }
    }

    private func find(_ order: Order, after range: Range?) throws -> Found {
        try context.read { session, now in
            guard let state = try EventSinkState.load(in: session), try !EventLog.isDiscardUnderWay(in: session) else {
                return .nothing
            }
            let table = order.rebuiltTable ?? state.table
            if let range, range.table != table { return .nothing }
            let unsent = try EventSinkLedger.unsent(table: table, after: range?.number ?? -1, in: session)
            if let part = unsent.first {
                return .unsent(unsent, try pack(part.firstBlock...part.lastBlock, part.shardCount, state, session))
            }
            let last = try EventSinkLedger.lastRange(table: table, in: session)
            var start = try lastBlock(of: last, table, session)
            if order.rebuiltTable == nil { start = max(start, state.cursor) }
            guard let blocks = try choose(Choice(after: start, order: order), now, session) else { return .nothing }
            return .new(try pack(blocks, order.shardCount, state, session), number: last + 1, table)
        }
    }

    /// Records that a shard has its rows of a range. With the last shard the cursor moves. Returns false, and does
    /// nothing, if the ledger has no such range, or has planned it anew.
    @discardableResult
    package func markSent(_ range: Range, shard: Int) throws -> Bool {
        try context.write { transaction, now in
            guard var state = try EventSinkState.load(in: transaction),
                try EventSinkLedger.parts(table: range.table, range: range.number, in: transaction).map(\.content)
                    == range.parts.map(\.content)
            else { return false }
            let marked = try EventSinkLedger.markSent(
                table: range.table, range: range.number, shard: shard, at: now, in: transaction)
            guard marked > 0, range.table == state.table,
                try !EventSinkLedger.hasUnsent(table: range.table, range: range.number, in: transaction)
            else { return true }
            let last = try lastBlock(of: range.number, range.table, transaction)
            guard last > state.cursor else { return true }
            state.cursor = last
            try state.save(in: transaction)
            return true
        }
    }

    /// How far the sink is behind.
    package func lag() throws -> EventSinkLag {
        try context.read { session, now in
            guard let state = try EventSinkState.load(in: session) else { return EventSinkLag(completeAt: now) }
            return try EventSinkLag(of: state, at: now, in: session)
        }
    }
}

/// How far the sink is behind the log.
package struct EventSinkLag: Sendable {
    /// Since the oldest event that was not sent was received; 0 if all were.
    package let seconds: Double
    /// Blocks that were not sent.
    package let blocks: Int64
    /// Everything received before this moment was sent.
    package let completeUntil: UTCInstant

    package init(of state: EventSinkState, at now: UTCInstant, in session: any SQLSession) throws {
        let first = try session.first(
            "SELECT received_at FROM event_blocks WHERE id > ? ORDER BY id LIMIT 1", [.integer(state.cursor)]
        ) { try $0.instant(0) }
        completeUntil = min(first ?? now, now)
        seconds = Double(completeUntil.milliseconds(until: now)) / 1000
        blocks = max(0, try EventLogState.load(in: session).lastBlock - state.cursor)
    }

    init(completeAt now: UTCInstant) {
        (seconds, blocks, completeUntil) = (0, 0, now)
    }

    /// Servers with a sink say so every ten minutes: after this time without it, none runs.
    private static let secondsOfASign: Int64 = 3 * 3600

    /// Nil while no server with a sink runs.
    package static func present(at now: UTCInstant, in session: any SQLSession) throws -> EventSinkLag? {
        guard let state = try EventSinkState.load(in: session),
            now.milliseconds(until: state.seenAt).magnitude < 1000 * UInt64(secondsOfASign)
        else { return nil }
        return try EventSinkLag(of: state, at: now, in: session)
    }
}

extension EventSink {
    private enum Found {
        case nothing
        case unsent([EventSinkPart], Packed)
        case new(Packed, number: Int64, Int64)
    }

    /// The rows of a range, and what must not change until they are in the ledger.
    private struct Packed {
        let blocks: ClosedRange<Int64>
        let rows: EventSinkRows
        let state: EventSinkState
        /// Users without a number, in the order of their first event.
        let newUsers: [UserHash]

        func parts(_ table: Int64, _ number: Int64) -> [EventSinkPart] {
            rows.weeks.enumerated().flatMap { shard, weeks in
                weeks.sorted { $0.week < $1.week }.map { week in
                    EventSinkPart(
                        table: table, range: number, shard: shard, week: week.week, shardCount: rows.shards.count,
                        blocks: blocks, sums: week.sums, sentAt: nil)
                }
            }
        }

        func range(_ table: Int64, _ number: Int64, without sent: Set<Int> = []) -> Range {
            Range(
                table: table, number: number, firstBlock: blocks.lowerBound,
                eventCount: rows.weeks.joined().reduce(0) { $0 + $1.sums.eventCount },
                rows: rows.shards.enumerated().filter { !$0.element.isEmpty && !sent.contains($0.offset) }
                    .map { (shard: $0.offset, bytes: $0.element) },
                parts: parts(table, number))
        }
    }

    private struct Choice {
        let after: Int64
        let order: Order
        var mostEvents = EventSink.mostEvents
    }

    private func lastBlock(of range: Int64, _ table: Int64, _ session: any SQLSession) throws -> Int64 {
        try EventSinkLedger.parts(table: table, range: range, in: session).first?.lastBlock ?? 0
    }

    /// The blocks of the next range: whole ones with at most ``mostEvents``, or a single larger one. Nil if they should
    /// wait for more.
    private func choose(_ choice: Choice, _ now: UTCInstant, _ session: any SQLSession) throws -> ClosedRange<Int64>? {
        let folded = try EventFoldState.load(in: session).state.foldedBlock
        let end = min(folded, choice.order.lastBlock ?? folded)
        var (first, last, events, isFull): (Int64?, Int64, Int, Bool) = (nil, choice.after, 0, false)
        var waitingSince = UTCInstant.latest
        // A few at a time, because there may be many more.
        var isAtEnd = false
        while !isFull, !isAtEnd, choice.mostEvents > events {
            var rows = 0
            try session.forEach(
                "SELECT id, event_count, received_at FROM event_blocks WHERE id > ? AND id <= ? ORDER BY id LIMIT 200",
                [.integer(last), .integer(end)]
            ) { row in
                rows += 1
                let count = Int(clamping: try row.integer(1))
                isFull = isFull || first != nil && events &+ count > choice.mostEvents
                guard !isFull else { return }
                let block = try row.integer(0)
                (first, last, events) = (first ?? block, block, events &+ count)
                waitingSince = min(waitingSince, try row.instant(2))
            }
            isAtEnd = rows < 200
        }
        guard let first else { return nil }
        let isDue =
            isFull || events >= Self.fewestEvents || choice.order.isImpatient || choice.order.lastBlock != nil
            || waitingSince.adding(seconds: Self.longestWait) <= now
        return isDue ? first...last : nil
    }

    /// Packs the events of blocks. Their users get the numbers that they have, or the next ones.
    private func pack(
        _ blocks: ClosedRange<Int64>, _ shardCount: Int, _ state: EventSinkState, _ session: any SQLSession
    ) throws -> Packed {
        let names = try EventNames.load(in: session)
        let sweep = try ErasureSweep(in: session)
        let stored = try session.query(
            "SELECT id, events FROM event_blocks WHERE id >= ? AND id <= ? ORDER BY id",
            [.integer(blocks.lowerBound), .integer(blocks.upperBound)]
        ) { (id: try $0.integer(0), bytes: try $0.blob(1)) }
        var count = 0
        // Each user of the range once, and for each block the places of its users among them.
        var (order, places): ([UserHash], [UserHash: Int]) = ([], [:])
        let placesInBlocks = try stored.map { block in
            try EventBlockReader.read(block.bytes, of: block.id) { reader in
                var inBlock: [Int] = []
                count += reader.count
                try reader.forEachUserHash { hash in
                    let user = sweep?.user(hash, block: block.id) ?? hash
                    let place = places[user] ?? order.count
                    if place == order.count {
                        places[user] = place
                        order.append(user)
                    }
                    inBlock.append(place)
                }
                return inBlock
            }
        }
        let known = try users.withLock { try $0.numbers(of: order, revision: state.revision, in: session) }
        var newUsers: [UserHash] = []
        let numbers = zip(order, known).map { user, number in
            if let number { return number }
            newUsers.append(user)
            return state.nextUser + Int64(newUsers.count - 1)
        }
        var rows = EventSinkRows(shardCount: max(1, shardCount))
        var texts = EventSinkTexts(names)
        for (block, places) in zip(stored, placesInBlocks) {
            try EventBlockReader.read(block.bytes, of: block.id) { reader in
                texts.beginBlock()
                var place: UInt32 = 0
                try reader.forEachNumbered { user, event in
                    let text = try texts.texts(of: event, in: reader)
                    rows.append(event, text, user: numbers[places[user]], block: block.id, place: place)
                    place += 1
                }
            }
            if block.id == blocks.lowerBound { rows.reserve(count) }
        }
        return Packed(blocks: blocks, rows: rows, state: state, newUsers: newUsers)
    }

    /// Writes a new range into the ledger, with the numbers of its new users.
    private func plan(_ packed: Packed, _ number: Int64, _ table: Int64) throws -> Work {
        let parts = packed.parts(table, number)
        let isPlanned = try context.store.write { transaction in
            guard var state = try EventSinkState.load(in: transaction), state.isSame(as: packed.state),
                try EventSinkLedger.lastRange(table: table, in: transaction) == number - 1,
                try !EventLog.isDiscardUnderWay(in: transaction)
            else { return false }
            try EventSinkLedger.insert(parts, in: transaction)
            guard !packed.newUsers.isEmpty else { return true }
            try EventSinkUsers.insert(
                packed.newUsers.enumerated().map { ($0.element, state.nextUser + Int64($0.offset)) }, in: transaction)
            state.nextUser += Int64(packed.newUsers.count)
            try state.save(in: transaction)
            return true
        }
        return isPlanned ? .range(packed.range(table, number)) : .again
    }

    /// Continues a range of the ledger. If forged events were discarded from it meanwhile, it is planned anew.
    private func resume(_ parts: [EventSinkPart], _ packed: Packed) throws -> Work {
        guard let part = parts.first else { return .again }
        let isUnchanged =
            packed.newUsers.isEmpty
            && packed.parts(part.table, part.range).map(\.content) == parts.map(\.content)
        if isUnchanged {
            let sent = Set(parts.map(\.shard)).subtracting(parts.filter { $0.sentAt == nil }.map(\.shard))
            return .range(packed.range(part.table, part.range, without: sent))
        }
        try context.store.write { transaction in
            guard let state = try EventSinkState.load(in: transaction), state.isSame(as: packed.state),
                try EventSinkLedger.hasUnsent(table: part.table, range: part.range, in: transaction)
            else { return }
            // A range behind it must not be sent first, so it is planned anew, too.
            try EventSinkLedger.remove(table: part.table, from: part.range, in: transaction)
        }
        return .again
    }
}

extension EventSinkPart {
    /// Everything but whether it was sent.
    fileprivate var content: EventSinkPart {
        EventSinkPart(
            table: table, range: range, shard: shard, week: week, shardCount: shardCount,
            blocks: firstBlock...lastBlock, sums: sums, sentAt: nil)
    }
}

extension EventSinkState {
    /// Whether everything that packed rows depend on is unchanged. The cursor may have moved: rows depend on the ranges
    /// of the ledger.
    fileprivate func isSame(as other: EventSinkState) -> Bool {
        nextUser == other.nextUser && revision == other.revision && table == other.table
    }
}
