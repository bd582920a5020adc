import BackendTestKit
import EventLog
import SQLDatabase
import ServerAccess
import SubGuardDomain
import Telemetry
import TestKit
import Testing

/// The database's half of the event sink: ranges, the ledger, the cursor, and what stays in the log.
struct EventSinkTests {
    private let fixture: BackendFixture
    private let log: EventLog
    private let sink: EventSink

    init() throws {
        fixture = try BackendFixture()
        log = EventLog(context: fixture.context)
        sink = EventSink(context: fixture.context)
        try sink.sign()
    }

    /// One block with an event of each user.
    private func append(_ users: ClosedRange<Int>, id: UInt64, at moment: String = "2026-11-20T09:00:00Z") throws {
        _ = try log.append([
            EventBatch(
                try users.map {
                    try event(
                        id + UInt64($0), "subscription_added", user: $0, at: moment,
                        properties: #"{"app_version":"1.4","platform":"iOS"}"#)
                }, receivedAt: fixture.now.rfc3339)
        ])
        try log.settle()
    }

    private func next(
        shards: Int = 2, of sink: EventSink? = nil, after range: EventSink.Range? = nil
    ) throws -> EventSink.Range? {
        var order = EventSink.Order(shardCount: shards)
        order.isImpatient = true
        while true {
            switch try (sink ?? self.sink).next(order, after: range) {
            case .range(let range): return range
            case .again: continue
            case .nothing: return nil
            }
        }
    }

    private func state() throws -> EventSinkState {
        try #require(try fixture.store.read { try EventSinkState.load(in: $0) })
    }

    private func sendAll(_ range: EventSink.Range) throws {
        for (shard, _) in range.rows { try sink.markSent(range, shard: shard) }
    }

    @Test func aRangeStaysTheSameUntilEveryShardHasIt() throws {
        try append(1...6, id: 0)
        let first = try #require(try next())
        #expect(first.eventCount == 6 && first.rows.map(\.shard) == [0, 1])
        // Another process, after more events, and for another number of shards.
        try append(3...9, id: 100)
        let other = EventSink(context: try fixture.reopened().context)
        let again = try #require(try next(shards: 5, of: other))
        #expect(again.number == first.number && again.rows.map(\.bytes) == first.rows.map(\.bytes))
        try sink.markSent(again, shard: 0)
        let rest = try #require(try next(of: other))
        #expect(rest.rows.map(\.shard) == [1] && rest.rows[0].bytes == first.rows[1].bytes)
        #expect(try state().cursor == 0)
        try other.markSent(rest, shard: 1)
        #expect(try state().cursor == 1)
        // Anyone who was slow changes nothing.
        try sink.markSent(first, shard: 1)
        let second = try #require(try next())
        #expect(second.number == first.number + 1 && second.eventCount == 7)
        try sendAll(second)
        #expect(try next() == nil)
        #expect(try state().nextUser == 10 && sink.lag().blocks == 0)
    }

    @Test func waitsForMoreEventsForSomeSeconds() throws {
        try append(1...3, id: 0)
        #expect(try !sink.isDue())
        fixture.now = fixture.now.adding(seconds: EventSink.longestWait)
        #expect(try sink.isDue())
    }

    @Test func rowsAreThoseOfTheFormat() throws {
        try append(1...1, id: 0x0102_0304)
        let range = try #require(try next(shards: 1))
        let name = Array("subscription_added".utf8)
        var expected: [UInt8] = [UInt8(name.count)] + name
        for number in [try instant("2026-11-20T09:00:00Z"), fixture.now].map(\.millisecondsSinceEpoch) + [1] {
            expected += withUnsafeBytes(of: UInt64(bitPattern: number).littleEndian) { Array($0) }
        }
        expected += [UInt8](repeating: 0, count: 16) + [3] + Array("ios".utf8) + [3] + Array("1.4".utf8)
        let id = EventID(makeID(0x0102_0305)).value
        for half in [UInt64(truncatingIfNeeded: id >> 64), UInt64(truncatingIfNeeded: id), 1] {
            expected += withUnsafeBytes(of: half.littleEndian) { Array($0) }
        }
        let json = Array(#"{"app_version":"1.4","platform":"iOS"}"#.utf8)
        expected += [0, 0, 0, 0, UInt8(json.count)] + json
        #expect(range.rows.map(\.bytes) == [expected])
    }

    @Test func nothingBehindTheCursorIsPurgedOrJoined() throws {
        for number in 0..<4 { try append(1...2, id: UInt64(number) * 10) }
        fixture.now = fixture.now.adding(days: 2)
        try sink.sign()
        #expect(try log.purge(before: fixture.now) == 0)
        #expect(try !log.joinStep())
        let range = try #require(try next())
        #expect(try log.purge(before: fixture.now) == 0)
        try sendAll(range)
        // A rebuild takes from the old table only what the log lacked when it began.
        try JobLeases(context: fixture.context).hold(EventSinkState.rebuildJob) { _ throws in
            #expect(try log.purge(before: fixture.now) == 0)
            #expect(try !log.joinStep())
        }
        while try log.joinStep() {}
        #expect(try fixture.count("SELECT count(*) FROM event_blocks") == 1)
        #expect(try log.purge(before: fixture.now) == 8)
        // A sink that is gone for more than a week holds nothing.
        try append(1...2, id: 100)
        fixture.now = fixture.now.adding(days: 9)
        #expect(try log.purge(before: fixture.now) == 2)
    }

    @Test("A forgotten device keeps its number, and gets another one if it reports again")
    func forgets() throws {
        try append(1...3, id: 0)
        let before = try #require(try next())
        try log.requestErasure(of: userHash(2))
        // The sweep has begun and rewritten nothing.
        #expect(try log.takeErasureStep())
        let during = try #require(try next())
        while try log.takeErasureStep() {}
        let after = try #require(try next())
        #expect(before.rows.map(\.bytes) == during.rows.map(\.bytes))
        #expect(before.rows.map(\.bytes) == after.rows.map(\.bytes))
        try sendAll(after)
        let old = try fixture.store.read { session in
            try session.first(
                "SELECT count(*) FROM event_sink_users WHERE user_hash = ?", [.blob(userHash(2).bytes)]
            ) { try $0.integer(0) }
        }
        #expect(old == 0)
        try append(1...3, id: 10)
        try sendAll(try #require(try next()))
        #expect(try state().nextUser == 5)
    }

    @Test("Events discarded from a range that is not sent change it; discarded users stay forgotten")
    func plansAnewAfterADiscard() throws {
        try append(1...4, id: 0)
        let before = try #require(try next(shards: 1))
        try discardFromFirstBlock(userHash(3))
        let after = try #require(try next(shards: 1))
        #expect(after.eventCount == 3 && after.rows[0].bytes.count < before.rows[0].bytes.count)
        // The answer to the former plan comes late, and its token must not hide the new one from ClickHouse.
        #expect(after.number == before.number && after.plan != before.plan)
        try sendAll(before)
        #expect(try state().cursor == 0)
        try sendAll(after)
        #expect(try state().cursor == 1)
    }

    /// As a discard does to a block of four events.
    private func discardFromFirstBlock(_ user: UserHash) throws {
        let block = try #require(
            try fixture.store.read {
                try $0.first("SELECT events FROM event_blocks WHERE id = 1") { try $0.blob(0) }
            })
        let rest = try EventBlockReader.read(block, of: 1) { reader in
            try EventBlock(copying: reader) { $0.userID == user }
        }
        try fixture.store.write { transaction in
            _ = try transaction.execute(
                "UPDATE event_blocks SET events = ?, event_count = 3 WHERE id = 1", [.blob(rest.bytes)])
        }
    }

    @Test func aRangeIsPreparedWhileTheOneBeforeItIsSent() throws {
        try append(1...6, id: 0)
        let first = try #require(try next())
        #expect(try next(after: first) == nil)
        try append(3...9, id: 100)
        let second = try #require(try next(after: first))
        #expect(second.number == first.number + 1 && second.firstBlock == 2 && second.eventCount == 7)
        // After a crash here both are sent again, in their order.
        let other = EventSink(context: try fixture.reopened().context)
        let again = try #require(try next(of: other))
        #expect(again.number == first.number && again.rows.map(\.bytes) == first.rows.map(\.bytes))
        let secondAgain = try #require(try next(of: other, after: again))
        #expect(secondAgain.number == second.number)
        #expect(secondAgain.rows.map(\.bytes) == second.rows.map(\.bytes))
        #expect(try next(of: other, after: secondAgain) == nil)
        try sendAll(first)
        #expect(try state().cursor == 1 && sink.lag().blocks == 1)
        try sendAll(second)
        #expect(try state().cursor == 2 && next() == nil)
    }

    @Test("A range behind one that a discard changed is planned anew, too, so that the cursor skips nothing")
    func plansAnewWhatWasPrepared() throws {
        try append(1...4, id: 0)
        let first = try #require(try next(shards: 1))
        try append(5...6, id: 100)
        _ = try #require(try next(shards: 1, after: first))
        try discardFromFirstBlock(userHash(3))
        let changed = try #require(try next(shards: 1))
        #expect(changed.number == first.number && changed.firstBlock == 1)
        var (events, blocks) = (changed.eventCount, [changed.firstBlock])
        try sendAll(changed)
        while let range = try next(shards: 1) {
            events += range.eventCount
            blocks.append(range.firstBlock)
            try sendAll(range)
        }
        #expect(events == 5 && Set(blocks).count == blocks.count)
        #expect(try state().cursor == 2)
    }

    @Test func twoProcessesPlanEachRangeOnce() throws {
        try append(1...2, id: 0)
        let other = EventSink(context: try fixture.reopened().context)
        let (mine, theirs) = (try #require(try next()), try #require(try next(of: other)))
        #expect(mine.number == theirs.number)
        for (shard, _) in mine.rows {
            try sink.markSent(mine, shard: shard)
            try other.markSent(theirs, shard: shard)
        }
        #expect(try state().cursor == 1)
        #expect(try fixture.count("SELECT count(DISTINCT range_number) FROM event_sink_parts") == 1)
    }

    @Test func theLedgerHasTheSumsOfEachWeek() throws {
        try append(1...2, id: 0, at: "2026-11-15T23:59:59Z")
        try append(1...3, id: 10, at: "2026-11-16T00:00:00Z")
        try sendAll(try #require(try next(shards: 1)))
        let parts = try fixture.store.read { try EventSinkLedger.parts(table: 1, range: 1, in: $0) }
        // Mondays: 9 and 16 November 2026.
        #expect(parts.map(\.week) == [20_766, 20_773] && parts.map(\.sums.eventCount) == [2, 3])
        #expect(parts.map(\.sums.users) == [3, 6])
        // The last range stays, because the next one is numbered after it.
        let removed = try fixture.store.write { try EventSinkLedger.remove(weeksBefore: 20_773, in: $0) }
        #expect(removed == 0)
    }
}
