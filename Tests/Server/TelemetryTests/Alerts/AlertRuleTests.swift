import BackendTestKit
import Dispatch
import EventLog
import Foundation
import SQLDatabase
import ServerAccess
import SubGuardDomain
import Telemetry
import TestKit
import Testing

struct AlertRuleTests {
    private let fixture: BackendFixture
    private let alerts: AlertStore

    init() throws {
        fixture = try BackendFixture()
        alerts = fixture.alerts(.webhook)
    }

    @discardableResult
    private func evaluate() throws -> [AlertRuleNotice] { try fixture.evaluator(alerts).run() }

    private func state(of rule: AlertRule) throws -> AlertRule.State? { try alerts.rule(rule.id)?.current.state }

    /// What was announced after each number of crashes among 10,000 sessions of the hour.
    private func announced(_ crashes: [Int64]) throws -> [String] {
        try crashes.map { crashed in
            try fixture.setSessions(10_000, crashed: crashed)
            fixture.wait(seconds: 60)
            return try evaluate().map { $0.isFiring ? "fires" : "recovers" }.joined()
        }
    }

    @Test func firesOnceForEachCrossingWithHysteresis() throws {
        let rule = try alerts.insertRule(.crashFree, by: .editor)
        #expect(rule.current.state == .pending)
        // 99.9 % is not below 99.9 %; a rule that fires recovers at 99.91 %.
        #expect(
            try announced([10, 11, 40, 11, 10, 11, 9, 10, 11, 9]) == [
                "", "fires", "", "", "", "", "recovers", "", "fires", "recovers",
            ])
        let measured = try #require(try alerts.rule(rule.id))
        #expect(measured.current.value?.text == "99.91" && measured.current.sample == 10_000)
        #expect(measured.draft.recoveryValue.text == "99.91")
        #expect(measured.current.since == fixture.now && measured.current.evaluatedAt == fixture.now)
        #expect(measured.revision == 1)
        let kinds = try alerts.overview(after: nil, limit: 10).deliveries.map(\.rule?.isFiring)
        #expect(kinds == [false, true, false, true])
    }

    /// For Swift both texts are equal; the database compares their bytes.
    @Test func namesInTwoUnicodeFormsAreTwoNames() throws {
        let names = ["d\u{FA}p", "du\u{301}p"]
        let drafts = names.map { name in
            AlertRuleDraft(
                name: name, figure: .users, comparison: .above, value: AlertValue(thousandths: 5000),
                window: AlertWindow("7d"))
        }
        let made = try drafts.map { try alerts.insertRule($0, by: .editor).id }
        let kept = try alerts.replaceRules(with: drafts, ifRevision: nil, by: .editor)
        #expect(Set(kept.rules.map(\.id)) == Set(made))
        #expect(try alerts.replaceRules(with: [], ifRevision: nil, by: .editor).rules.isEmpty)
    }

    @Test func leavesTheStateWhileTheSampleIsTooSmall() throws {
        let rule = try alerts.insertRule(.crashFree, by: .editor)
        try evaluate()
        // A percentage of nothing is no value.
        #expect(try alerts.rule(rule.id)?.current.value == nil)
        #expect(try state(of: rule) == .pending)
        try fixture.setSessions(999, crashed: 500)
        #expect(try evaluate().isEmpty)
        #expect(try state(of: rule) == .pending)
        try fixture.setSessions(1000, crashed: 500)
        #expect(try evaluate().map(\.sample) == [1000])
        try fixture.setSessions(999, crashed: 0)
        #expect(try evaluate().isEmpty)
        #expect(try state(of: rule) == .firing)
    }

    @Test func isSilentWhileMutedAndThenAnnouncesWhatIsStillSo() throws {
        let until = fixture.now.adding(seconds: 3600)
        let rule = try alerts.insertRule(.crashFree.muted(until: until), by: .editor)
        #expect(try announced([20, 0, 20]) == ["", "", ""])
        #expect(try state(of: rule) == .firing)
        fixture.now = until.adding(milliseconds: -1)
        #expect(try evaluate().isEmpty)
        fixture.now = until
        #expect(try evaluate().map(\.isFiring) == [true])
        // Muting does not begin anew.
        let muted = try alerts.replaceRule(
            rule.id, with: .crashFree.muted(until: fixture.now.adding(seconds: 3600)), ifRevision: 1, by: .editor)
        #expect(muted.current.state == .firing && muted.revision == 2)
        #expect(try announced([0, 20]) == ["", ""])
        fixture.wait(seconds: 3600)
        #expect(try evaluate().isEmpty)
    }

    @Test func aRuleThatMeasuresSomethingElseBeginsAnew() throws {
        let rule = try alerts.insertRule(.crashFree, by: .editor)
        #expect(try announced([20]) == ["fires"])
        let strict = AlertRuleDraft(
            name: "Absturzfrei", figure: .crashFreeSessions, comparison: .below, value: AlertValue(thousandths: 99_950),
            window: AlertWindow("1h"))
        let changed = try alerts.replaceRule(rule.id, with: strict, ifRevision: nil, by: .editor)
        #expect(changed.current.state == .pending)
        // It was announced that the rule fires, and it still does.
        #expect(try announced([20, 0]) == ["", "recovers"])
        #expect(throws: BackendError.preconditionFailed(currentRevision: 2)) {
            try alerts.replaceRule(rule.id, with: strict, ifRevision: 1, by: .editor)
        }
        try alerts.deleteRule(rule.id, ifRevision: 2, by: .editor)
        #expect(throws: BackendError.notFound(what: "rule")) {
            try alerts.deleteRule(rule.id, ifRevision: nil, by: .editor)
        }
        #expect(try evaluate().isEmpty)
    }

    @Test func noEventForAnHour() throws {
        let silence = AlertRuleDraft(
            name: "No event", figure: .events, comparison: .below, value: AlertValue(thousandths: 1000),
            window: AlertWindow("1h"), minimumSample: 1)
        let rule = try alerts.insertRule(silence, by: .editor)
        // No one uses the service yet.
        try evaluate()
        #expect(try state(of: rule) == .pending)
        let log = EventLog(context: fixture.context)
        _ = try log.append([try EventBatch([event(1, user: 1, at: "2026-11-20T09:00:00Z")])])
        try log.settle()
        fixture.wait(seconds: 3599)
        #expect(try evaluate().isEmpty)
        fixture.wait(seconds: 1)
        let notice = try #require(try evaluate().first)
        #expect(notice.isFiring && notice.measured?.text == "0")
        _ = try log.append([
            try EventBatch([event(2, user: 1, at: "2026-11-20T09:00:00Z")], receivedAt: fixture.now.rfc3339)
        ])
        fixture.wait(seconds: 1)
        #expect(try evaluate().map(\.isFiring) == [false])
    }

    @Test func activeUsersFallAgainstTheWeekBefore() async throws {
        let rule = try alerts.insertRule(
            AlertRuleDraft(
                name: "A third fewer", figure: .activeUsers, comparison: .fallsBy,
                value: AlertValue(thousandths: 33_300), window: AlertWindow("7d"), minimumSample: 5), by: .editor)
        let ingest = EventIngest(log: EventLog(context: fixture.context))
        try await ingest.store(
            try (1...6).map { try event(UInt64($0), user: $0, at: "2026-11-10T10:00:00Z") }
                + (1...5).map { try event(UInt64(10 + $0), user: $0, at: "2026-11-19T10:00:00Z") })
        try evaluate()
        #expect(try alerts.rule(rule.id)?.current.value?.text == "16.666")
        #expect(try state(of: rule) == .ok)
        fixture.now = try instant("2026-11-27T10:00:00Z")
        try await ingest.store(
            try (1...3).map { try event(UInt64(20 + $0), user: $0, at: "2026-11-27T09:00:00Z") })
        let notice = try #require(try evaluate().first)
        #expect(notice.isFiring && notice.measured?.text == "40" && notice.sample == 5)
        // Too few to tell: it still fires.
        fixture.now = try instant("2026-12-04T09:00:00Z")
        #expect(try evaluate().isEmpty)
        #expect(try alerts.rule(rule.id)?.current.sample == 3)
        #expect(try state(of: rule) == .firing)
    }

    @Test func failedDeliveriesAndStorage() throws {
        let failed = try alerts.insertRule(
            AlertRuleDraft(
                name: "Failed", figure: .failedDeliveries, comparison: .above, value: AlertValue(thousandths: 0),
                window: AlertWindow("1d")), by: .editor)
        _ = try alerts.insertRule(
            AlertRuleDraft(
                name: "Full", figure: .storagePercent, comparison: .above, value: AlertValue(thousandths: 80_000),
                window: nil), by: .editor)
        func run(_ percent: Int64?) throws -> [String] {
            try fixture.evaluator(alerts, storagePercent: percent).run().map { "\($0.name) \($0.isFiring)" }
        }
        #expect(try run(nil).isEmpty)
        #expect(try [80, 81, 80, 77, 76].map(run) == [[], ["Full true"], [], [], ["Full false"]])
        try alerts.finish(try #require(try alerts.claim(.webhook)), .refused(reason: "HTTP 400"))
        #expect(try run(nil) == ["Failed true"])
        #expect(try state(of: failed) == .firing)
        fixture.wait(seconds: 86_400)
        #expect(try run(nil) == ["Failed false"])
    }

    @Test func theLagOfTheEventSink() throws {
        let rule = try alerts.insertRule(
            AlertRuleDraft(
                name: "Behind", figure: .eventSinkLag, comparison: .above, value: AlertValue(thousandths: 3_600_000),
                window: nil), by: .editor)
        let log = EventLog(context: fixture.context)
        func append(_ number: UInt64) throws {
            _ = try log.append([
                try EventBatch(
                    [event(number, user: 1, at: "2026-11-20T09:00:00Z")], receivedAt: fixture.now.rfc3339)
            ])
            try log.settle()
        }
        func run(after seconds: Int64, isSinkOn: Bool = true) throws -> [String] {
            fixture.wait(seconds: seconds)
            if isSinkOn { try EventSink(context: fixture.context).sign() }
            return try fixture.evaluator(alerts).run().map { "\($0.name) \($0.isFiring)" }
        }
        // Without a sink there is nothing to measure.
        try append(1)
        #expect(try run(after: 7200, isSinkOn: false).isEmpty)
        #expect(try state(of: rule) == .pending)
        #expect(try run(after: 0) == ["Behind true"])
        #expect(try alerts.rule(rule.id)?.current.value?.text == "7200")
        let sink = EventSink(context: fixture.context)
        var order = EventSink.Order(shardCount: 1)
        order.isImpatient = true
        guard case .range(let range) = try sink.next(order) else { throw CancellationError() }
        try sink.markSent(range, shard: 0)
        #expect(try run(after: 1) == ["Behind false"])
        // A sink that was turned off alerts no one.
        try append(2)
        #expect(try run(after: 86_400, isSinkOn: false).isEmpty)
    }

    @Test func severalServersAnnounceACrossingOnce() throws {
        _ = try alerts.insertRule(.crashFree, by: .editor)
        try fixture.setSessions(10_000, crashed: 50)
        let fixtures = try [fixture] + (2...4).map { try fixture.reopened(seed: $0) }
        let announced = try OwnThread<Int>.each(of: fixtures.count) { server in
            let fixture = fixtures[server]
            return try (0..<5).reduce(0) { sum, _ in
                try sum + fixture.evaluator(fixture.alerts(.webhook)).run().count
            }
        }.map { try $0.get() }
        #expect(announced.reduce(0, +) == 1)
        #expect(try fixture.count("SELECT count(*) FROM alert_deliveries") == 1)
    }

    @Test func aProcessThatDiesBetweenEvaluationAndDeliveryLosesNothing() throws {
        let rule = try alerts.insertRule(.crashFree, by: .editor)
        try fixture.setSessions(10_000, crashed: 50)
        try evaluate()
        _ = try alerts.claim(.webhook)
        // Another process goes on, after the lease of the one that died.
        let other = try fixture.reopened()
        other.wait(seconds: AlertStore.leaseSeconds)
        let elsewhere = other.alerts(.webhook)
        #expect(try other.evaluator(elsewhere).run().isEmpty)
        let lease = try #require(try elsewhere.claim(.webhook))
        #expect(lease.delivery.rule?.ruleID == rule.id)
        #expect(try elsewhere.finish(lease, .delivered) == .delivered)
        #expect(try elsewhere.claim(.webhook) == nil)
    }

    @Test func sendsADigestOnceAWeek() throws {
        // A Friday. The first call only notes the week.
        let digester = AlertDigester(alerts: alerts, insights: InsightStore(context: fixture.context))
        #expect(try !digester.runIfDue())
        _ = try alerts.insertRule(.crashFree, by: .editor)
        try fixture.setSessions(10_000, crashed: 50)
        try evaluate()
        fixture.now = try instant("2026-11-23T07:59:59.999Z")
        #expect(try !digester.runIfDue())
        fixture.now = try instant("2026-11-23T08:00:00Z")
        let other = try fixture.reopened()
        #expect(try digester.runIfDue())
        #expect(
            try !AlertDigester(
                alerts: other.alerts(.webhook), insights: InsightStore(context: other.context)
            ).runIfDue())
        let delivery = try #require(try alerts.overview(after: nil, limit: 1).deliveries.first)
        guard case .digest(let digest) = delivery.subject else { throw MalformedTestData() }
        #expect(digest.weekOn.iso == "2026-11-23" && digest.firing == ["Crash-free sessions"])
        #expect(digest.lines.count == 5)
        #expect(digest.lines.last?.thisWeek == "99.5" && digest.lines.last?.lastWeek == nil)
        let message = String(decoding: SlackMessage.body(of: delivery), as: UTF8.self)
        #expect(message.contains("crash free sessions 99.5 % (this week 99.5 %, last week none)"))
        fixture.now = try instant("2026-11-30T08:00:00Z")
        #expect(try digester.runIfDue())
        // On Mondays in the zone of the figures, and in that day's words.
        let zone = ReportZone(context: fixture.context, log: EventLog(context: fixture.context))
        #expect(try zone.adopt("Asia/Tokyo", by: .editor) == .recounted)
        fixture.now = try instant("2026-12-06T22:59:59.999Z")
        #expect(try !digester.runIfDue())
        fixture.now = try instant("2026-12-06T23:00:00Z")
        #expect(try digester.runIfDue())
        let later = try #require(try alerts.overview(after: nil, limit: 1).deliveries.first)
        guard case .digest(let inTokyo) = later.subject else { throw MalformedTestData() }
        #expect(inTokyo.weekOn.iso == "2026-12-07" && inTokyo.zone == "Asia/Tokyo")
        #expect(String(decoding: SlackMessage.body(of: later), as: UTF8.self).contains("2026-12-07 (Asia/Tokyo)"))
    }

    /// A figure that is behind is not evaluated: it would fire for users who are not counted yet.
    @Test func waitsForCompleteFigures() throws {
        let rule = try alerts.insertRule(
            AlertRuleDraft(
                name: "Few users", figure: .users, comparison: .below, value: AlertValue(thousandths: 1000),
                window: AlertWindow("1d")), by: .editor)
        let log = EventLog(context: fixture.context)
        _ = try log.append([try EventBatch([event(1, user: 1, at: "2026-11-20T09:00:00Z")])])
        try log.settle()
        // As after a restore, in which the figures are behind the log.
        try fixture.store.write { _ = try $0.execute("UPDATE event_folds SET folded_block_id = 0 WHERE id = 1") }
        let context = try fixture.reopened().context
        let hasBegun = DispatchSemaphore(value: 0)
        let blocking = OwnThread {
            try context.store.write(in: .figures) { _ in
                hasBegun.signal()
                Thread.sleep(forTimeInterval: 3)
            }
        }
        hasBegun.wait()
        #expect(try evaluate().isEmpty)
        #expect(try alerts.rule(rule.id)?.current.evaluatedAt == nil)
        try blocking.value()
        #expect(try evaluate().isEmpty)
        #expect(try state(of: rule) == .ok)
    }
}

