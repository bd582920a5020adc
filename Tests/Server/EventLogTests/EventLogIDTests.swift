import BackendTestKit
import EventLog
import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL
import Telemetry
import TestKit
import Testing

/// Which ids are known, with an index so small that a few hundred ids fill runs that are merged and deleted.
struct EventLogIDTests {
    private static let shape: EventIDIndexShape = {
        var shape = EventIDIndexShape()
        shape.runSize = 40
        shape.segmentSize = 300
        shape.fanOut = 3
        return shape
    }()

    private enum IDs: CaseIterable, Sendable {
        /// Random, as on most devices.
        case version4
        /// Ordered by time.
        case version7
        /// The nil UUID, the largest, and neighbours.
        case extreme

        func make(_ number: Int, _ random: inout SeededRandom) -> UUID {
            switch self {
            case .version4:
                UUIDv7.make(millisecondsSinceEpoch: Int64(random.next() >> 20), random: (random.next(), random.next()))
            case .version7: UUIDv7.make(millisecondsSinceEpoch: Int64(number), random: (1, UInt64(number)))
            case .extreme:
                UUID(
                    rawBytes: (number.isMultiple(of: 2) ? [] : [UInt8](repeating: 255, count: 8)) + big(number / 2)
                        + (number.isMultiple(of: 2) ? [UInt8](repeating: 0, count: 8) : [])) ?? UUID()
            }
        }

