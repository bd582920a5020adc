import BackendTestKit
import EventLog
import SQLDatabase
import SubGuardDomain
import Telemetry
import TestKit
import Testing

struct FigureVerifierTests {
    private let fixture: BackendFixture

    init() throws { fixture = try BackendFixture() }

    private func fill() async throws {
        let log = EventLog(context: fixture.context)
        let ingest = EventIngest(log: log)
        let properties = #"{"app_version":"1.0","platform":"ios"}"#
        try await ingest.store([
            event(1, "app_downloaded", user: 1, at: "2026-02-28T23:59:59.999Z", properties: properties)
        ])
        try await ingest.store([
            event(2, "retention_d7", user: 1, at: "2026-11-02T00:00:00Z"),
            event(3, "premium_conversion", user: 2, at: "2026-11-20T09:59:59.999Z"),
            event(
                4, "subscription_added", user: 2, at: "2026-11-20T09:00:00Z",
                properties: #"{"catalogue_item_id":"\#(makeID(9).lowercased)"}"#),
            event(
                5, "subscription_removed", user: 1, at: "2026-10-31T12:00:00Z", properties: #"{"app_version":"2.0"}"#),
        ])
        try log.settle()
    }

    @Test func findsNoDifferenceInAnEmptyStore() throws {
        let result = try FigureVerifier(context: fixture.context).verify()
        #expect(result.agrees && result.differences.isEmpty && result.unverified.isEmpty)
        #expect((result.eventCount, result.userCount) == (0, 0))
    }

    @Test(arguments: [
        "UPDATE figure_totals SET users = users + 1", "UPDATE figure_totals SET subscriptions = 1",
        "UPDATE figure_days SET downloads = downloads + 1", "UPDATE figure_days SET subscriptions = subscriptions + 1",
        "DELETE FROM figure_hours", "UPDATE figure_hours SET returns_7d = returns_7d + 1",
        "DELETE FROM figure_moments", "DELETE FROM item_additions",
        "INSERT INTO figure_days SELECT 20000, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0",
        "DELETE FROM activity_days", "UPDATE activity_days SET change_28d = change_28d + 1 WHERE change_7d > 0",
        "UPDATE event_days SET event_count = event_count + 1",
        "DELETE FROM funnel_days WHERE day_count = 16", "UPDATE funnel_days SET segment = 3 WHERE dimension = 0",
        "UPDATE funnel_days SET first_day = first_day - 16",
        "UPDATE app_versions SET version = '3.0' WHERE version = '1.0'",
        "INSERT INTO event_days SELECT id, 9, 1 FROM event_names",
        "DELETE FROM event_blocks WHERE id = 2", "UPDATE event_folds SET folded_block_id = 1",
    ])
    func namesWhatSomebodyChanged(_ change: String) async throws {
        try await fill()
        let before = try FigureVerifier(context: fixture.context).verify()
        #expect(before.differences == [])
        #expect((before.eventCount, before.userCount) == (5, 2))
        _ = try fixture.store.write { try $0.execute(change) }
        let after = try FigureVerifier(context: fixture.context).verify()
        #expect(!after.agrees, "\(change)")
        #expect(after.differences.count == after.differenceCount)
    }

    @Test(arguments: BackendFixture.Falsification.allCases)
    func namesAChangedUser(_ change: BackendFixture.Falsification) async throws {
        try await fill()
        try fixture.falsify(1, change)
        let result = try FigureVerifier(context: fixture.context).verify()
        #expect(!result.agrees && result.differences.contains { $0.subject.hasPrefix("user ") }, "\(change)")
    }

    @Test func takesWhatWasPurgedAsKeptAndSaysSo() async throws {
        let log = EventLog(context: fixture.context)
        let ingest = EventIngest(log: log)
        _ = try await ingest.store(
            try EventBatch(
                [
                    event(1, "app_downloaded", user: 1, at: "2026-02-28T23:59:59.999Z"),
                    event(5, "subscription_removed", user: 1, at: "2026-10-31T12:00:00Z"),
                ], receivedAt: "2026-10-31T12:00:00.001Z"))
        try await ingest.store([event(3, "premium_conversion", user: 2, at: "2026-11-20T09:59:59.999Z")])
        #expect(try log.purge(before: try instant("2026-10-31T12:00:00.001Z")) == 0)
        #expect(try log.purge(before: try instant("2026-11-01T00:00:00Z")) == 2)
        #expect(try log.purge(before: try instant("2026-11-01T00:00:00Z")) == 0)
        try log.settle()
        let result = try FigureVerifier(context: fixture.context).verify()
        #expect(result.differences == [])
        #expect((result.eventCount, result.userCount) == (1, 2))
        #expect(result.unverified.count == 1)
        #expect(result.unverified.first?.contains("2026-10-31T12:00:00.001Z") == true)
        // Purged events are still detected as duplicates, and their figures stay.
        let again = try await ingest.store([event(5, "subscription_removed", user: 1, at: "2026-10-31T12:00:00Z")])
        #expect(again.duplicates == 1)
        #expect(try InsightStore(context: fixture.context).dashboard().totalUsers.value?.text == "2")
        try fixture.falsify(2, .lastSeen)
        #expect(try !FigureVerifier(context: fixture.context).verify().agrees)
    }
}
