import BackendTestKit
import EventLog
import Foundation
import SQLDatabase
import ServerAccess
import SubGuardDomain
import Telemetry
import Testing

struct AlertRulePreviewTests {
    private let fixture: BackendFixture
    private let alerts: AlertStore

    init() throws {
        fixture = try BackendFixture(now: "2026-10-01T12:00:00Z")
        alerts = fixture.alerts(.webhook)
    }

    private func draft(
        _ figure: AlertFigure, _ comparison: AlertComparison, _ value: String, _ window: String?, sample: Int64 = 0
    ) throws -> AlertRuleDraft {
        AlertRuleDraft(
            name: "\(figure.rawValue) \(comparison.rawValue) \(window ?? "")", figure: figure, comparison: comparison,
            value: try #require(AlertValue(value)), window: try window.map { try #require(AlertWindow($0)) },
            minimumSample: sample)
    }

    private func addSessions(_ count: Int64, crashed: Int64) throws {
        let hour = fixture.now.secondsSinceEpoch / 3600
        try fixture.store.write { transaction in
            _ = try transaction.execute(
                """
                INSERT INTO session_hours
                    (hour_number, release_id, session_count, crashed_count, abnormal_count, errored_count)
                VALUES (?, 1, ?, ?, 0, 0)
                """, [.integer(hour), .integer(count), .integer(crashed)])
        }
    }

    /// What the evaluation found at the end of each day is what the preview says about that day.
    @Test func agreesWithTheEvaluation() async throws {
        let drafts = [
            try draft(.users, .below, "3", "1d", sample: 4), try draft(.users, .risesBy, "50", "2d"),
            try draft(.activeUsers, .above, "5", "7d"), try draft(.activeUsers, .fallsBy, "20", "7d", sample: 2),
            try draft(.activeUsers, .above, "8", "30d"), try draft(.downloads, .above, "1", "24h"),
            try draft(.conversions, .above, "0", "3d"), try draft(.crashFreeSessions, .below, "99", "1d", sample: 100),
            try draft(.crashFreeSessions, .below, "98.5", "7d"),
        ]
        let rules = try drafts.map { try alerts.insertRule($0, by: .editor) }
        let ingest = EventIngest(log: EventLog(context: fixture.context))
        var found: [UUID: [AlertRule.Current]] = [:]
        var number: UInt64 = 1
        let start = try #require(CalendarDay(iso: "2026-10-01"))
        for day in 0..<12 {
            fixture.now = UTCInstant(startOf: start.adding(days: day)).adding(seconds: 43_200)
            var events: [AnalyticsEvent] = []
            for user in (day * 2)..<(day * 2 + [5, 1, 3][day % 3]) {
                let name = ["app_downloaded", "app_opened", "premium_conversion"][user % 3]
                events.append(try event(number, name, user: user / 2, at: fixture.now, properties: nil))
                number += 1
            }
            _ = try await ingest.store(try EventBatch(events, receivedAt: fixture.now.rfc3339))
            try addSessions(200, crashed: [0, 4, 1, 0][day % 4])
            fixture.now = UTCInstant(startOf: start.adding(days: day + 1)).adding(milliseconds: -1)
            try fixture.evaluator(alerts).run()
            for rule in rules {
                let current = try #require(try alerts.rule(rule.id)).current
                #expect(current.evaluatedAt == fixture.now)
                found[rule.id, default: []].append(current)
            }
        }
        fixture.now = fixture.now.adding(seconds: 3600)
        // Hours that are purged count by their days.
        try CrashStore(context: fixture.context).purge(before: try instant("2026-10-08T00:00:00Z"))
        #expect(try fixture.count("SELECT count(*) FROM session_days") == 7)
        for rule in rules {
            let preview = try fixture.evaluator(alerts).preview(rule.draft)
            let past = preview.points.dropLast()
            let expected = try #require(found[rule.id])
            #expect(preview.step == .day && preview.hasPast)
            #expect(past.map(\.at) == expected.map(\.evaluatedAt), "\(rule.draft.name)")
            #expect(past.map(\.value) == expected.map(\.value), "\(rule.draft.name)")
            #expect(past.map(\.sample) == expected.map(\.sample), "\(rule.draft.name)")
            #expect(past.map(\.state) == expected.map(\.state), "\(rule.draft.name)")
            #expect(preview.points.last?.at == fixture.now)
        }
        // The messages are those that were sent.
        let sent = try alerts.overview(after: nil, limit: 200).deliveries.compactMap(\.rule)
        #expect(!sent.isEmpty)
        for rule in rules {
            let crossings = try fixture.evaluator(alerts).preview(rule.draft).crossings
                .filter { $0.at < fixture.now }.map { $0.state == .firing }
            #expect(crossings == sent.reversed().filter { $0.ruleID == rule.id }.map(\.isFiring), "\(rule.draft.name)")
        }
    }

