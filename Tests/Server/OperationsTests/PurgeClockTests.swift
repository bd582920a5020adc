import BackendTestKit
import EventLog
import Operations
import ServerAccess
import SubGuardDomain
import Synchronization
import Telemetry
import Testing

@Suite struct PurgeClockTests {
    private let fixture: BackendFixture

    init() throws { fixture = try BackendFixture() }

    /// A clock that nobody sets.
    private final class Uptime: Sendable {
        private let passed = Mutex(Duration.zero)
        private let start = ContinuousClock.now
        var now: ContinuousClock.Instant { start.advanced(by: passed.withLock { $0 }) }
        func pass(seconds: Int64) { passed.withLock { $0 += .seconds(seconds) } }
    }

    @Test func letsPurgesRunWhileTheClockGoesOn() throws {
        let clock = PurgeClock(context: fixture.context)
        #expect(try clock.allowsPurges(), "a new database")
        for _ in 0..<5 {
            try clock.advance()
            fixture.now = fixture.now.adding(days: 2)
            #expect(try clock.allowsPurges())
        }
        fixture.now = fixture.now.adding(days: -400)
        #expect(try clock.allowsPurges(), "a clock that is behind deletes less")
        try clock.advance()
        fixture.now = fixture.now.adding(days: 400)
        #expect(try clock.allowsPurges(), "it has not moved the time back")
    }

    /// Else events of the present would count by the day only, and users would seem away.
    @Test(arguments: [50, 100]) func figuresStayTrueWhileTheClockRunsAhead(_ daysAhead: Int) throws {
        let right = fixture.now
        try PurgeClock(context: fixture.context).advance()
        let log = EventLog(context: fixture.context)
        func send(_ first: UInt64, at instant: UTCInstant) throws {
            let events = try (0..<10).map { user in
                try event(first + UInt64(user), "app_opened", user: user, at: instant)
            }
            _ = try log.append([try EventBatch(events)])
            try log.settle()
        }
        try send(0, at: right.adding(days: -10))
        fixture.now = right.adding(days: daysAhead)
        // Devices have the right time.
        try send(100, at: right)
        fixture.now = right.adding(seconds: 60)
        try send(200, at: right.adding(seconds: 30))
        #expect(try FigureVerifier(context: fixture.context).verify().differences == [])
    }

    @Test func holdsPurgesBackWhileTheClockIsFarAhead() throws {
        let uptime = Uptime()
        let clock = PurgeClock(context: fixture.context) { uptime.now }
        try clock.advance()
        fixture.now = fixture.now.adding(days: 91)
        for _ in 0..<1000 {
            #expect(try !clock.allowsPurges())
            #expect(throws: PurgeClockError.self) { try clock.advance() }
        }
        // Restarting does not move it either.
        let restarted = PurgeClock(context: fixture.context) { uptime.now }
        #expect(throws: PurgeClockError.self) { try restarted.advance() }
        #expect(try !restarted.allowsPurges())
    }

    @Test func followsAClockThatStaysAheadByADayAnHour() throws {
        let uptime = Uptime()
        let clock = PurgeClock(context: fixture.context) { uptime.now }
        try clock.advance()
        fixture.now = fixture.now.adding(days: 91)
        var minutes = 0
        while try !clock.allowsPurges() {
            #expect(throws: PurgeClockError.self) { try clock.advance() }
            uptime.pass(seconds: 600)
            minutes += 10
        }
        #expect((89 * 60...100 * 70).contains(minutes))
        try clock.advance()
    }

    @Test func aServerWithARightClockKeepsAWrongOneFromPurging() throws {
        let wrong = try fixture.reopened()
        wrong.now = fixture.now.adding(days: 91)
        let uptime = Uptime()
        let clocks = (
            right: PurgeClock(context: fixture.context), wrong: PurgeClock(context: wrong.context) { uptime.now }
        )
        try clocks.right.advance()
        for _ in 0..<500 {
            #expect(throws: PurgeClockError.self) { try clocks.wrong.advance() }
            #expect(try !clocks.wrong.allowsPurges())
            #expect(try clocks.right.allowsPurges())
            try clocks.right.advance()
            fixture.now = fixture.now.adding(seconds: 600)
            wrong.now = wrong.now.adding(seconds: 600)
            uptime.pass(seconds: 600)
        }
    }

    /// A clock that was ahead, by no more than it may be, or alone for two hours, has moved the time past the right
    /// one, which cannot move it for days.
    @Test func aServerWithARightClockHoldsTheTimeThatAnotherHasMovedAhead() throws {
        let wrong = try fixture.reopened()
        let uptime = Uptime()
        let clocks = (
            right: PurgeClock(context: fixture.context), wrong: PurgeClock(context: wrong.context) { uptime.now }
        )
        wrong.now = fixture.now.adding(days: 2)
        try clocks.wrong.advance()
        wrong.now = fixture.now.adding(days: 91)
        for _ in 0..<12 {
            #expect(throws: PurgeClockError.self) { try clocks.wrong.advance() }
            uptime.pass(seconds: 600)
        }
        for _ in 0..<1000 {
            try clocks.right.advance()
            #expect(throws: PurgeClockError.self) { try clocks.wrong.advance() }
            #expect(try !clocks.wrong.allowsPurges())
            uptime.pass(seconds: 600)
        }
    }

    /// The databases of earlier versions know when the last purge ran.
    @Test func beginsWithTheLastPurge() throws {
        try RetentionLog(context: fixture.context).note("crash_groups", removed: 3)
        fixture.now = fixture.now.adding(days: 3)
        let clock = PurgeClock(context: fixture.context)
        #expect(try !clock.allowsPurges())
        #expect(throws: PurgeClockError.self) { try clock.advance() }
    }
}
