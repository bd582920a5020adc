import BackendTestKit
import Dispatch
import EventLog
import Foundation
import SQLDatabase
import ServerAccess
import SubGuardDomain
import SubGuardSQL
import Telemetry
import TestKit
import Testing

struct AlertThresholdTests {
    private let fixture: BackendFixture

    init() throws { fixture = try BackendFixture() }

    private func events(_ users: ClosedRange<Int>) throws -> [AnalyticsEvent] {
        try users.map { try event(UInt64($0), user: $0, at: "2026-11-19T10:00:00Z") }
    }

    @Test func beginsWithTheFiveOfTheContract() throws {
        let list = try fixture.alerts().thresholds()
        #expect(list.active == [1000, 5000, 10_000, 50_000, 100_000])
        #expect(list.fired.isEmpty)
    }

    @Test func firesEveryOneThatACountJumpsPast() async throws {
        let alerts = fixture.alerts(.slack, .webhook)
        try alerts.replaceThresholds(with: [3, 7, 9, 10, 1000], ifRevision: nil, by: .editor)
        let log = EventLog(context: fixture.context, alerts: alerts)
        let ingest = EventIngest(log: log)
        try await ingest.store(try events(1...2))
        try log.settle()
        #expect(try alerts.thresholds().fired.isEmpty)
        try await ingest.store(try events(3...9))
        try log.settle()
        #expect(try alerts.thresholds().fired == [3: 9, 7: 9, 9: 9])
        let made = try alerts.overview(after: nil, limit: 500).deliveries.map { "\($0.subject) \($0.channel)" }
        #expect(made.count == 6)
        #expect(Set(made).count == 6)
    }

    /// Reached while no channel was configured: the message waits for the first one, once.
    @Test func waitsAMonthForItsFirstChannel() throws {
        let none = fixture.alerts()
        try none.replaceThresholds(with: [2, 5, 9], ifRevision: nil, by: .editor)
        try fixture.addUsers(1...3)
        #expect(try none.fireReached() == [2])
        let until = fixture.now.adding(days: 30)
        #expect(try none.thresholds().thresholds.map(\.waitsUntil) == [until, nil, nil])
        #expect(try none.announceWaiting().isEmpty)
        fixture.wait(seconds: 29 * 86_400)
        try fixture.addUsers(4...6)
        #expect(try none.fireReached() == [5])
        let fired = try none.thresholds().thresholds.compactMap(\.firedAt)
        let alerts = fixture.alerts(.slack, .webhook)
        #expect(try alerts.announceWaiting() == [2, 5])
        #expect(try alerts.announceWaiting().isEmpty)
        let deliveries = try alerts.overview(after: nil, limit: 10).deliveries
        #expect(Set(deliveries.map { "\($0.channel) \($0.subject)" }).count == 4 && deliveries.count == 4)
        #expect(Set(deliveries.map(\.createdAt)) == Set(fired) && fired.count == 2)
        #expect(try alerts.thresholds().thresholds.allSatisfy { $0.waitsUntil == nil })
        #expect(try alerts.claim(.slack) != nil)
    }

    @Test func announcesNothingOlderThanAMonth() throws {
        let none = fixture.alerts()
        try none.replaceThresholds(with: [2], ifRevision: nil, by: .editor)
        try fixture.addUsers(1...3)
        #expect(try none.fireReached() == [2])
        fixture.wait(seconds: 30 * 86_400)
        #expect(try none.thresholds().thresholds.first?.waitsUntil == nil)
        #expect(try fixture.alerts(.slack).announceWaiting().isEmpty)
    }

    @Test func firesOnceHoweverOftenItIsReached() async throws {
        let alerts = fixture.alerts(.webhook)
        try alerts.replaceThresholds(with: [2], ifRevision: nil, by: .editor)
        let log = EventLog(context: fixture.context, alerts: alerts)
        let ingest = EventIngest(log: log)
        try await ingest.store(try events(1...2))
        try log.settle()
        // The number falls, as after an erasure, and rises again.
        try fixture.store.write { try $0.execute("UPDATE figure_totals SET users = users - 1 WHERE id = 1") }
        try await ingest.store(try (12...13).map { try event(UInt64($0), user: $0, at: "2026-11-19T10:00:00Z") })
        try log.settle()
        #expect(try fixture.count("SELECT count(*) FROM alert_deliveries") == 1)
        #expect(try alerts.thresholds().fired == [2: 2])
    }

    /// Both mark thresholds: changing them must not deadlock with counting users.
    @Test func thresholdsChangeWhileUsersAreCounted() throws {
        let other = try fixture.reopened()
        let (alerts, context) = (fixture.alerts(.webhook), other.context)
        try fixture.store.write { try $0.execute("UPDATE figure_totals SET users = 2000 WHERE id = 1") }
        let hasBegun = DispatchSemaphore(value: 0)
        let counting = OwnThread {
            try context.store.write(in: .figures) { transaction in
                hasBegun.signal()
                // Until the other thread waits, either for this or for a later lock.
                Thread.sleep(forTimeInterval: 0.5)
                return try AlertStore(context: context).fireReached(in: transaction)
            }
        }
        hasBegun.wait()
        try alerts.replaceThresholds(with: [1000, 1500], ifRevision: nil, by: .editor)
        #expect(try counting.value() == [1000])
        #expect(try alerts.thresholds().fired == [1000: 2000, 1500: 2000])
    }

