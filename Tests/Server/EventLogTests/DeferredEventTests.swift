import BackendTestKit
import EventLog
import Foundation
import SQLDatabase
import ServerAccess
import SubGuardDomain
import Telemetry
import TestKit
import Testing

/// Events dated ahead by fast clocks.
struct DeferredEventTests {
    private let fixture: BackendFixture
    private let log: EventLog
    private let insights: InsightStore

    init() throws {
        fixture = try BackendFixture()
        log = EventLog(context: fixture.context)
        insights = InsightStore(context: fixture.context, log: log)
    }

    private func append(_ number: Int, _ name: String = "app_downloaded", user: Int, inSeconds seconds: Int64) throws {
        let event = try event(UInt64(number), name, user: user, at: fixture.now.adding(seconds: seconds))
        _ = try log.append([EventBatch(events: [event], rejected: [], receivedAt: fixture.now, byteCount: 0)])
    }

    private func deferred() throws -> Int64 { try fixture.count("SELECT count(*) FROM deferred_events") }

    private func expect(users: Int, _ sourceLocation: SourceLocation = #_sourceLocation) throws {
        let dashboard = try insights.dashboard()
        #expect(dashboard.standing.isComplete, sourceLocation: sourceLocation)
        #expect(dashboard.totalUsers.value?.text == "\(users)", sourceLocation: sourceLocation)
        #expect(
            try FigureVerifier(context: fixture.context).verify().differences == [], sourceLocation: sourceLocation)
    }

    @Test func countInTheirMillisecond() throws {
        for number in 1...1100 {
            let event = try event(
                UInt64(number), "app_downloaded", user: number,
                at: fixture.now.adding(milliseconds: 3_600_000 + Int64(number)))
            _ = try log.append([EventBatch(events: [event], rejected: [], receivedAt: fixture.now, byteCount: 0)])
        }
        #expect(try deferred() == 1100)
        #expect(try fixture.users().isEmpty)
        try expect(users: 0)
        fixture.now = fixture.now.adding(milliseconds: 3_600_000 + 7)
        try expect(users: 7)
        #expect(try deferred() == 1093)
        fixture.now = fixture.now.adding(days: 1)
        try expect(users: 1100)
        #expect(try deferred() == 0)
    }

    @Test func countAtOnceUpToTheMomentBeforeTheClockWasSetBack() throws {
        try append(1, user: 1, inSeconds: -60)
        try expect(users: 1)
        fixture.now = fixture.now.adding(seconds: -7200)
        try append(2, user: 2, inSeconds: 7200)
        try append(3, user: 3, inSeconds: 7201)
        try log.settle()
        #expect(try fixture.users().count == 2)
        #expect(try deferred() == 1)
        fixture.now = fixture.now.adding(seconds: 7201)
        try expect(users: 3)
    }

    /// Otherwise a reader would wait for what becomes due while it waits.
    @Test func figuresAreCompleteWhileEventsBecomeDueAllTheTime() throws {
        for number in 1...50 { try append(number, user: number, inSeconds: Int64(number)) }
        try log.settle()
        // At each look at the clock another event is due.
        let fixture = fixture
        let context = BackendContext(
            store: fixture.store,
            now: {
                fixture.now = fixture.now.adding(seconds: 1)
                return fixture.now
            }, random: { 1 })
        let hasty = InsightStore(context: context)
        for _ in 0..<3 { #expect(try hasty.dashboard().standing.isComplete) }
        #expect(try deferred() > 10)
    }

    /// A new hash reaches events that wait, whose user may not be stored yet.
    @Test func becomeAnonymous() throws {
        try append(1, user: 1, inSeconds: 60)
        try append(2, user: 2, inSeconds: -60)
        try append(3, "subscription_added", user: 2, inSeconds: 120)
        try log.settle()
        for user in [1, 2] { try log.requestErasure(of: userHash(user)) }
        while try log.takeErasureStep() {}
        #expect(try fixture.count("SELECT count(*) FROM analytics_erasures") == 0)
        fixture.now = fixture.now.adding(seconds: 120)
        try expect(users: 2)
        #expect(try Set(fixture.events().map(\.userID)).isDisjoint(with: [userHash(1), userHash(2)]))
        #expect(try insights.dashboard().subscriptionsTracked.value?.text == "1")
    }

    @Test func areDiscardedWithTheirBlocks() throws {
        let start = fixture.now
        try append(1, user: 1, inSeconds: 60)
        // Two that are alike but for their ids; one was received before.
        try append(2, user: 2, inSeconds: 60)
        try log.settle()
        fixture.now = fixture.now.adding(seconds: 1)
        try append(3, user: 2, inSeconds: 59)
        try append(4, user: 3, inSeconds: 59)
        try log.settle()
        #expect(try deferred() == 4)
        let discarder = EventDiscarder(log: log)
        try discarder.begin(
            DiscardSelection(receivedFrom: start.adding(seconds: 1), receivedBefore: start.adding(seconds: 2)),
            by: .editor)
        while try discarder.takeStep() {}
        #expect(try deferred() == 2)
        fixture.now = fixture.now.adding(seconds: 59)
        try expect(users: 2)
    }

    /// A rebuild lists their blocks, and the next fold copies them.
    @Test func thoseThatARebuildLeftOutCountToo() throws {
        for number in 1...3 { try append(number, user: number, inSeconds: Int64(number) * 60) }
        fixture.now = fixture.now.adding(seconds: 60)
        try log.settle()
        let due = fixture.now.adding(seconds: 60)
        for block in [2, 3] {
            try fixture.execute(
                """
                INSERT INTO deferred_blocks (block_id, counted_until, next_at)
                VALUES (\(block), \(fixture.now.millisecondsSinceEpoch), \(due.millisecondsSinceEpoch))
                """)
        }
        try fixture.execute("DELETE FROM deferred_events")
        try expect(users: 1)
        #expect(try deferred() == 2)
        #expect(try fixture.count("SELECT count(*) FROM deferred_blocks") == 0)
        fixture.now = due
        try expect(users: 2)
        fixture.now = fixture.now.adding(days: 1)
        try expect(users: 3)
    }

    /// A fold takes at most so many, except those of the same millisecond.
    @Test func aFoldTakesAsManyAsFitIntoMemory() throws {
        for (number, seconds) in [60, 60, 61, 62].enumerated() {
            try append(number, user: number, inSeconds: Int64(seconds))
        }
        try log.settle()
        let now = fixture.now
        func bound(most: Int) throws -> Int64 {
            try fixture.store.read { session in
                let until = try DeferredEvents.bound(until: now.adding(seconds: 100), most: most, in: session)
                return until.millisecondsSinceEpoch - now.millisecondsSinceEpoch
            }
        }
        #expect(try bound(most: 4) == 100_000)
        #expect(try bound(most: 3) == 61_999)
        #expect(try bound(most: 2) == 60_999)
        #expect(try bound(most: 1) == 60_000)
    }
}
