import BackendTestKit
import EventLog
import ServerAccess
import SubGuardDomain
import Synchronization
import Telemetry
import TestKit
import Testing

struct InsightStoreTests {
    private let fixture: BackendFixture
    private let ingest: EventIngest
    private let insights: InsightStore

    init() throws {
        fixture = try BackendFixture(now: "2024-03-04T00:00:00Z")
        ingest = EventIngest(log: EventLog(context: fixture.context))
        insights = InsightStore(context: fixture.context)
    }

    /// `value thisWeek lastWeek trend`, with a dash for nil.
    private func text(_ figure: DashboardFigure) -> String {
        [figure.value, figure.thisWeek, figure.lastWeek, figure.trendPercent]
            .map { $0?.text ?? "-" }.joined(separator: " ")
    }

    @Test func anEmptyStoreHasZerosAndNoTrend() throws {
        let dashboard = try insights.dashboard()
        #expect(text(dashboard.totalUsers) == "0 0 0 -")
        #expect(text(dashboard.activeUsers30d) == "0 0 0 -")
        #expect(text(dashboard.subscriptionsTracked) == "0 0 0 -")
        #expect(text(dashboard.premiumConversions) == "0 0 0 -")
        #expect(text(dashboard.crashFreeSessions) == "- - - -")
        #expect(dashboard.standing.computedAt == fixture.now)
        #expect(dashboard.standing.isComplete)
    }

    @Test func windowsMeetWithoutSharingAnEvent() async throws {
        // The first instant of a window belongs to the previous one, its last instant to itself.
        try await ingest.store([
            event(1, "app_downloaded", user: 1, at: "2024-03-04T00:00:00Z"),
            event(2, "app_downloaded", user: 2, at: "2024-02-26T00:00:00.001Z"),
            event(3, "app_downloaded", user: 3, at: "2024-02-26T00:00:00Z"),
            event(4, "app_downloaded", user: 4, at: "2024-02-19T00:00:00.001Z"),
            event(5, "app_downloaded", user: 5, at: "2024-02-19T00:00:00Z"),
            event(6, "app_downloaded", user: 6, at: "2024-02-03T00:00:00.001Z"),
            event(7, "app_downloaded", user: 7, at: "2024-02-03T00:00:00Z"),
            event(8, "app_downloaded", user: 8, at: "2024-03-04T00:00:00.001Z"),
        ])
        var dashboard = try insights.dashboard()
        #expect(text(dashboard.totalUsers) == "7 2 2 0.0")
        #expect(text(dashboard.activeUsers30d) == "6 2 2 0.0")
        fixture.now = try instant("2024-03-04T00:00:00.001Z")
        dashboard = try insights.dashboard()
        #expect(text(dashboard.totalUsers) == "8 2 2 0.0")
        #expect(text(dashboard.activeUsers30d) == "6 2 2 0.0")
        fixture.now = try instant("2024-03-11T00:00:00Z")
        dashboard = try insights.dashboard()
        #expect(text(dashboard.totalUsers) == "8 1 2 -50.0")
        #expect(text(dashboard.activeUsers30d) == "6 1 2 -50.0")
    }

    @Test func aUserIsActiveOnceHoweverManyEvents() async throws {
        try await ingest.store([
            event(1, user: 1, at: "2024-02-29T12:00:00Z"), event(2, user: 1, at: "2024-02-29T12:00:01Z"),
            event(3, user: 1, at: "2024-02-20T12:00:00Z"), event(4, user: 2, at: "2024-02-20T12:00:00Z"),
            event(5, user: 3, at: "2024-01-01T00:00:00Z"),
        ])
        #expect(text(try insights.dashboard().activeUsers30d) == "2 1 2 -50.0")
        #expect(text(try insights.dashboard().totalUsers) == "3 0 2 -100.0")
    }