    @Test func aDuplicateOrAKnownUserFiresNothing() async throws {
        let alerts = fixture.alerts(.webhook)
        let log = EventLog(context: fixture.context, alerts: alerts)
        let ingest = EventIngest(log: log)
        try await ingest.store(try events(1...2))
        try log.settle()
        try fixture.store.write {
            // Bypasses the API, so that only a new user would cause a check.
            try $0.execute("INSERT INTO alert_thresholds (user_threshold, is_active) VALUES (2, 1)")
        }
        try await ingest.store(try events(1...2) + [event(99, user: 1, at: "2026-11-19T10:00:00Z")])
        try log.settle()
        #expect(try alerts.thresholds().fired.isEmpty)
        try await ingest.store([event(100, user: 3, at: "2026-11-19T10:00:00Z")])
        try log.settle()
        #expect(try alerts.thresholds().fired == [2: 3])
    }

    /// Several servers on one database, each with its own connections, all at once.
    @Test func firesOnceFromSeveralServers() async throws {
        let first = try BackendFixture()
        let fixtures = try [first] + (2...4).map { try first.reopened(seed: $0) }
        try first.alerts().replaceThresholds(with: [5, 50, 60, 100, 1000], ifRevision: nil, by: .editor)
        let results = OwnThread<Void>.each(of: fixtures.count) { server in
            let fixture = fixtures[server]
            let ingest = EventIngest(log: EventLog(context: fixture.context, alerts: fixture.alerts(.email, .webhook)))
            for user in stride(from: server, to: 100, by: fixtures.count) {
                let answered = DispatchSemaphore(value: 0)
                let batch = try EventBatch([event(UInt64(user + 1), user: user, at: "2026-11-19T10:00:00Z")])
                ingest.submit(batch) { _ in answered.signal() }
                answered.wait()
            }
            ingest.drain()
        }
        for result in results { try result.get() }
        #expect(try first.users().count == 100)
        // Users are counted in steps, so the count may have passed the threshold.
        let fired = try first.alerts().thresholds().fired
        #expect(fired.keys.sorted() == [5, 50, 60, 100])
        #expect(fired.allSatisfy { $0.key <= $0.value && $0.value <= 100 })
        #expect(try first.count("SELECT count(*) FROM alert_deliveries") == 8)
    }

    @Test func aFiringThatIsRolledBackLeavesNothing() throws {
        let alerts = fixture.alerts(.slack)
        try fixture.addUsers(1...5)
        try fixture.store.write {
            try $0.execute("INSERT INTO alert_thresholds (user_threshold, is_active) VALUES (5, 1)")
        }
        struct Broken: Error {}
        #expect(throws: Broken.self) {
            try fixture.store.write { transaction in
                #expect(try alerts.fireReached(in: transaction) == [5])
                throw Broken()
            }
        }
        #expect(try fixture.count("SELECT count(*) FROM alert_deliveries") == 0)
        #expect(try alerts.fireReached() == [5])
        #expect(try alerts.fireReached() == [])
    }

    @Test func aThresholdLoweredUnderThePresentCountFiresAtOnce() throws {
        let alerts = fixture.alerts(.slack)
        try fixture.addUsers(1...12)
        let list = try alerts.replaceThresholds(with: [10, 20], ifRevision: nil, by: .editor)
        #expect(list.fired == [10: 12])
        #expect(list.active == [10, 20])
    }

    @Test func whatHasFiredStaysFiredWhenItIsTakenOutAndPutBack() throws {
        let alerts = fixture.alerts(.slack)
        try fixture.addUsers(1...12)
        try alerts.replaceThresholds(with: [10], ifRevision: nil, by: .editor)
        let without = try alerts.replaceThresholds(with: [], ifRevision: nil, by: .editor)
        #expect(without.active.isEmpty)
        #expect(without.fired == [10: 12])
        try fixture.addUsers(13...13)
        try alerts.replaceThresholds(with: [10], ifRevision: nil, by: .editor)
        #expect(try fixture.count("SELECT count(*) FROM alert_deliveries") == 1)
        #expect(throws: SQLError.self) {
            try fixture.store.write { try $0.execute("UPDATE alert_thresholds SET fired_at = 1, user_count = 1") }
        }
        #expect(throws: SQLError.self) {
            try fixture.store.write { try $0.execute("DELETE FROM alert_thresholds") }
        }
    }

    @Test func refusesAListThatLostTheRace() throws {
        let alerts = fixture.alerts()
        let first = try alerts.thresholds().revision
        let second = try alerts.replaceThresholds(with: [7], ifRevision: first, by: .editor).revision
        #expect(second > first)
        #expect(throws: BackendError.preconditionFailed(currentRevision: second)) {
            try alerts.replaceThresholds(with: [8], ifRevision: first, by: .editor)
        }
        #expect(try alerts.thresholds().active == [7])
    }

    @Test func writesAnAuditRowForAChangeAndNoneForTheSameList() throws {
        let alerts = fixture.alerts()
        let revision = try alerts.replaceThresholds(with: [9, 7], ifRevision: nil, by: .editor).revision
        #expect(try alerts.replaceThresholds(with: [7, 9], ifRevision: nil, by: .editor).revision == revision)
        let rows = try AuditLog(context: fixture.context).list(after: nil, limit: 10)
        #expect(rows.map(\.change.action) == ["alerts.thresholds"])
        #expect(rows.first?.change.before == #"{"thresholds":[1000,5000,10000,50000,100000]}"#)
        #expect(rows.first?.change.after == #"{"thresholds":[7,9]}"#)
    }
}
