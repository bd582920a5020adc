import BackendTestKit
import Foundation
import SQLDatabase
import SubGuardDomain
import Synchronization
import Telemetry
import Testing

/// What is evicted at the limits, and what an attacker cannot evict.
@Suite struct CrashEvictionTests {
    private let fixture: BackendFixture

    init() throws { fixture = try BackendFixture() }

    /// A client with a limited quota.
    private final class Client: CrashQuota {
        let mark: Int
        private let left: Mutex<[CrashAddition: Int64]>

        init(mark: Int, _ left: [CrashAddition: Int64] = [:]) {
            self.mark = mark
            self.left = Mutex(left)
        }

        func take(_ addition: CrashAddition, _ count: Int64) -> Bool {
            left.withLock { left in
                guard let there = left[addition] else { return true }
                guard there >= count else { return false }
                left[addition] = there - count
                return true
            }
        }

        func giveBack(_ addition: CrashAddition, _ count: Int64) {
            left.withLock { left in
                if let there = left[addition] { left[addition] = there + count }
            }
        }

        func left(_ addition: CrashAddition) -> Int64? { left.withLock { $0[addition] } }
    }

    private func store(
        groups: Int64 = 20, releases: Int64 = 20, releasesPerGroup: Int64 = 5, known: [String] = []
    ) -> CrashStore {
        var limits = CrashStoreLimits()
        limits.groups = groups
        limits.releases = releases
        limits.releasesPerGroup = releasesPerGroup
        return CrashStore(context: fixture.context, limits: limits, knownReleases: KnownReleases(known))
    }

    private func report(_ key: String, release: String? = "1.0", at: UTCInstant? = nil) -> CrashReport {
        CrashReport(
            id: nil, occurredAt: at ?? fixture.now, groupKey: key, title: key, culprit: nil, platform: nil,
            level: .error, release: release, sample: Array("{}".utf8))
    }

    @discardableResult
    private func send(_ reports: [CrashReport], by client: Client, to store: CrashStore) throws -> CrashTally {
        var submission = CrashSubmission()
        submission.reports = reports
        return try store.record(submission, receivedAt: fixture.now, quota: client)
    }

    private func groups(_ store: CrashStore) throws -> [String: CrashGroup] {
        let groups = try store.list(after: nil, limit: 500).groups
        #expect(groups.allSatisfy { $0.releases.map(\.count).reduce(0, +) == $0.count })
        return Dictionary(uniqueKeysWithValues: groups.map { ($0.title, $0) })
    }

    @Test func aFloodOfInventedGroupsDoesNotHideATrueOne() throws {
        let store = store()
        let attacker = Client(mark: 1)
        for number in 0..<300 { try send([report("invented \(number)")], by: attacker, to: store) }
        fixture.now = fixture.now.adding(seconds: 1)
        try send([report("true")], by: Client(mark: 2), to: store)
        // With one more, the real group would no longer be in the newest half.
        for number in 300..<309 { try send([report("invented \(number)")], by: attacker, to: store) }
        let groups = try groups(store)
        #expect(groups.count == 21)
        #expect(groups["true"]?.count == 1)
        #expect(groups.values.map(\.count).reduce(0, +) == 310)
        #expect(groups[CrashStore.overflowTitle]?.count == 290)
    }

    @Test func whatManyReportOutlivesWhatOneReportsOften() throws {
        let store = store()
        for mark in 10..<13 { try send([report("true")], by: Client(mark: mark), to: store) }
        let attacker = Client(mark: 1)
        for number in 0..<60 {
            fixture.now = fixture.now.adding(seconds: 1)
            try send((0..<50).map { _ in report("invented \(number)") }, by: attacker, to: store)
        }
        #expect(try groups(store)["true"]?.count == 3)
    }