    @Test func subscriptionsAreAddedLessRemovedAndMayFall() async throws {
        try await ingest.store([
            event(1, "subscription_added", at: "2023-12-31T23:59:59Z"),
            event(2, "subscription_added", at: "2024-02-20T00:00:00Z"),
            event(3, "subscription_added", user: 2, at: "2024-02-21T00:00:00Z"),
            event(4, "subscription_added", user: 2, at: "2024-02-22T00:00:00Z"),
            event(5, "subscription_removed", user: 2, at: "2024-02-29T00:00:00Z"),
        ])
        #expect(text(try insights.dashboard().subscriptionsTracked) == "3 -1 3 -133.3")
        fixture.now = try instant("2024-03-11T00:00:00Z")
        #expect(text(try insights.dashboard().subscriptionsTracked) == "3 0 -1 -")
    }

    @Test func aConversionCountsOncePerUserAtItsFirstMoment() async throws {
        try await ingest.store([
            event(1, "premium_conversion", user: 1, at: "2024-03-01T00:00:00Z"),
            event(2, "premium_conversion", user: 1, at: "2024-02-29T00:00:00Z"),
            event(3, "premium_conversion", user: 2, at: "2024-02-20T00:00:00Z"),
        ])
        #expect(text(try insights.dashboard().premiumConversions) == "2 1 1 0.0")
        try await ingest.store([event(4, "premium_conversion", user: 1, at: "2024-02-21T00:00:00Z")])
        #expect(text(try insights.dashboard().premiumConversions) == "2 0 2 -100.0")
    }

    /// Each look at the clock finds that another event has become due.
    @Test func countsWhatHadComeByTheMomentThatItTells() async throws {
        let begun = fixture.now
        let ticks = Mutex<Int64>(0)
        let ticking = BackendContext(
            store: fixture.store,
            now: {
                begun.adding(
                    milliseconds: ticks.withLock {
                        $0 += 1
                        return $0
                    })
            }, random: { 1 })
        try await ingest.store(
            try (1...200).map {
                try event(UInt64($0), "app_opened", user: $0, at: begun.adding(milliseconds: Int64($0)))
            })
        let insights = InsightStore(context: ticking)
        for _ in 0..<10 {
            let funnel = try insights.funnel()
            #expect(funnel.standing.isComplete)
            let moment = funnel.standing.countedUntil.millisecondsSinceEpoch - begun.millisecondsSinceEpoch
            #expect(funnel.all.users == moment)
        }
    }

    @Test(arguments: 1...8)
    func agreesWithAPlainReferenceOverRandomHistories(seed: UInt64) async throws {
        var generator = SeededRandom(seed: seed)
        let now = fixture.now
        var kept: [Int: AnalyticsEvent] = [:]
        for _ in 0..<12 {
            var events: [AnalyticsEvent] = []
            for _ in 0..<Int.random(in: 1...40, using: &generator) {
                let number = Int.random(in: 0..<300, using: &generator)
                let definition = EventRegistry.events[Int.random(in: 0..<EventRegistry.events.count, using: &generator)]
                // Times at the edges of windows are as likely as others.
                let edge = now.adding(days: [0, -7, -14, -30].randomElement(using: &generator) ?? 0)
                let timestamp =
                    Bool.random(using: &generator)
                    ? edge.adding(milliseconds: Int64.random(in: -1...1, using: &generator))
                    : now.adding(milliseconds: Int64.random(in: -40 * 86_400_000...86_400_000, using: &generator))
                let made = try event(
                    UInt64(number), definition.name, user: Int.random(in: 0..<25, using: &generator), at: timestamp)
                events.append(made)
                if kept[number] == nil { kept[number] = made }
            }
            try await ingest.store(events)
        }
        let reference = ReferenceDashboard(events: Array(kept.values), now: now)
        let dashboard = try insights.dashboard()
        #expect(text(dashboard.totalUsers) == reference.totalUsers)
        #expect(text(dashboard.activeUsers30d) == reference.activeUsers)
        #expect(text(dashboard.subscriptionsTracked) == reference.subscriptions)
        #expect(text(dashboard.premiumConversions) == reference.conversions)
    }
}
