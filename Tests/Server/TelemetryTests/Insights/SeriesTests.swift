import BackendTestKit
import EventLog
import ServerAccess
import SubGuardDomain
import Telemetry
import TestKit
import Testing

struct SeriesTests {
    private let fixture: BackendFixture
    private let ingest: EventIngest
    private let insights: InsightStore

    init() throws {
        fixture = try BackendFixture(now: "2024-03-01T10:00:00Z")
        ingest = EventIngest(log: EventLog(context: fixture.context))
        insights = InsightStore(context: fixture.context)
    }

    private func day(_ text: String) throws -> CalendarDay { try #require(CalendarDay(iso: text)) }

    private func series(
        _ name: String, from: String? = nil, to: String? = nil, step: SeriesStep = .day
    ) throws -> Series {
        let figure = try #require(SeriesFigure(rawValue: name))
        return try insights.series(of: figure, from: try from.map(day), to: try to.map(day), step: step)
    }

    private func texts(
        _ name: String, from: String? = nil, to: String? = nil, step: SeriesStep = .day
    ) throws -> [String] {
        try series(name, from: from, to: to, step: step).texts
    }

    private func expectClean(_ sourceLocation: SourceLocation = #_sourceLocation) throws {
        let result = try FigureVerifier(context: fixture.context).verify()
        #expect(result.differences == [], sourceLocation: sourceLocation)
    }

    @Test func haveAPointForEveryDayAlsoTheTwentyNinthOfFebruary() async throws {
        try await ingest.store([
            event(1, "app_downloaded", user: 1, at: "2024-02-28T23:59:59.999Z"),
            event(2, "app_downloaded", user: 2, at: "2024-02-29T00:00:00Z"),
            event(3, "app_downloaded", user: 3, at: "2024-02-29T23:59:59.999Z"),
            event(4, "app_downloaded", user: 4, at: "2024-03-01T00:00:00Z"),
            event(5, "first_subscription_added", user: 2, at: "2024-03-01T09:00:00Z"),
        ])
        #expect(
            try texts("downloads", from: "2024-02-27", to: "2024-03-02") == [
                "2024-02-27 0", "2024-02-28 1", "2024-02-29 2", "2024-03-01 1 …", "2024-03-02 - …",
            ])
        #expect(try texts("first_subscription", from: "2024-02-29") == ["2024-02-29 1", "2024-03-01 0 …"])
        #expect(
            try texts("users", from: "2024-01-31", to: "2024-03-31", step: .month) == [
                "2024-01-01 0", "2024-02-01 3", "2024-03-01 1 …",
            ])
        #expect(try series("users").points.count == 31)
        let weeks = try series("users", step: .week)
        #expect(weeks.points.count == 13 && weeks.range.from.iso == "2023-12-08")
        #expect(try texts("users", to: "2024-02-29", step: .month).first == "2023-02-01 0")
        #expect(try series("users", to: "2024-02-29", step: .month).range.from.iso == "2023-02-28")
    }

    @Test func sumWholeWeeksAlsoTheFiftyThird() async throws {
        fixture.now = try instant("2021-01-04T00:00:00Z")
        try await ingest.store([
            event(1, "subscription_added", user: 1, at: "2020-12-27T23:59:59.999Z"),
            event(2, "subscription_added", user: 1, at: "2020-12-28T00:00:00Z"),
            event(3, "subscription_added", user: 2, at: "2021-01-03T23:59:59.999Z"),
            event(4, "subscription_added", user: 2, at: "2021-01-04T00:00:00Z"),
            event(5, "subscription_removed", user: 2, at: "2021-01-01T00:00:00Z"),
        ])
        let weeks = ["2020-12-21 1", "2020-12-28 2", "2021-01-04 1 …"]
        #expect(try texts("subscriptions_added", from: "2020-12-27", to: "2021-01-04", step: .week) == weeks)
        #expect(try texts("events.subscription_added", from: "2020-12-21", to: "2021-01-10", step: .week) == weeks)
        #expect(
            try texts("subscriptions_removed", from: "2020-12-31", step: .month) == ["2020-12-01 0", "2021-01-01 1 …"])
        // The last day of the week, and today.
        #expect(
            try texts("active_7d", from: "2020-12-27", step: .week) == [
                "2020-12-21 1", "2020-12-28 2", "2021-01-04 1 …",
            ])
        #expect(
            try texts("active_1d", from: "2020-12-27", step: .week) == [
                "2020-12-21 1", "2020-12-28 1", "2021-01-04 1 …",
            ])
    }

    @Test func countAUserOnceInEachWindow() async throws {
        try await ingest.store([
            event(1, user: 1, at: "2024-01-01T12:00:00Z"), event(2, user: 1, at: "2024-01-01T13:00:00Z"),
            event(3, user: 1, at: "2024-01-04T00:00:00Z"), event(4, user: 2, at: "2024-01-30T23:59:59.999Z"),
            event(5, user: 1, at: "2024-02-02T00:00:00Z"),
        ])
        func value(_ figure: String, _ day: String) throws -> String? {
            try series(figure, from: day, to: day).points.first?.value?.text
        }
        #expect(try value("active_1d", "2024-01-01") == "1")
        #expect(try value("active_7d", "2024-01-07") == "1")
        #expect(try value("active_7d", "2024-01-10") == "1")
        #expect(try value("active_7d", "2024-01-11") == "0")
        #expect(try value("active_28d", "2024-01-31") == "2")
        #expect(try value("active_28d", "2024-02-01") == "1")
        #expect(try value("active_30d", "2024-02-02") == "2")
        #expect(try value("active_30d", "2024-02-28") == "2")
        #expect(try value("active_30d", "2024-02-29") == "1")
        #expect(try value("active_30d", "2024-03-01") == "1")
        try expectClean()
    }

    @Test func countLateEventsOnTheirDayAndEarlyOnesOnceTheirMomentHasCome() async throws {
        try await ingest.store([
            event(1, user: 1, at: "2024-03-01T08:00:00Z"), event(2, user: 1, at: "2024-03-02T09:00:00Z"),
        ])
        #expect(
            try texts("events.app_opened", from: "2024-03-01", to: "2024-03-02") == [
                "2024-03-01 1 …", "2024-03-02 - …",
            ])
        try await ingest.store([
            event(3, user: 1, at: "2023-01-27T00:00:00Z"), event(4, user: 1, at: "2023-02-01T00:00:00Z"),
        ])
        #expect(
            try texts("active_7d", from: "2023-02-06", to: "2023-02-08") == [
                "2023-02-06 1", "2023-02-07 1", "2023-02-08 0",
            ])
        #expect(try texts("users", from: "2023-01-27", to: "2023-01-27") == ["2023-01-27 1"])
        fixture.now = try instant("2024-03-02T08:59:59.999Z")
        #expect(try texts("active_1d", from: "2024-03-01") == ["2024-03-01 1", "2024-03-02 0 …"])
        fixture.now = try instant("2024-03-02T09:00:00Z")
        #expect(try texts("active_1d", from: "2024-03-01") == ["2024-03-01 1", "2024-03-02 1 …"])
        // The clock is set back: the day has not begun again.
        fixture.now = try instant("2024-03-01T23:00:00Z")
        #expect(try texts("active_1d", from: "2024-03-01", to: "2024-03-02") == ["2024-03-01 1 …", "2024-03-02 - …"])
        #expect(try texts("events.app_opened", from: "2024-03-01", step: .month) == ["2024-03-01 1 …"])
        try expectClean()
    }

    /// Days of users who come often take a bit each.
    @Test func rememberTheDaysOfOnesWhoComeDaily() async throws {
        let start = try instant("2023-02-01T12:00:00Z")
        fixture.now = start.adding(days: 390)
        for part in 0..<39 {
            try await ingest.store(
                try (0..<10).map { number in
                    let day = part * 10 + number
                    // Every day but each ninth, of one user; the other comes each ninth.
                    return try event(
                        UInt64(day), "app_opened", user: day.isMultiple(of: 9) ? 2 : 1, at: start.adding(days: day))
                })
        }
        #expect(
            try series("active_7d", from: "2023-03-01", to: "2024-02-25").points.allSatisfy {
                $0.value == .count(2) || $0.value == .count(1)
            })
        try expectClean()
        // The days between arrive late, in any order.
        for day in [378, 9, 369, 18, 207] {
            try await ingest.store([try event(UInt64(1000 + day), "app_opened", user: 1, at: start.adding(days: day))])
            try await ingest.store([try event(UInt64(2000 + day), "app_opened", user: 1, at: start.adding(days: day))])
        }
        let late = start.adding(days: 207).day.iso
        #expect(try texts("active_1d", from: late, to: late) == ["\(late) 2"])
        try expectClean()
    }

    @Test func nameTheBoundOfAWrongRange() throws {
        func pointer(_ from: String?, _ to: String?, _ step: SeriesStep) throws -> String? {
            do {
                _ = try series("users", from: from, to: to, step: step)
                return nil
            } catch BackendError.invalid(let faults) {
                return faults.first?.pointer
            }
        }
        #expect(try pointer("2024-03-02", "2024-03-01", .day) == "to")
        #expect(try pointer("2024-03-02", nil, .day) == "from")
        #expect(try pointer("2021-02-24", "2024-02-29", .day) == "from")
        #expect(try pointer("2021-02-25", "2024-02-29", .day) == nil)
        #expect(try pointer("0001-01-01", "9999-12-31", .month) == "from")
        #expect(try pointer("1932-08-01", "2024-03-31", .month) == nil)
        #expect(try pointer("1932-07-31", "2024-03-31", .month) == "from")
        #expect(try pointer("9999-12-31", "9999-12-31", .week) == nil)
        #expect(try pointer("0001-01-01", "0001-01-01", .week) == nil)
    }

    @Test func haveAPointAtTheEndsOfTheCalendar() throws {
        #expect(try texts("users", from: "0001-01-01", to: "0001-01-02") == ["0001-01-01 0", "0001-01-02 0"])
        #expect(try texts("active_1d", from: "9999-12-01", to: "9999-12-31", step: .month) == ["9999-12-01 - …"])
        #expect(try texts("crash_free_sessions", from: "0001-01-01", to: "0001-01-01", step: .week) == ["0001-01-01 -"])
    }
}