    @Test func whatIsReportedOnSeveralDaysOutlivesOneDay() throws {
        let store = store()
        for _ in 0..<4 {
            try send([report("true")], by: Client(mark: 5), to: store)
            fixture.now = fixture.now.adding(days: 1)
        }
        for number in 0..<100 { try send([report("invented \(number)")], by: Client(mark: 1), to: store) }
        #expect(try groups(store)["true"]?.count == 4)
        // If it is not reported for a long time, it ranks no higher than a new one.
        fixture.now = fixture.now.adding(days: 80)
        for number in 100..<200 { try send([report("invented \(number)")], by: Client(mark: 1), to: store) }
        #expect(try groups(store)["true"] == nil)
    }

    @Test func whatAnAdministratorDecidedOnGoesLast() throws {
        let store = store()
        try send([report("ignored"), report("resolved"), report("open")], by: Client(mark: 5), to: store)
        var groups = try groups(store)
        try store.apply(.ignore, to: #require(groups["ignored"]?.id), ifRevision: nil, by: .editor)
        try store.apply(.resolve, to: #require(groups["resolved"]?.id), ifRevision: nil, by: .editor)
        fixture.now = fixture.now.adding(seconds: 1)
        for number in 0..<200 { try send([report("invented \(number)")], by: Client(mark: 1), to: store) }
        groups = try self.groups(store)
        #expect(groups["ignored"]?.status == .ignored)
        #expect(groups["resolved"]?.status == .resolved)
        #expect(groups["open"] == nil)
    }

    @Test func releasesGiveWayWithTheirSessions() throws {
        let store = store(releases: 4)
        var submission = CrashSubmission()
        submission.updates = [session(1, .ok, "r0")]
        try store.record(submission, receivedAt: fixture.now, quota: Client(mark: 1))
        for number in 0..<20 {
            var submission = CrashSubmission()
            submission.reports = [report("fault", release: "r\(number)")]
            submission.counts = [count(10, crashed: 1, "r\(number)")]
            try store.record(submission, receivedAt: fixture.now, quota: Client(mark: 1))
        }
        var health = try store.releaseHealth(at: fixture.now)
        #expect(health.count == 5)
        #expect(health.map(\.tally.sessions).reduce(0, +) == 201)
        #expect(health.map(\.tally.crashed).reduce(0, +) == 20)
        #expect(health.map(\.reports).reduce(0, +) == 20)
        #expect(health.contains { $0.release == "r19" })
        // The end of a session whose release was evicted counts in the overflow release.
        submission.updates = [session(1, .crashed, "r0", isFirst: false)]
        try store.record(submission, receivedAt: fixture.now, quota: Client(mark: 1))
        health = try store.releaseHealth(at: fixture.now)
        #expect(health.first { $0.release == CrashStore.otherRelease }?.tally.crashed == 17)
        #expect(health.allSatisfy { $0.tally.crashed <= $0.tally.sessions })
        #expect(try groups(store)["fault"]?.count == 20)
    }

    @Test func aReleaseThatManyReportStaysInItsGroup() throws {
        let store = store(releases: 100)
        for mark in 10..<14 { try send([report("fault", release: "2.0")], by: Client(mark: mark), to: store) }
        for number in 0..<60 {
            fixture.now = fixture.now.adding(seconds: 1)
            let reports = (0..<9).map { _ in report("fault", release: "0.\(number)") }
            try send(reports, by: Client(mark: 1), to: store)
        }
        let group = try #require(try groups(store)["fault"])
        #expect(group.count == 4 + 60 * 9)
        #expect(group.releases.count == 6)
        #expect(group.releases.first { $0.name == "2.0" }?.count == 4)
    }

    @Test func aClientAddsOnlySoMuch() throws {
        let store = store()
        let client = Client(mark: 1, [.group: 2, .release: 1, .session: 15])
        var submission = CrashSubmission()
        submission.reports = (0..<5).map { report("fault \($0)", release: "r\($0)") }
        submission.counts = [count(10, crashed: 1, "r0"), count(10, crashed: 10, "r0"), count(5, crashed: 0, "r9")]
        submission.updates = [session(1, .ok, "r0")]
        let tally = try store.record(submission, receivedAt: fixture.now, quota: client)
        #expect(tally.reports == 5)
        #expect(tally.folded[.groupQuota] == 3)
        // The releases of four reports, but of no session: "r9" was rejected before its release was checked.
        #expect(tally.folded[.releaseQuota] == 4)
        #expect(tally.sessions == 11)
        #expect(tally.refusedSessions == 15)
        let groups = try groups(store)
        #expect(groups.keys.sorted() == ["(other crashes)", "fault 0", "fault 1"])
        #expect(groups.values.map(\.count).reduce(0, +) == 5)
        // Existing groups and releases use no quota.
        #expect(try send([report("fault 0", release: "r0")], by: client, to: store).folded.isEmpty)
        // Other clients are not affected.
        #expect(try send([report("fault 9")], by: Client(mark: 2, [.group: 1]), to: store).folded.isEmpty)
    }

    @Test func aFailedTransactionTakesNothing() throws {
        let store = store()
        let client = Client(mark: 1, [.group: 3, .release: 3, .session: 30])
        var submission = CrashSubmission()
        submission.reports = [report("fault")]
        submission.counts = [count(10, crashed: 1, "r0")]
        // The database rejects the last statement of the transaction.
        try fixture.store.write { try $0.execute("ALTER TABLE crash_receipts RENAME TO hidden") }
        #expect(throws: (any Error).self) {
            try store.record(submission, receivedAt: fixture.now, quota: client)
        }
        #expect(client.left(.group) == 3)
        #expect(client.left(.release) == 3)
        #expect(client.left(.session) == 30)
        try fixture.store.write { try $0.execute("ALTER TABLE hidden RENAME TO crash_receipts") }
        try store.record(submission, receivedAt: fixture.now, quota: client)
        #expect(client.left(.group) == 2)
        #expect(client.left(.release) == 1)
        #expect(client.left(.session) == 20)
    }

    @Test func onlyKnownReleasesHaveANameOfTheirOwn() throws {
        let store = store(known: ["1.0", "app@2.*"])
        var submission = CrashSubmission()
        submission.reports = ["1.0", "1.0.1", "app@2.7", "app@20", nil, "(other)"].map {
            report("fault", release: $0)
        }
        submission.counts = [count(3, crashed: 0, "9.9")]
        let tally = try store.record(submission, receivedAt: fixture.now)
        #expect(tally.folded[.releaseUnknown] == 3)
        let group = try #require(try groups(store)["fault"])
        let counts = Dictionary(uniqueKeysWithValues: group.releases.map { ($0.name ?? "", $0.count) })
        #expect(counts == ["1.0": 1, "app@2.7": 1, "": 1, "(other)": 3])
        #expect(try store.releaseHealth(at: fixture.now).first?.release == "(other)")
    }

    @Test(arguments: [
        ("1.0", true), ("app@1.*", true), ("*", true), ("Shop App@1.0 (7)", true), ("", false), ("1.*.0", false),
        ("é", false), (String(repeating: "1", count: 97), false),
    ])
    func aPatternHasTheFormOfARelease(_ text: String, _ isPattern: Bool) {
        #expect(KnownReleases.isPattern(text) == isPattern)
    }

    private func session(_ number: UInt64, _ status: SessionStatus, _ release: String, isFirst: Bool = true)
        -> SessionUpdate
    {
        SessionUpdate(
            id: makeID(number), isFirst: isFirst, startedAt: fixture.now, status: status, hasErrors: false,
            release: release)
    }

    private func count(_ sessions: Int64, crashed: Int64, _ release: String) -> SessionCount {
        SessionCount(
            id: nil, startedAt: fixture.now, release: release,
            tally: SessionTally(sessions: sessions, crashed: crashed))
    }
}
