import BackendTestKit
import EventLog
import Foundation
import ServerAccess
import SubGuardDomain
import Telemetry
import TestKit
import Testing

/// Compares the stored figures with a simple reference, after each batch of random histories.
struct FigureHistoryTests {
    private static let starts = [
        "2024-03-04T00:00:00Z", "2024-02-29T12:34:56.789Z", "2021-01-04T00:00:00Z", "2026-12-31T23:59:59.999Z",
    ]

    @Test(arguments: SeededRandom.seeds(2, of: 24))
    func keptFiguresAreThoseOfTheEventsAtEveryMoment(seed: UInt64) async throws {
        try await compareHistory(seed: seed, now: Self.starts[Int(seed) % Self.starts.count], zones: [])
    }

    /// With changes of clock in the 45 days before, and another zone in the middle.
    @Test(
        arguments: [
            ("Europe/Paris", "2026-03-30T09:00:00Z"), ("Australia/Lord_Howe", "2026-04-06T12:00:00Z"),
            ("Asia/Kolkata", "2024-03-04T00:00:00Z"), ("America/New_York", "2026-11-02T02:00:00Z"),
        ].prefix(SeededRandom.isThorough ? 4 : 2))
    func daysAreThoseOfTheZone(zone: String, now: String) async throws {
        try await compareHistory(seed: 11, now: now, zones: [zone, "Pacific/Chatham"])
    }

