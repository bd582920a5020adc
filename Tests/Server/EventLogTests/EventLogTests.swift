import BackendTestKit
import Dispatch
import EventLog
import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL
import Telemetry
import TestKit
import Testing

struct EventLogTests {
    private let fixture: BackendFixture
    private let log: EventLog

    init() throws {
        fixture = try BackendFixture()
        log = EventLog(context: fixture.context)
    }

    private static let properties = [
        nil, #"{"app_version":"1.2","locale":"fr_CH"}"#, #"{"app_version":"1.2","platform":"a, \"b\" {c}\\"}"#,
        #"{"catalogue_item_id":"0198a0c2-0000-7000-8000-000000000001","days_since_first_launch":0}"#,
    ]

    /// Appended events are read back unchanged: every name, distant times, several batches per block.
    @Test(arguments: 1...5)
    func readsBackWhatWasAppended(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var expected: [LoggedEvent] = []
        for round in 0..<20 {
            let batches = try (0..<Int.random(in: 1...4, using: &random)).map { part in
                let receivedAt = fixture.now.adding(milliseconds: Int64.random(in: -5...5, using: &random))
                let events = try (0..<Int.random(in: 0...60, using: &random)).map { index in
                    let definition = try #require(EventRegistry.events.randomElement(using: &random))
                    return AnalyticsEvent(
                        id: makeID(UInt64(round * 1000 + part * 100 + index)), definition: definition,
                        userID: userHash(Int.random(in: 0..<9, using: &random)),
                        timestamp: receivedAt.adding(
                            milliseconds: Int64.random(in: -400 * 86_400_000...86_400_000, using: &random)),
                        properties: try #require(Self.properties.randomElement(using: &random)).map { Array($0.utf8) })
                }
                return EventBatch(events: events, rejected: [], receivedAt: receivedAt, byteCount: 0)
            }
            for batch in batches {
                expected += batch.events.map {
                    LoggedEvent(
                        id: $0.id, name: $0.definition.name, userID: $0.userID, occurredAt: $0.timestamp,
                        receivedAt: batch.receivedAt, properties: $0.properties)
                }
            }
            #expect(try log.append(batches).map(\.accepted) == batches.map(\.events.count))
        }
        #expect(try fixture.events() == expected)
    }

    /// A fold may be interrupted between any two steps, also by the end of the process.
    @Test func aFoldGoesOnWhereItWasCutShort() throws {
        var random = SeededRandom(seed: 8)
        for round in 0..<4 {
            let events = try (0..<3000).map { index in
                try event(
                    UInt64(round * 4000 + index), EventRegistry.events[Int.random(in: 0..<10, using: &random)].name,
                    user: Int.random(in: 0..<20_000, using: &random),
                    at: fixture.now.adding(milliseconds: -Int64.random(in: 0..<40 * 86_400_000, using: &random)))
            }
            let log = EventLog(context: fixture.context)
            _ = try log.append([EventBatch(events: events, rejected: [], receivedAt: fixture.now, byteCount: 0)])
            // The first steps fold 2,000 users; verification sees exactly those.
            _ = try log.foldStep()
            let partly = try FigureVerifier(context: fixture.context).verify()
            #expect(partly.differences == [])
            #expect(partly.eventCount + partly.waitingCount == 3000 * (round + 1))
            #expect(round == 0 ? partly.eventCount < 3000 && partly.eventCount > 0 : true)
        }
        try log.settle()
        let whole = try FigureVerifier(context: fixture.context).verify()
        #expect(whole.differences == [])
        #expect(whole.eventCount == 12_000)
    }

    /// Only on SQLite can the test detect a write.
    @Test(.enabled(if: TestDatabase.chosen == .sqlite, "about the file of an SQLite store"))
    func settlingCountsWhatWasAcceptedBeforeAndWritesNothingWhenAllIsCounted() throws {
        _ = try log.append([try EventBatch([try event(1, at: "2026-11-20T09:00:00Z")])])
        #expect(log.currentFigures.unfoldedEvents == 1)
        #expect(try InsightStore(context: fixture.context).dashboard().totalUsers.value?.text == "1")
        let before = try fixture.count("PRAGMA data_version")
        try log.settle()
        try EventLog(context: fixture.context).settle()
        #expect(try fixture.count("PRAGMA data_version") == before)
    }

    /// An import, for example, may hold the database for many seconds.
    @Test func aReaderDoesNotWaitForAnotherWriterForLong() throws {
        _ = try log.append([try EventBatch([try event(1, at: "2026-11-20T09:00:00Z")])])
        let other = try fixture.reopened()
        let (holds, mayEnd, ended) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        Thread {
            try? other.store.write { transaction in
                try transaction.enter(.figures)
                try transaction.execute("UPDATE figure_totals SET users = users")
                holds.signal()
                _ = mayEnd.wait(timeout: .now() + 60)
            }
            ended.signal()
        }.start()
        #expect(holds.wait(timeout: .now() + 60) == .success)
        let insights = InsightStore(context: fixture.context, log: log)
        let dashboard = try insights.dashboard()
        #expect(!dashboard.standing.isComplete)
        #expect(dashboard.totalUsers.value?.text == "0")
        mayEnd.signal()
        #expect(ended.wait(timeout: .now() + 60) == .success)
        #expect(try eventually(timeoutSeconds: 30) { try insights.dashboard().standing.isComplete })
        #expect(try insights.dashboard().totalUsers.value?.text == "1")
    }

    @Test func theOldestBlocksGoAndNothingElseDoes() throws {
        for day in 0..<10 {
            let at = fixture.now.adding(days: day - 10)
            let events = try (0..<3).map { try event(UInt64(day * 10 + $0), "app_opened", user: $0, at: at) }
            _ = try log.append([EventBatch(events: events, rejected: [], receivedAt: at, byteCount: 0)])
        }
        // Nothing is in the figures yet; purged events are folded first.
        #expect(try log.purge(before: fixture.now.adding(days: -5)) == 15)
        #expect(try fixture.events().count == 15)
        #expect(try fixture.events().allSatisfy { $0.receivedAt >= fixture.now.adding(days: -5) })
        #expect(try fixture.count("SELECT sum(event_count) FROM event_days") == 30)
        let verification = try FigureVerifier(context: fixture.context).verify()
        #expect(verification.differences == [])
        // After the clock is set back far, nothing in its future is purged.
        fixture.now = fixture.now.adding(days: -100)
        #expect(try log.purge(before: fixture.now.adding(days: -5)) == 0)
        // Purged events are still detected as duplicates.
        let again = try log.append([try EventBatch([try event(0, at: "2026-11-19T09:00:00Z")])])
        #expect(again.first?.duplicates == 1)
    }

    @Test func aDamagedBlockIsAnErrorAndNoCrash() throws {
        for damage in [
            "x''", "x'02'", "substr(events, 1, length(events) - 1)", "CAST(events || x'00' AS BLOB)",
            "x'01FFFFFFFFFFFFFFFFFFFFFF'",
        ] {
            let copy = try BackendFixture()
            _ = try EventLog(context: copy.context).append([try EventBatch([try event(1, at: "2026-11-20T09:00:00Z")])])
            try copy.execute("UPDATE event_blocks SET events = \(damage)")
            #expect(throws: EventBlockError.self, "\(damage)") { try copy.events() }
            #expect(throws: EventBlockError.self, "\(damage)") { try EventLog(context: copy.context).settle() }
        }
    }
}
