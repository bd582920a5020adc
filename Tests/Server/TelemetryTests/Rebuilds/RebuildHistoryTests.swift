import BackendTestKit
import EventLog
import SQLDatabase
import SubGuardDomain
import Telemetry
import TestKit
import Testing

/// Random histories, damaged and rebuilt: the figures are those that the events had given.
struct RebuildHistoryTests {
    private static let damages = [
        "DELETE FROM figure_hours", "UPDATE figure_days SET users = users + 3, last_seen = 0",
        "DELETE FROM figure_moments WHERE number = 1", "UPDATE activity_days SET change_7d = change_7d + 1",
        "DELETE FROM event_days", "INSERT INTO event_days SELECT id, 9, 1 FROM event_names",
        "UPDATE figure_totals SET users = 1000000000, subscriptions = -5",
        "UPDATE item_additions SET addition_count = 77", "UPDATE user_pages SET users = x'010000'",
        "DELETE FROM user_pages", "UPDATE user_pages SET users = x'FF'", "DELETE FROM figure_totals",
    ]

    /// With few users and changes at a time, so that ranges are divided and changes are stored in parts.
    private static func tuning(_ random: inout SeededRandom) -> RebuildTuning {
        var tuning = RebuildTuning()
        tuning.usersInMemory = Int.random(in: 2...60, using: &random)
        tuning.changesInMemory = Int.random(in: 1...200, using: &random)
        tuning.workers = Int.random(in: 1...3, using: &random)
        tuning.eventsInARead = Int.random(in: 1...300, using: &random)
        tuning.pagesInAStep = Int.random(in: 1...4, using: &random)
        return tuning
    }

    @Test(arguments: TestDatabase.allCases, SeededRandom.seeds(1, of: 12))
    func areTheSame(_ database: TestDatabase, seed: UInt64) throws {
        let fixture = try BackendFixture(on: database, now: "2024-02-29T12:34:56.789Z")
        let log = EventLog(context: fixture.context)
        var random = SeededRandom(seed: seed)
        var history = ForgedHistory(seed: seed, now: fixture.now)
        for round in 0..<40 {
            _ = try log.append([try history.batch(isForged: round.isMultiple(of: 3)).eventBatch])
            if Bool.random(using: &random) { _ = try log.foldStep() }
            if round.isMultiple(of: 5) { while try log.joinStep() {} }
            history.passTime()
            fixture.now = history.now
            guard round.isMultiple(of: 8), round > 0 else { continue }
            try log.settle()
            let insights = InsightStore(context: fixture.context)
            let (kept, reports) = (try fixture.keptFigures(), try Self.reports(insights))
            for _ in 0..<3 { try fixture.execute(Self.damages.randomElement(using: &random) ?? "") }
            let rebuilder = FigureRebuilder(
                context: fixture.context, log: log, tuning: Self.tuning(&random))
            let done = try rebuilder.rebuild(by: .editor)
            #expect(done.eventCount > 0)
            #expect(try fixture.keptFigures() == kept, "round \(round)")
            #expect(try Self.reports(insights) == reports, "round \(round)")
            let verification = try FigureVerifier(context: fixture.context).verify()
            #expect(verification.differences == [], "round \(round)")
        }
    }

    private static func reports(_ insights: InsightStore) throws -> [String] {
        [try "\(insights.dashboard())", try "\(insights.funnel())", try "\(insights.cohorts())"]
    }
}
