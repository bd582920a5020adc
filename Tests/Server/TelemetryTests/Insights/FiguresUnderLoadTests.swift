import BackendTestKit
import EventLog
import Foundation
import SubGuardDomain
import Synchronization
import Telemetry
import TestKit
import Testing

/// Figures that are read while several senders report new users.
struct FiguresUnderLoadTests {
    private final class Progress: Sendable {
        private struct Counts {
            var sent: Int64 = 0
            var answered: Int64 = 0
            var isEnded = false
        }

        private let counts = Mutex(Counts())

        /// Users whose events were sent.
        var sent: Int64 { counts.withLock { $0.sent } }
        /// Those whose batch was answered.
        var answered: Int64 { counts.withLock { $0.answered } }
        var isEnded: Bool { counts.withLock { $0.isEnded } }

        func noteSent(_ users: Int) { counts.withLock { $0.sent += Int64(users) } }
        func noteAnswered(_ users: Int) { counts.withLock { $0.answered += Int64(users) } }
        func end() { counts.withLock { $0.isEnded = true } }
    }

    private static let senders = 3
    private static let batches = 40
    private static let usersOfABatch = 50

    /// A complete answer holds everything that was answered before the request, and nothing that was not sent by then.
    @Test(arguments: TestDatabase.allCases)
    func dashboardFunnelCohortsAndSeriesAgree(database: TestDatabase) async throws {
        let fixture = try BackendFixture(on: database)
        let log = EventLog(context: fixture.context)
        let ingest = EventIngest(log: log)
        let insights = InsightStore(context: fixture.context, log: log)
        let progress = Progress()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for sender in 0..<Self.senders {
                group.addTask {
                    var random = SeededRandom(seed: UInt64(sender))
                    for number in 0..<Self.batches {
                        let batch = try Self.batch(sender, number, now: fixture.now, &random)
                        progress.noteSent(Self.usersOfABatch)
                        _ = try await ingest.store(
                            EventBatch(events: batch, rejected: [], receivedAt: fixture.now, byteCount: 0))
                        progress.noteAnswered(Self.usersOfABatch)
                    }
                }
            }
            group.addTask {
                while !progress.isEnded {
                    try Self.expectAgreement(insights, progress)
                    // Lets the senders have the thread.
                    try await Task.sleep(for: .milliseconds(1))
                }
            }
            for _ in 0..<Self.senders { try await group.next() }
            progress.end()
            try await group.waitForAll()
        }
        while !(try Self.expectAgreement(insights, progress)) {}
        #expect(
            try Self.counts(insights)
                == [Int64](repeating: Int64(Self.senders * Self.batches * Self.usersOfABatch), count: 4))
        #expect(try FigureVerifier(context: fixture.context).verify().differences == [])
    }

    /// Returns whether all figures were complete, which a slow machine may take longer for than a reader waits.
    @discardableResult
    private static func expectAgreement(_ insights: InsightStore, _ progress: Progress) throws -> Bool {
        let before = progress.answered
        guard let counts = try counts(insights) else { return false }
        let after = progress.sent
        // Read one after the other.
        for (earlier, later) in zip(counts, counts.dropFirst()) { #expect(earlier <= later) }
        #expect(counts[0] >= before && counts[counts.count - 1] <= after, "\(before) \(counts) \(after)")
        return true
    }

    /// The number of all users as each figure tells it; nil if one is not complete.
    private static func counts(_ insights: InsightStore) throws -> [Int64]? {
        let dashboard = try insights.dashboard()
        let cohorts = try insights.cohorts()
        let funnel = try insights.funnel()
        let series = try insights.series(
            of: try #require(SeriesFigure(rawValue: "users")), from: CalendarDay(iso: "2025-11-01"),
            to: CalendarDay(iso: "2026-11-30"),
            step: .month)
        let standings = [dashboard.standing, cohorts.standing, funnel.standing, series.standing]
        guard standings.allSatisfy(\.isComplete) else { return nil }
        return [
            try #require(dashboard.totalUsers.value.flatMap { Int64($0.text) }),
            cohorts.cohorts.reduce(0) { $0 + $1.users }, funnel.all.stages[0].count,
            try series.points.reduce(0) { sum, point in sum + (try #require(Int64(point.value?.text ?? "0"))) },
        ]
    }

    /// New users, each with a download and perhaps more, in a random order.
    private static func batch(
        _ sender: Int, _ number: Int, now: UTCInstant, _ random: inout SeededRandom
    ) throws -> [AnalyticsEvent] {
        var events: [AnalyticsEvent] = []
        for index in 0..<usersOfABatch {
            let user = (sender * batches + number) * usersOfABatch + index
            let names =
                ["app_downloaded"]
                + ["app_opened", "first_subscription_added"].prefix(Int.random(in: 0...2, using: &random))
            for (place, name) in names.enumerated() {
                events.append(
                    try event(
                        UInt64(user * 3 + place), name, user: user,
                        at: now.adding(milliseconds: -Int64.random(in: 0..<360 * 86_400_000, using: &random))))
            }
        }
        return events.shuffled(using: &random)
    }
}