/// The crash-free rate by day.
struct SessionSeriesTests {
    private let fixture: BackendFixture
    private let store: CrashStore

    init() throws {
        fixture = try BackendFixture(now: "2024-02-29T22:30:00Z")
        store = CrashStore(context: fixture.context)
    }

    private func record(_ sessions: Int64, crashed: Int64, at: String, release: String = "1.0") throws {
        var submission = CrashSubmission()
        submission.counts = [
            SessionCount(
                id: nil, startedAt: try instant(at), release: release,
                tally: SessionTally(sessions: sessions, crashed: crashed))
        ]
        #expect(try store.record(submission, receivedAt: fixture.now).sessions == sessions)
    }

    private func texts(_ step: SeriesStep = .day) throws -> [String] {
        let figure = try #require(SeriesFigure(rawValue: "crash_free_sessions"))
        let from = try #require(CalendarDay(iso: "2024-02-26"))
        return try InsightStore(context: fixture.context).series(
            of: figure, from: from, to: CalendarDay(iso: "2024-03-01"), step: step
        ).texts
    }

    @Test func staysWhenTheHoursArePurged() throws {
        try record(8, crashed: 1, at: "2024-02-28T23:59:59Z")
        try record(4, crashed: 1, at: "2024-02-29T00:00:00Z")
        try record(4, crashed: 3, at: "2024-02-29T21:00:00Z", release: "2.0")
        let days = ["2024-02-26 -", "2024-02-27 -", "2024-02-28 87.5", "2024-02-29 50.0 …", "2024-03-01 - …"]
        #expect(try texts() == days)
        #expect(try texts(.week) == ["2024-02-26 68.8 …"])
        for limit in ["2024-02-28T23:00:00Z", "2024-02-29T00:00:00Z", "2024-02-29T01:00:00Z", "2024-03-01T00:00:00Z"] {
            try store.purge(before: try instant(limit))
            #expect(try texts() == days, "\(limit)")
        }
        #expect(try fixture.count("SELECT count(*) FROM session_hours") == 0)
        // Late sessions of a purged hour are added.
        try record(8, crashed: 0, at: "2024-02-28T23:00:00Z")
        #expect(try texts()[2] == "2024-02-28 93.8")
        try store.purge(before: try instant("2024-03-01T00:00:00Z"))
        #expect(try texts()[2] == "2024-02-28 93.8")
        #expect(try fixture.count("SELECT count(*) FROM session_days") == 2)
    }

    @Test func countsSessionsDatedAheadOnceTheirHourHasCome() throws {
        try record(1, crashed: 1, at: "2024-02-29T22:00:00Z")
        try record(3, crashed: 0, at: "2024-02-29T23:00:00Z")
        #expect(try texts()[3] == "2024-02-29 0.0 …")
        fixture.now = try instant("2024-02-29T23:00:00Z")
        #expect(try texts()[3] == "2024-02-29 75.0 …")
        fixture.now = try instant("2024-03-01T00:00:00Z")
        #expect(try texts()[3] == "2024-02-29 75.0")
    }
}