extension AlertRuleDraft {
    /// The example of the documentation.
    fileprivate static let crashFree = AlertRuleDraft(
        name: "Crash-free sessions", figure: .crashFreeSessions, comparison: .below,
        value: AlertValue(thousandths: 99_900), window: AlertWindow("24h"), minimumSample: 1000)

    fileprivate func muted(until instant: UTCInstant) -> AlertRuleDraft {
        AlertRuleDraft(
            name: name, figure: figure, comparison: comparison, value: value, window: window,
            minimumSample: minimumSample, mutedUntil: instant)
    }
}

extension BackendFixture {
    func evaluator(_ alerts: AlertStore, storagePercent: Int64? = nil) -> AlertRuleEvaluator {
        AlertRuleEvaluator(
            alerts: alerts, insights: InsightStore(context: context), storagePercent: { storagePercent })
    }

    /// The sessions of the present hour.
    fileprivate func setSessions(_ count: Int64, crashed: Int64) throws {
        let hour = now.secondsSinceEpoch / 3600
        try store.write { transaction in
            try transaction.execute("DELETE FROM session_hours")
            try transaction.execute(
                """
                INSERT INTO session_hours
                    (hour_number, release_id, session_count, crashed_count, abnormal_count, errored_count)
                VALUES (?, 1, ?, ?, 0, 0)
                """, [.integer(hour), .integer(count), .integer(crashed)])
        }
    }
}