    /// Figures by the moment are kept for 40 days; the past is the same before and after they are counted anew, with
    /// absences that ended earlier, events that are weeks late, and days of 23 or 25 hours.
    @Test(arguments: ["UTC", "Europe/Paris", "America/New_York"])
    func pastActiveUsersAreThoseOfTheSeries(zone: String) throws {
        let log = EventLog(context: fixture.context)
        var number: UInt64 = 1
        func count(user: Int, daysAgo: Int) throws {
            let made = try event(number, "app_opened", user: user, at: fixture.now.adding(days: -daysAgo))
            number += 1
            _ = try log.append([EventBatch(events: [made], rejected: [], receivedAt: fixture.now, byteCount: 0)])
        }
        for day in 0..<70 {
            for user in 0..<6 where (day * (user + 3)) % (11 + 4 * user) == 0 { try count(user: user, daysAgo: 0) }
            if day == 60 { try count(user: 1, daysAgo: 53) }
            try log.settle()
            fixture.now = fixture.now.adding(days: 1)
        }
        func compare(_ moment: String) throws {
            for (window, days) in [("7d", 7), ("30d", 30)] {
                let preview = try fixture.evaluator(alerts).preview(try draft(.activeUsers, .below, "2", window))
                let past = preview.points.dropLast().map { $0.value?.text ?? "" }
                let series = try InsightStore(context: fixture.context, log: log).series(
                    of: try #require(SeriesFigure(rawValue: "active_\(days)d")),
                    from: CalendarDay(iso: "2026-10-01"), to: preview.standing.calendar.day(of: fixture.now))
                let expected = series.points.dropLast().map { $0.value?.text ?? "" }
                #expect(past.count == 70 && past == expected, "\(moment) \(window)")
            }
            // A window is compared with the days before it, also where an hour is missing between them.
            let users = try fixture.evaluator(alerts).preview(try draft(.activeUsers, .below, "2", "7d")).points
                .dropLast().map { ($0.value?.thousandths ?? 0) / 1000 }
            let falls = try fixture.evaluator(alerts).preview(try draft(.activeUsers, .fallsBy, "20", "7d")).points
            var compared = 0
            for place in 7..<70 where users[place - 7] > 0 {
                let (before, now): (Int64, Int64) = (users[place - 7], users[place])
                let change: Double = Double((before - now) * 100_000) / Double(before)
                #expect(falls[place].value?.thousandths == Int64(change.rounded(.down)), "\(moment) \(place)")
                compared += 1
            }
            #expect(compared > 40 && Set(users).count > 3)
        }
        _ = try ReportZone(context: fixture.context, log: log).adopt(zone, by: .editor)
        try compare("in the zone")
        try FigureRebuilder(context: fixture.context, log: log).rebuild(by: .editor)
        try compare("rebuilt")
    }

    @Test func measuresShortWindowsByTheHour() throws {
        try addSessions(100, crashed: 5)
        fixture.now = fixture.now.adding(seconds: 3 * 3600 + 60)
        let preview = try fixture.evaluator(alerts).preview(try draft(.crashFreeSessions, .below, "99", "1h"))
        #expect(preview.step == .hour)
        // From the first hour of the first stored day.
        #expect(preview.points.first?.at.rfc3339 == "2026-10-01T00:59:59.999Z" && preview.points.count == 16)
        #expect(preview.crossings.map(\.at.rfc3339) == ["2026-10-01T12:59:59.999Z"])
        #expect(preview.points.map(\.value).compactMap(\.self).map(\.text) == ["95"])
    }

    @Test func knowsOnlyThePresentOfSomeFigures() throws {
        for figure in [AlertFigure.events, .storagePercent] {
            let window = figure == .events ? "1h" : nil
            let preview = try fixture.evaluator(alerts, storagePercent: 90)
                .preview(try draft(figure, .above, "80", window))
            #expect(!preview.hasPast && preview.points.count == 1)
            #expect(preview.points.last?.state == (figure == .events ? .ok : .firing))
        }
        // Nothing is stored yet.
        #expect(try fixture.evaluator(alerts).preview(try draft(.users, .below, "1", "1d")).points.count == 1)
    }
}
