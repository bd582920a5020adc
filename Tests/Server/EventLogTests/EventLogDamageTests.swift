import BackendTestKit
import EventLog
import SQLDatabase
import SubGuardDomain
import Telemetry
import TestKit
import Testing

/// A database modified by something else: reported by `figures verify`, never a crash.
struct EventLogDamageTests {
    private static let shape: EventIDIndexShape = {
        var shape = EventIDIndexShape()
        shape.runSize = 400
        shape.segmentSize = 600
        shape.fanOut = 3
        return shape
    }()

    /// 2,000 events in 40 blocks, all counted, their ids in runs of two levels.
    private func filled() throws -> BackendFixture {
        let fixture = try BackendFixture()
        let log = EventLog(context: fixture.context, shape: Self.shape)
        var random = SeededRandom(seed: 2)
        for block in 0..<40 {
            let events = try (0..<50).map { index in
                AnalyticsEvent(
                    id: UUIDv7.make(
                        millisecondsSinceEpoch: Int64(random.next() >> 20), random: (random.next(), random.next())),
                    definition: EventRegistry.events[index % 10], userID: userHash(block * 10 + index % 10),
                    timestamp: try instant("2026-11-20T09:00:00Z"), properties: nil)
            }
            _ = try log.append([try EventBatch(events)])
        }
        try log.settle()
        while try log.upkeepStep() {}
        #expect(try FigureVerifier(context: fixture.context).verify().differences == [])
        return fixture
    }

    @Test(arguments: [
        "UPDATE event_id_segments SET filter = zeroblob(length(filter))", "UPDATE event_id_runs SET state = 2",
        "UPDATE event_id_chunks SET ids = zeroblob(length(ids)) WHERE id % 2 = 0", "DELETE FROM event_id_chunks",
        "DELETE FROM event_id_runs WHERE id = (SELECT max(id) FROM event_id_runs)",
        "UPDATE event_blocks SET events = (SELECT events FROM event_blocks WHERE id = 3) WHERE id = 4",
        "UPDATE event_folds SET folded_block_id = 20",
    ])
    func verificationTells(_ damage: String) throws {
        let fixture = try filled()
        try fixture.execute(damage)
        #expect(try !FigureVerifier(context: fixture.context).verify().agrees)
    }

    @Test(arguments: [
        "UPDATE event_id_segments SET id_count = 9223372036854775807",
        "UPDATE event_id_segments SET first_chunk_id = 9223372036854775807",
        "UPDATE event_id_runs SET level = 9223372036854775807",
        "UPDATE event_log SET last_block_id = 9223372036854775807",
        "UPDATE event_folds SET folded_block_id = 9223372036854775807",
        "UPDATE event_log SET indexed_block_id = 9223372036854775807",
        "UPDATE event_folds SET folded_block_id = folded_block_id + 1", "UPDATE event_log SET last_block_id = 1",
        "UPDATE event_folds SET folded_key = 9223372036854775807, folding_until = 9223372036854775807",
        "UPDATE user_pages SET users = x'010500'",
        "DELETE FROM event_log", "DELETE FROM event_folds",
        """
        UPDATE event_blocks SET received_at = 9223372036854775807, last_occurred_at = -9223372036854775808, \
        event_count = 9223372036854775807
        """,
    ])
    func nothingThatStandsThereStopsTheProcess(_ damage: String) throws {
        let fixture = try filled()
        try fixture.execute(damage)
        let log = EventLog(context: fixture.context, shape: Self.shape)
        for number in 0..<5 {
            _ = try? log.append([try EventBatch([try event(UInt64(number), at: "2026-11-20T09:00:00Z")])])
            _ = try? log.foldStep()
            _ = try? log.upkeepStep()
        }
        _ = try? log.settle()
        _ = try? log.purge(before: fixture.now.adding(days: 1))
        _ = try? FigureVerifier(context: fixture.context).verify()
    }

    @Test func aDamagedBlockIsNamed() throws {
        let fixture = try filled()
        try fixture.execute("UPDATE event_blocks SET events = x'02' WHERE id = 17")
        let error = #expect(throws: EventBlockError.self) { try FigureVerifier(context: fixture.context).verify() }
        #expect(error?.block == 17)
        #expect("\(try #require(error))" == "block 17 of the event log is damaged")
    }
}