        private func big(_ number: Int) -> [UInt8] { withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) } }
    }

    private func event(_ id: UUID, user: Int) throws -> AnalyticsEvent {
        AnalyticsEvent(
            id: id, definition: try #require(EventRegistry.definition(named: "app_opened")), userID: userHash(user),
            timestamp: try instant("2026-11-20T09:00:00Z"), properties: nil)
    }

    /// Appends 4,000 events, a third of them repeated, and compares with a plain set.
    @Test(arguments: IDs.allCases, [256 << 20, 1000, 0])
    private func anIDIsNewOnceHoweverMuchWasStoredSince(_ ids: IDs, filterMemory: Int) throws {
        let fixture = try BackendFixture()
        var shape = Self.shape
        shape.filterMemory = filterMemory
        var log = EventLog(context: fixture.context, shape: shape)
        var random = SeededRandom(seed: 11)
        var known: [UUID] = []
        var set: Set<UUID> = []
        var deepest = 0
        for round in 0..<80 {
            let events = try (0..<50).map { index in
                let isRepeat = !known.isEmpty && Int.random(in: 0..<3, using: &random) == 0
                let id =
                    isRepeat ? known.randomElement(using: &random) ?? UUID() : ids.make(round * 50 + index, &random)
                return try event(id, user: index)
            }
            var expected = 0
            for event in events where set.insert(event.id).inserted {
                expected += 1
                known.append(event.id)
            }
            let receipt = try #require(try log.append([try EventBatch(events)]).first)
            #expect((receipt.accepted, receipt.duplicates) == (expected, 50 - expected))
            deepest = max(deepest, Int(try fixture.count("SELECT max(level) FROM event_id_runs")))
            #expect(log.currentFigures.filterBytes <= filterMemory)
            // Another process, or the same one after a crash now, knows the same ids.
            if round.isMultiple(of: 9) { log = EventLog(context: fixture.context, shape: shape) }
        }
        #expect(deepest >= 2)
        while try log.upkeepStep() {}
        #expect((log.currentFigures.filterBytes > 0) == (filterMemory > 0))
        #expect(try fixture.count("SELECT count(*) FROM event_id_runs WHERE state <> 0") == 0)
        #expect(log.currentFigures.indexedIDs + log.currentFigures.recentIDs == set.count)
        #expect(
            try fixture.count("SELECT sum(length(ids)) FROM event_id_chunks")
                == 16 * fixture.count("SELECT sum(id_count) FROM event_id_segments"))
        for start in stride(from: 0, to: known.count, by: 500) {
            let again = try known[start..<min(start + 500, known.count)].map { try event($0, user: 1) }
            #expect(try log.append([try EventBatch(again)]).first?.accepted == 0)
        }
        #expect(Set(try fixture.events().map(\.id)) == set)
        #expect(try fixture.events().count == set.count)
    }

    /// Filters for which there is neither room nor a file stay in memory.
    @Test func worksWithoutAFileForFilters() throws {
        let fixture = try BackendFixture()
        var shape = Self.shape
        (shape.filterMemory, shape.filterFolder) = (0, "/dev/null/none")
        for _ in 0..<2 {
            let log = EventLog(context: fixture.context, shape: shape)
            let batch = try EventBatch(try (0..<500).map { try event(makeID($0), user: 1) })
            _ = try log.append([batch])
            #expect(try log.append([batch]).first?.duplicates == 500)
            #expect(log.currentFigures.filterBytes > 0)
        }
        #expect(try fixture.events().count == 500)
    }

    @Test func twoLogsOnOneStoreKnowEachOthersEvents() throws {
        let fixture = try BackendFixture()
        let other = try fixture.reopened()
        let logs = [
            EventLog(context: fixture.context, shape: Self.shape), EventLog(context: other.context, shape: Self.shape),
        ]
        var random = SeededRandom(seed: 3)
        var sent: Set<UInt64> = []
        for _ in 0..<200 {
            let numbers = (0..<10).map { _ in UInt64.random(in: 0..<1500, using: &random) }
            let fresh = numbers.filter { sent.insert($0).inserted }.count
            let log = logs[Int.random(in: 0...1, using: &random)]
            let batch = try EventBatch(try numbers.map { try event(makeID($0), user: Int($0 % 7)) })
            #expect(try log.append([batch]).first?.accepted == fresh)
            if Int.random(in: 0..<5, using: &random) == 0 { _ = try logs[0].foldStep() }
            if Int.random(in: 0..<5, using: &random) == 0 { _ = try logs[1].upkeepStep() }
        }
        try logs[1].settle()
        let result = try FigureVerifier(context: other.context).verify()
        #expect(result.differences == [])
        #expect(result.eventCount == sent.count)
    }

    @Test func aTransactionThatFailsLeavesNoIDBehind() throws {
        let fixture = try BackendFixture()
        let log = EventLog(context: fixture.context, shape: Self.shape)
        let batch = try EventBatch(try (0..<45).map { try event(makeID($0), user: 1) })
        try fixture.refuseRows(of: "event_id_runs", when: "NEW.level >= 0")
        #expect(throws: SQLError.self) { try log.append([batch]) }
        #expect(try fixture.events().isEmpty)
        try fixture.takeRows(of: "event_id_runs")
        #expect(try log.append([batch]).first?.accepted == 45)
        #expect(try log.append([batch]).first?.duplicates == 45)
    }

    /// A machine's clock may be years ahead for a moment.
    @Test func noIDIsForgottenForAClockThatJumps() throws {
        let fixture = try BackendFixture()
        let log = EventLog(context: fixture.context, shape: Self.shape)
        let batch = try EventBatch(try (0..<45).map { try event(makeID($0), user: 1) })
        #expect(try log.append([batch]).first?.accepted == 45)
        let right = fixture.now
        fixture.now = right.adding(days: 1000)
        while try log.upkeepStep() {}
        fixture.now = right
        #expect(try log.append([batch]).first?.duplicates == 45)
    }

    @Test func aShorterMemoryForgetsEarlier() throws {
        let fixture = try BackendFixture()
        var shape = Self.shape
        shape.forgetAfter = .zero
        shape.daysRemembered = 30
        let log = EventLog(context: fixture.context, shape: shape)
        let batch = try EventBatch(try (0..<45).map { try event(makeID($0), user: 1) })
        #expect(try log.append([batch]).first?.accepted == 45)
        fixture.now = fixture.now.adding(days: 28)
        try log.purge(before: fixture.now.adding(days: -27))
        fixture.now = fixture.now.adding(days: 2)
        while try log.upkeepStep() {}
        #expect(try log.append([batch]).first?.duplicates == 45)
        fixture.now = fixture.now.adding(seconds: 1)
        while try log.upkeepStep() {}
        #expect(log.currentFigures.indexedIDs == 0)
        #expect(try log.append([batch]).first?.accepted == 45)
    }

    @Test func anIDIsForgottenWhenNoTimestampOfItsTimeWouldBeTaken() throws {
        let fixture = try BackendFixture()
        var shape = Self.shape
        shape.forgetAfter = .zero
        let log = EventLog(context: fixture.context, shape: shape)
        let batch = try EventBatch(try (0..<45).map { try event(makeID($0), user: 1) })
        #expect(try log.append([batch]).first?.accepted == 45)
        fixture.now = fixture.now.adding(days: AnalyticsLimits.maximumDaysBehind + 1)
        while try log.upkeepStep() {}
        #expect(try log.append([batch]).first?.duplicates == 45)
        fixture.now = fixture.now.adding(days: 1)
        while try log.upkeepStep() {}
        #expect(log.currentFigures.indexedIDs == 0)
        #expect(try fixture.count("SELECT count(*) FROM event_id_chunks") == 0)
    }
}
