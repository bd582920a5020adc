import BackendTestKit
import EventLog
import SQLDatabase
import SubGuardDomain
import Telemetry
import TestKit
import Testing

/// The same random history in the same steps gives the same figures on both databases, row by row.
struct FiguresOnBothStoresTests {
    private static let tables = [
        "SELECT * FROM user_pages ORDER BY first_key", "SELECT * FROM figure_days ORDER BY day_number",
        "SELECT * FROM figure_hours ORDER BY hour_number", "SELECT * FROM activity_days ORDER BY day_number",
        "SELECT * FROM figure_totals", "SELECT * FROM figure_moments ORDER BY hour_number, number",
        "SELECT * FROM funnel_days ORDER BY dimension, day_count, first_day, segment",
        "SELECT * FROM app_versions ORDER BY id", "SELECT * FROM item_additions ORDER BY item_id",
        "SELECT n.name, d.day_number, d.event_count FROM event_days d JOIN event_names n ON n.id = d.event_name_id "
            + "ORDER BY 1, 2",
    ]

    /// Every value of a table, of any type.
    private func content(_ sql: String, _ fixture: BackendFixture) throws -> [[String]] {
        try fixture.store.read { session in
            try session.query(sql) { row in
                // The maximum number of columns of these tables.
                try (0..<15).compactMap { place in
                    if row.isNull(place) { return "-" }
                    if let number = try? row.integer(place) { return "\(number)" }
                    if let text = try? row.text(place) { return text }
                    return "\(try row.blob(place))"
                }
            }
        }
    }

    @Test(arguments: 1...8)
    func areTheSame(seed: UInt64) throws {
        let fixtures = try [TestDatabase.sqlite, .postgres].map {
            try BackendFixture(on: $0, now: "2024-02-29T12:34:56.789Z")
        }
        let logs = fixtures.map { EventLog(context: $0.context) }
        var history = FigureHistory(seed: seed, now: fixtures[0].now)
        var random = SeededRandom(seed: seed)
        for round in 0..<12 {
            var rest = try history.batch()[...]
            while !rest.isEmpty {
                let part = Array(rest.prefix(Int.random(in: 1...rest.count, using: &random)))
                rest = rest.dropFirst(part.count)
                let folds = Bool.random(using: &random)
                for (fixture, log) in zip(fixtures, logs) {
                    _ = try log.append([
                        EventBatch(events: part, rejected: [], receivedAt: fixture.now, byteCount: 0)
                    ])
                    if folds { _ = try log.foldStep() }
                }
            }
            if round.isMultiple(of: 5) {
                for fixture in fixtures { _ = try FigurePurge(context: fixture.context, rowsPerStep: 7).run() }
            }
            history.passTime()
            for fixture in fixtures { fixture.now = history.now }
        }
        for log in logs { try log.settle() }
        for table in Self.tables {
            let contents = try fixtures.map { try content(table, $0) }
            #expect(contents[0] == contents[1], "\(table)")
        }
        #expect(try content(Self.tables[0], fixtures[0]).isEmpty == false)
        let insights = fixtures.map { InsightStore(context: $0.context) }
        #expect(try "\(insights[0].dashboard())" == "\(insights[1].dashboard())")
        #expect(try insights[0].funnel() == insights[1].funnel())
        for dimension in FunnelDimension.allCases {
            let funnels = try insights.map { try $0.funnel(within: FunnelWindow(days: 7), by: dimension) }
            #expect(funnels[0] == funnels[1] && funnels[0].segments?.count ?? 0 > 3)
        }
        #expect(try "\(insights[0].cohorts())" == "\(insights[1].cohorts())")
    }
}
