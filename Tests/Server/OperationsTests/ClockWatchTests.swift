import BackendTestKit
import ServerAccess
import SubGuardDomain
import TestKit
import Testing

@Suite struct ClockWatchTests {
    private let fixture: BackendFixture

    init() throws { fixture = try BackendFixture() }

    /// Runs a look of each minute. Returns after which of them the clock is believed.
    private func minutesBehind(_ minutes: Int, _ eachMinute: (Int) throws -> Void = { _ in }) throws -> Int? {
        let uptime = ManualClock(now: 0)
        let start = ContinuousClock.now
        let watch = ClockWatch(context: fixture.context) { start.advanced(by: .milliseconds(uptime.now)) }
        for minute in 0..<minutes {
            try eachMinute(minute)
            do {
                try watch.look()
                #expect(!watch.isBehind)
                return minute
            } catch is ClockWatchError {
                #expect(watch.isBehind)
            }
            uptime.advance(by: .seconds(60))
        }
        return nil
    }

    @Test(arguments: [(0, 0), (3, 0), (4, 60), (400, 60), (401, nil), (20_000, nil)] as [(Int, Int?)])
    func believesAClockThatNothingDisputes(_ daysBehind: Int, until minute: Int?) throws {
        #expect(try minutesBehind(1) == 0, "a new database")
        try PurgeClock(context: fixture.context).advance()
        fixture.now = fixture.now.adding(days: -daysBehind)
        #expect(try minutesBehind(200) == minute)
    }

    /// It notes the time each ten minutes.
    @Test func disputesAClockWhileAnotherServerHasTheTime() throws {
        let right = fixture.now
        let clock = PurgeClock(context: fixture.context)
        let minute = try minutesBehind(200) { minute in
            fixture.now = right.adding(seconds: Int64(minute) * 60)
            if minute % 10 == 0 { try clock.advance() }
            fixture.now = fixture.now.adding(days: -5)
        }
        #expect(minute == nil)
    }

    @Test func aClockThatIsSetIsRightAtOnce() throws {
        try PurgeClock(context: fixture.context).advance()
        let watch = ClockWatch(context: fixture.context)
        let right = fixture.now
        fixture.now = UTCInstant(secondsSinceEpoch: 0)
        let error = #expect(throws: ClockWatchError.self) { try watch.look() }
        #expect(try #require(error).description.contains("the clock, 1970-01-01T00:00:00Z, is behind"))
        fixture.now = right
        #expect(!watch.isBehind)
    }
}
