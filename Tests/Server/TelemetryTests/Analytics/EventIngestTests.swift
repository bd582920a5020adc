import BackendTestKit
import Dispatch
import EventLog
import SQLDatabase
import ServerAccess
import SubGuardDomain
import SubGuardSQL
import Synchronization
import Telemetry
import TestKit
import Testing

struct EventIngestTests {
    private let fixture: BackendFixture
    private let ingest: EventIngest

    init() throws {
        fixture = try BackendFixture()
        ingest = EventIngest(log: EventLog(context: fixture.context))
    }

    private func signup(of user: Int) throws -> String {
        try #require(try fixture.users().first { $0.hash == userHash(user) }).signupAt.rfc3339
    }

    @Test func countsAnEventOnceHoweverOftenItComes() async throws {
        let first = try await ingest.store([
            event(1, at: "2026-11-19T10:00:00Z"), event(2, at: "2026-11-19T10:00:01Z"),
            event(1, at: "2026-11-19T10:00:00Z"),
        ])
        #expect((first.accepted, first.duplicates) == (2, 1))
        let second = try await ingest.store([
            event(2, at: "2026-11-19T10:00:01Z"), event(3, at: "2026-11-19T10:00:02Z"),
            event(1, at: "2026-11-18T10:00:00Z"),
        ])
        #expect((second.accepted, second.duplicates) == (1, 2))
        #expect(try fixture.events().count == 3)
        #expect(try fixture.count("SELECT sum(event_count) FROM event_days") == 3)
        // The duplicate with an earlier timestamp changed nothing.
        #expect(try fixture.events().allSatisfy { $0.occurredAt >= (try instant("2026-11-19T10:00:00Z")) })
        #expect(try signup(of: 1) == "2026-11-19T10:00:00Z")
    }

    @Test func anIDThatAnotherUserHasTakenBringsNoUserIntoBeing() async throws {
        try await ingest.store([event(1, user: 1, at: "2026-11-19T10:00:00Z")])
        let receipt = try await ingest.store([event(1, "app_downloaded", user: 2, at: "2026-11-19T10:00:00Z")])
        #expect(receipt.duplicates == 1)
        #expect(try fixture.users().count == 1)
        let inOneBatch = try await ingest.store([
            event(7, user: 3, at: "2026-11-19T10:00:00Z"), event(7, user: 4, at: "2026-11-19T10:00:00Z"),
        ])
        #expect((inOneBatch.accepted, inOneBatch.duplicates) == (1, 1))
        #expect(try fixture.users().count == 2)
    }

    @Test func aLateEventMovesTheSignupUntilTheDownloadSettlesIt() async throws {
        try await ingest.store([event(1, at: "2026-11-10T10:00:00Z")])
        #expect(try signup(of: 1) == "2026-11-10T10:00:00Z")
        try await ingest.store([event(2, "subscription_added", at: "2025-12-31T23:59:59.999Z")])
        #expect(try signup(of: 1) == "2025-12-31T23:59:59.999Z")
        try await ingest.store([event(3, "app_downloaded", at: "2026-02-28T12:00:00Z")])
        #expect(try signup(of: 1) == "2026-02-28T12:00:00Z")
        // Earlier events no longer change it; an earlier download does.
        try await ingest.store([event(4, at: "2025-12-30T00:00:00Z")])
        #expect(try signup(of: 1) == "2026-02-28T12:00:00Z")
        try await ingest.store([event(5, "app_downloaded", at: "2026-01-01T00:00:00Z")])
        try await ingest.store([event(6, "app_downloaded", at: "2026-03-01T00:00:00Z")])
        #expect(try signup(of: 1) == "2026-01-01T00:00:00Z")
        #expect(try fixture.users().count == 1)
    }

    @Test func theOrderOfArrivalMakesNoDifference() async throws {
        var events = [
            try event(1, "app_opened", at: "2026-11-01T00:00:00Z"),
            try event(2, "app_downloaded", at: "2026-11-02T00:00:00Z"),
            try event(3, "retention_d1", at: "2026-11-03T00:00:00Z"),
            try event(4, "retention_d1", at: "2026-11-04T00:00:00Z"),
            try event(5, "premium_conversion", at: "2026-11-05T00:00:00Z", properties: "{\"price_tier\":\"pro\"}"),
        ]
        try await ingest.store(events)
        let expected = try fixture.users()
        var generator = SeededRandom(seed: 5)
        for round in 1...10 {
            let fixture = try BackendFixture()
            let ingest = EventIngest(log: EventLog(context: fixture.context))
            events.shuffle(using: &generator)
            if round.isMultiple(of: 2) {
                for event in events { try await ingest.store([event]) }
            } else {
                try await ingest.store(events)
            }
            #expect(try fixture.users() == expected)
        }
    }