    /// - Parameter zones: from the beginning and from the middle on.
    private func compareHistory(seed: UInt64, now: String, zones: [String]) async throws {
        let fixture = try BackendFixture(now: now)
        let log = EventLog(context: fixture.context)
        var zone = ReferenceZone.utc
        func adopt(_ name: String) throws {
            #expect(try ReportZone(context: fixture.context, log: log).adopt(name, by: .editor) == .recounted)
            zone = ReferenceZone(name)
        }
        if let first = zones.first { try adopt(first) }
        let ingest = EventIngest(log: log)
        let insights = InsightStore(context: fixture.context)
        var history = FigureHistory(
            seed: seed, now: fixture.now,
            calendar: try zones.first.map { try #require(ReportCalendar(zoneName: $0)) } ?? .utc)
        // An event counts once its moment has come. After the clock was set back, that of the last count before has,
        // too.
        var latestNow = fixture.now
        var generator = SeededRandom(seed: seed)
        func expectAllEqual() throws {
            _ = try insights.dashboard()
            let countedUntil = try fixture.count("SELECT counted_until FROM event_folds")
            latestNow = max(fixture.now, UTCInstant(millisecondsSinceEpoch: countedUntil))
            let events = history.events.filter { $0.timestamp <= latestNow }
            try expectEqual(insights, events, at: fixture.now, zone)
            try expectEqualFunnels(
                insights, ReferenceCohorts(events: events, versions: history.versions, zone: zone), at: fixture.now,
                generator: &generator)
            try expectEqualSeries(insights, events, at: fixture.now, zone, generator: &generator)
        }
        for round in 0..<30 {
            if round == 15, zones.count > 1 { try adopt(zones[1]) }
            try await ingest.store(try history.batch())
            if round.isMultiple(of: 7) { try FigurePurge(context: fixture.context, rowsPerStep: 5).run() }
            try expectAllEqual()
            history.passTime()
            fixture.now = history.now
            try expectAllEqual()
        }
        let verification = try FigureVerifier(context: fixture.context).verify()
        #expect(verification.differences == [])
        #expect(verification.eventCount == history.events.count { $0.timestamp <= latestNow })
    }

    /// Where raw events were purged, days are cut anew as far as the log reaches; those before keep their cut.
    @Test(arguments: [
        ("Europe/Paris", "2026-03-30T09:00:00Z", 3), ("America/New_York", "2026-11-02T02:00:00Z", 4),
        ("Asia/Kolkata", "2024-03-04T00:00:00Z", 5), ("Australia/Lord_Howe", "2026-04-06T12:00:00Z", 6),
        ("Pacific/Kiritimati", "2024-02-29T10:30:00Z", 7),
    ])
    func daysAreCutAnewAfterAPurge(zone: String, now: String, seed: UInt64) async throws {
        let fixture = try BackendFixture(now: now)
        let log = EventLog(context: fixture.context)
        let (ingest, insights) = (EventIngest(log: log), InsightStore(context: fixture.context, log: log))
        let zones = ReportZone(context: fixture.context, log: log)
        var history = FigureHistory(seed: seed, now: fixture.now, calendar: try #require(.init(zoneName: zone)))
        func receive() async throws {
            let events = try history.batch()
            _ = try await ingest.store(
                EventBatch(events: events, rejected: [], receivedAt: fixture.now, byteCount: 0))
        }
        for round in 0..<24 {
            try await receive()
            // The first batches are purged, and with them what happened before the last of their events.
            if round == 7 { #expect(try log.purge(before: fixture.now) > 0) }
            fixture.now = max(fixture.now, history.now).adding(days: 3)
            history.passTime(to: fixture.now)
        }
        _ = try insights.dashboard()
        let funnel = text(try insights.funnel(DayRange()))
        // There, over another zone, and back.
        for name in ["Pacific/Chatham", zone] {
            guard case .from(let since) = try zones.adopt(name, by: .editor) else {
                Issue.record("not cut anew")
                return
            }
            #expect(since < fixture.now.day.adding(days: -30))
            #expect(try FigureVerifier(context: fixture.context).verify().differences == [])
            let events = history.events.filter { $0.timestamp <= fixture.now }
            let reference = ReferenceSeries(events: events, now: fixture.now, zone: ReferenceZone(name))
            for figure in SeriesFigure.allCases where figure.rawValue != "crash_free_sessions" {
                let from = figure.rawValue.hasPrefix("active") ? since.adding(days: 30) : since
                let to = ReferenceZone(name).day(of: fixture.now)
                let series = try insights.series(of: figure, from: from, to: to, step: .day)
                #expect(series.standing.calendar.firstDay == since)
                #expect(
                    series.texts == reference.points(figure.rawValue, from: from, to: to, step: .day),
                    "\(name) \(figure.rawValue)")
            }
            if name != zone { #expect(text(try insights.funnel(DayRange())) == funnel) }
            // Counting goes on.
            try await receive()
            _ = try insights.dashboard()
            #expect(try FigureVerifier(context: fixture.context).verify().differences == [])
        }
        _ = try zones.adopt("UTC", by: .editor)
        #expect(try FigureVerifier(context: fixture.context).verify().differences == [])
    }

    private func expectEqual(
        _ insights: InsightStore, _ events: [AnalyticsEvent], at now: UTCInstant, _ zone: ReferenceZone
    ) throws {
        let reference = ReferenceDashboard(events: events, now: now)
        let dashboard = try insights.dashboard()
        #expect(text(dashboard.totalUsers) == reference.totalUsers)
        #expect(text(dashboard.activeUsers30d) == reference.activeUsers)
        #expect(text(dashboard.subscriptionsTracked) == reference.subscriptions)
        #expect(text(dashboard.premiumConversions) == reference.conversions)
        let cohorts = ReferenceCohorts(events: events, zone: zone)
        #expect(text(try insights.cohorts()) == cohorts.cohorts(at: now))
        let ranges = [
            DayRange(), DayRange(from: now.day.adding(days: -20)), DayRange(to: now.day.adding(days: -20)),
            DayRange(from: now.day, to: now.day),
            DayRange(from: now.day.adding(days: -60), to: now.day.adding(days: 1)),
        ]
        for range in ranges {
            #expect(text(try insights.funnel(range)) == cohorts.funnel(from: range.from, to: range.to))
        }
    }

    /// Some funnels with windows and segments, at random.
    private func expectEqualFunnels(
        _ insights: InsightStore, _ reference: ReferenceCohorts, at now: UTCInstant, generator: inout SeededRandom
    ) throws {
        #expect(text(try insights.cohorts(by: .month)) == reference.cohorts(at: now, by: .month))
        for dimension in [FunnelDimension.platform, .appVersion, nil] {
            let days = [1, 2, 7, 30, 89, 90, nil].randomElement(using: &generator) ?? nil
            let from = [nil, 0, -3, -16, -50, -450].randomElement(using: &generator) ?? nil
            let to = [nil, 1, 0, -1, -17, -100].randomElement(using: &generator) ?? nil
            let range = DayRange(from: from.map { now.day.adding(days: $0) }, to: to.map { now.day.adding(days: $0) })
            let funnel = try insights.funnel(range, within: days.flatMap { FunnelWindow(days: $0) }, by: dimension)
            #expect(
                funnel.lines
                    == reference.funnel(from: range.from, to: range.to, within: days, by: dimension, at: now),
                "\(String(describing: dimension)) \(String(describing: days)) \(range)")
        }
    }

    /// Some series, at random.
    private func expectEqualSeries(
        _ insights: InsightStore, _ events: [AnalyticsEvent], at now: UTCInstant, _ zone: ReferenceZone,
        generator: inout SeededRandom
    ) throws {
        let reference = ReferenceSeries(events: events, now: now, zone: zone)
        let names = SeriesFigure.allCases.filter { $0.rawValue != "crash_free_sessions" }
        let active = names.filter { $0.rawValue.hasPrefix("active") }
        for figures in [names, active, active] {
            let figure = figures[Int.random(in: 0..<figures.count, using: &generator)]
            let step = SeriesStep.allCases[Int.random(in: 0..<3, using: &generator)]
            let to = now.day.adding(days: [0, 0, 1, -1, -35, -200].randomElement(using: &generator) ?? 0)
            let from = to.adding(days: [0, -1, -6, -31, -90, -380].randomElement(using: &generator) ?? 0)
            let series = try insights.series(of: figure, from: from, to: to, step: step)
            #expect(
                series.texts == reference.points(figure.rawValue, from: from, to: to, step: step),
                "\(figure.rawValue) \(from.iso) \(to.iso) \(step)")
        }
    }

    private func text(_ figure: DashboardFigure) -> String {
        [figure.value, figure.thisWeek, figure.lastWeek, figure.trendPercent]
            .map { $0?.text ?? "-" }.joined(separator: " ")
    }

    private func text(_ funnel: Funnel) -> [String] { Funnel.texts(funnel.all.stages) }

    private func text(_ cohorts: Cohorts) -> [String] {
        cohorts.cohorts.map { cohort in
            let cells = [cohort.d1, cohort.d7, cohort.d30].map { retention in
                retention.map { "\($0.count)/\($0.eligible)=\($0.percent.text)" } ?? "-"
            }
            return "\(cohort.week ?? cohort.month ?? "") \(cohort.users) \(cells.joined(separator: " "))"
        }
    }
}