    @Test func marksEveryMilestoneOfTheRegistryOnce() async throws {
        let milestones = EventRegistry.events.filter(\.countsOncePerUser)
        #expect(milestones.count == 7)
        for (index, milestone) in milestones.enumerated() {
            try await ingest.store([
                try event(UInt64(2 * index), milestone.name, at: "2024-02-29T12:00:00Z"),
                try event(UInt64(2 * index + 1), milestone.name, at: "2024-02-29T11:59:59.999Z"),
            ])
            let marks = try fixture.users().map { $0.marks[milestone.name]?.rfc3339 }
            #expect(marks == ["2024-02-29T11:59:59.999Z"])
        }
        let user = try #require(try fixture.users().first)
        #expect(Set(user.marks.keys) == Set(milestones.map(\.name)))
    }

    @Test func keepsDailyTotalsByTheDayInUTC() async throws {
        try await ingest.store([
            event(1, at: "2024-02-29T00:00:00Z"), event(2, at: "2024-02-29T23:59:59.999Z"),
            event(3, at: "2024-03-01T00:00:00Z"), event(4, "subscription_added", at: "2024-02-29T12:00:00Z"),
        ])
        try await ingest.store([event(5, user: 2, at: "2024-02-29T12:00:00Z")])
        let days = try fixture.texts(
            """
            SELECT n.name || ' ' || d.day_number || ' ' || d.event_count
            FROM event_days d JOIN event_names n ON n.id = d.event_name_id ORDER BY 1
            """)
        #expect(days == ["app_opened 19782 3", "app_opened 19783 1", "subscription_added 19782 1"])
    }

    @Test func storesWhatTheEventCarried() async throws {
        try await ingest.store([
            event(1, "premium_conversion", at: "2026-11-19T10:00:00.007Z", properties: "{\"price_tier\":\"a'b\"}")
        ])
        let stored = try #require(try fixture.events().first)
        #expect(stored.properties == Array("{\"price_tier\":\"a'b\"}".utf8))
        #expect(stored.occurredAt.milliseconds(until: stored.receivedAt) == 86_399_993)
        #expect((stored.id, stored.name, stored.userID) == (makeID(1), "premium_conversion", userHash(1)))
    }

    @Test func aStartCountsWhatTheLastProcessLeft() throws {
        _ = try EventLog(context: fixture.context).append([try EventBatch([try event(1, at: "2026-11-19T10:00:00Z")])])
        #expect(try fixture.storedUsers().isEmpty)
        ingest.start()
        #expect(try eventually(timeoutSeconds: 30) { try fixture.storedUsers().count == 1 })
        ingest.drain()
    }

    /// Each fold writes the pages of all its users, so upkeep that lasts must not set its pace.
    @Test func countingKeepsItsPauseWhileTheIDsNeedUpkeep() async throws {
        var shape = EventIDIndexShape()
        (shape.runSize, shape.segmentSize, shape.fanOut) = (40, 40, 2)
        let folds = Mutex(0)
        let log = EventLog(
            store: fixture.store, now: fixture.context.now, makeRandomBytes: { Array(repeating: 7, count: $0) },
            shape: shape, rename: { _, _ in [] }
        ) { _, _, _, _ in
            EventLog.Counted(pages: 0) { isLast, _ in if isLast { folds.withLock { $0 += 1 } } }
        }
        let ingest = EventIngest(log: log)
        let begun = ContinuousClock.now
        for round in 0..<UInt64(120) {
            try await ingest.store(
                try (0..<20).map { try event(20 * round + $0, at: "2026-11-19T10:00:00Z") })
            try await Task.sleep(for: .milliseconds(8))
        }
        let pauses = begun.duration(to: .now) / .milliseconds(500)
        ingest.drain()
        #expect((1...Int(pauses) + 2).contains(folds.withLock { $0 }))
    }

    @Test func waitingEventsAreNotLostWhenTheIngestStops() throws {
        for number in 0..<UInt64(20) {
            ingest.submit(try EventBatch([try event(number, at: "2026-11-19T10:00:00Z")])) { _ in }
        }
        ingest.drain()
        #expect(ingest.counters.accepted == 20)
        #expect(try fixture.events().count == 20)
    }

    @Test func answersABatchWithoutAValidEventAtOnce() async throws {
        let rejected = [RejectedEvent(index: 0, code: .unknownEvent, detail: "x")]
        let receipt = try await ingest.store(try EventBatch([], rejected: rejected))
        #expect(receipt.rejected == rejected)
        #expect(ingest.counters.commits == 0)
        #expect(ingest.counters.rejectedByCode == [.unknownEvent: 1])
        #expect(ingest.counters.batches == 1)
    }

    @Test func aStoreThatFailsIsReportedAndCountedAndLosesNothingElse() async throws {
        try await ingest.store([event(1, at: "2026-11-19T10:00:00Z")])
        try fixture.store.close()
        await #expect(throws: SQLError.self) {
            try await ingest.store([try event(2, at: "2026-11-19T10:00:00Z")])
        }
        let counters = ingest.counters
        #expect((counters.accepted, counters.batches, counters.failedBatches) == (1, 2, 1))
        #expect(counters.waitingEvents == 0)
    }
}
