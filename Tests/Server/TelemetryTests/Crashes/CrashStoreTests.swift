import BackendTestKit
import Foundation
import JSONWire
import ServerAccess
import SubGuardDomain
import Telemetry
import Testing

@Suite struct CrashStoreTests {
    private let fixture: BackendFixture

    init() throws { fixture = try BackendFixture() }

    private func report(_ message: String, id: UInt64? = nil, release: String? = "1.0", at: String? = nil) throws
        -> CrashReport
    {
        CrashReport(
            id: id.map { makeID($0) }, occurredAt: try at.map { try instant($0) } ?? fixture.now, groupKey: message,
            title: message, culprit: nil, platform: "ios", level: .fatal, release: release,
            sample: Array(#"{"m":"\#(message)"}"#.utf8))
    }

    private func store(_ limits: (inout CrashStoreLimits) -> Void = { _ in }) -> CrashStore {
        var given = CrashStoreLimits()
        limits(&given)
        return CrashStore(context: fixture.context, limits: given)
    }

    @discardableResult
    private func record(
        _ reports: [CrashReport] = [], updates: [SessionUpdate] = [], counts: [SessionCount] = [], in store: CrashStore
    ) throws -> CrashTally {
        var submission = CrashSubmission()
        submission.reports = reports
        submission.updates = updates
        submission.counts = counts
        return try store.record(submission, receivedAt: fixture.now)
    }

    private func session(
        _ number: UInt64, _ status: SessionStatus, isFirst: Bool = true, release: String = "1.0", at: String? = nil
    ) throws -> SessionUpdate {
        SessionUpdate(
            id: makeID(number), isFirst: isFirst, startedAt: try at.map { try instant($0) } ?? fixture.now,
            status: status, hasErrors: false, release: release)
    }

    private func rate() throws -> DashboardFigure {
        try InsightStore(context: fixture.context).dashboard().crashFreeSessions
    }

    @Test func countsEachIDOnce() throws {
        let store = store()
        let tally = try record([report("a", id: 1), report("a", id: 1), report("a", id: 2), report("a")], in: store)
        #expect(tally.reports == 3)
        #expect(tally.duplicates == 1)
        #expect(try record([report("b", id: 2)], in: store).duplicates == 1)
        #expect(try store.list(after: nil, limit: 10).groups.map(\.count) == [3])
    }

    @Test func keepsFirstAndLastWhateverTheOrder() throws {
        let store = store()
        try record(
            [
                report("a", at: "2026-11-10T00:00:00Z"), report("a", release: "2.0", at: "2026-11-01T00:00:00Z"),
                report("a", release: nil, at: "2026-11-12T00:00:00Z"), report("a", at: "2026-11-11T00:00:00Z"),
            ], in: store)
        let group = try #require(try store.list(after: nil, limit: 10).groups.first)
        #expect(group.firstSeenAt.rfc3339 == "2026-11-01T00:00:00Z")
        #expect(group.lastSeenAt.rfc3339 == "2026-11-12T00:00:00Z")
        #expect(group.releases.map(\.name) == ["1.0", nil, "2.0"])
        #expect(group.releases.map(\.count) == [2, 1, 1])
        #expect(group.releases[0].lastSeenAt.rfc3339 == "2026-11-11T00:00:00Z")
    }

    @Test func holdsACrashLoopInBounds() throws {
        let store = store {
            $0.groups = 2
            $0.samplesPerGroup = 3
            $0.releases = 3
            $0.releasesPerGroup = 2
            $0.receipts = 5
        }
        for number in 0..<20 {
            try record([report("m\(number % 4)", id: UInt64(number), release: "r\(number)")], in: store)
        }
        let groups = try store.list(after: nil, limit: 10).groups
        #expect(groups.count == 3)
        #expect(groups.contains { $0.title == "m3" })
        #expect(groups.map(\.count).reduce(0, +) == 20)
        #expect(groups.first { $0.title == CrashStore.overflowTitle }?.count == 18)
        #expect(groups.allSatisfy { $0.releases.count <= 3 })
        #expect(groups.allSatisfy { $0.releases.map(\.count).reduce(0, +) == $0.count })
        #expect(try fixture.count("SELECT count(*) FROM crash_samples") == 2)
        #expect(try fixture.count("SELECT count(*) FROM crash_receipts") == 5)
        #expect(try fixture.count("SELECT count(*) FROM crash_releases") <= 4)
    }

    @Test func keepsTheFirstSampleAndTheNewest() throws {
        let store = store { $0.samplesPerGroup = 3 }
        for second in 0..<6 { try record([report("a", at: "2026-11-20T09:00:0\(second)Z")], in: store) }
        let id = try #require(try store.list(after: nil, limit: 1).groups.first?.id)
        let samples = try #require(try store.find(id)).samples
        #expect(
            samples.map(\.occurredAt.rfc3339) == [
                "2026-11-20T09:00:05Z", "2026-11-20T09:00:04Z", "2026-11-20T09:00:00Z",
            ])
        #expect(try store.find(makeID(99)) == nil)
        // In the order of the crashes, however they came.
        try record([1, 3, 2].map { try report("a", at: "2026-11-20T09:01:0\($0)Z") }, in: store)
        let sorted = try #require(try store.find(id)).samples.map(\.occurredAt)
        #expect(sorted.count == 3 && sorted == sorted.sorted(by: >))
    }

    @Test func pagesShowEachGroupOnce() throws {
        let store = store()
        try record(try (0..<7).map { try report("m\($0)", at: "2026-11-20T09:00:0\($0 / 3)Z") }, in: store)
        var seen: [String] = []
        let query = CrashListQuery()
        var cursor: PageCursor?
        repeat {
            let page = try store.list(after: cursor, limit: 2)
            seen += page.groups.map(\.title)
            cursor = page.next
            guard let next = cursor else { continue }
            #expect(PageCursor(next.encoded(for: query.list), of: query.list) == next)
            #expect(PageCursor(next.encoded(for: query.list), of: CrashListQuery(sort: .count).list) == nil)
        } while cursor != nil
        #expect(seen.count == 7)
        #expect(Set(seen).count == 7)
    }

    @Test func countsSessionsByReleaseAndKeepsTheRate() throws {
        let store = store()
        let unknown = try rate()
        #expect([unknown.value, unknown.thisWeek, unknown.lastWeek, unknown.trendPercent].allSatisfy { $0 == nil })
        try record(
            updates: [
                session(1, .ok), session(1, .crashed, isFirst: false), session(1, .exited, isFirst: false),
                session(2, .exited, release: "2.0"), session(2, .crashed, release: "2.0"),
                session(3, .exited, release: "2.0", at: "2026-11-10T10:00:00Z"),
            ], in: store)
        #expect(try rate().value == .tenths(667))
        #expect(try rate().thisWeek == .tenths(500))
        #expect(try rate().lastWeek == .tenths(1000))
        #expect(try rate().trendPercent == .tenths(-500))
        let health = try store.releaseHealth(at: fixture.now)
        #expect(health.map(\.release) == ["2.0", "1.0"])
        #expect(health.map(\.crashFree) == [.tenths(1000), .tenths(0)])
    }

    @Test func movesSessionsOutOfTheWindowByWholeHours() throws {
        let store = store()
        try record(updates: [session(1, .crashed, at: "2026-11-20T09:59:00Z")], in: store)
        fixture.now = try instant("2026-12-20T08:59:59Z")
        #expect(try rate().value == .tenths(0))
        fixture.now = try instant("2026-12-20T09:00:00Z")
        #expect(try rate().value == nil)
    }

    @Test func countsOthersCountsOnceByTheirID() throws {
        let store = store()
        let count = SessionCount(
            id: makeID(5), startedAt: fixture.now, release: "1.0", tally: SessionTally(sessions: 8, crashed: 1))
        let old = SessionCount(
            id: nil, startedAt: try instant("2026-10-20T00:00:00Z"), release: "1.0",
            tally: SessionTally(sessions: 8, crashed: 1))
        let tally = try record(counts: [count, count, old], in: store)
        #expect(tally.sessions == 8)
        #expect(tally.duplicates == 1)
        #expect(tally.lateSessions == 1)
        #expect(try rate().value == .tenths(875))
    }

    @Test func purgesWhatIsOldAndKeepsTheRest() throws {
        let store = store()
        try record([report("old", release: "0.9")], updates: [session(1, .ok, release: "0.9")], in: store)
        fixture.now = fixture.now.adding(days: 6)
        try store.purge(before: fixture.now.adding(days: -90))
        // Five days of updates and one more: the session may still be updated.
        #expect(try fixture.count("SELECT count(*) FROM crash_sessions") == 1)
        fixture.now = fixture.now.adding(seconds: 1)
        try store.purge(before: fixture.now.adding(days: -90))
        #expect(try fixture.count("SELECT count(*) FROM crash_sessions") == 0)
        fixture.now = fixture.now.adding(days: 90)
        try record([report("new")], updates: [session(2, .ok)], in: store)
        try store.purge(before: fixture.now.adding(days: -90))
        #expect(try store.list(after: nil, limit: 10).groups.map(\.title) == ["new"])
        #expect(try fixture.count("SELECT count(*) FROM session_hours") == 1)
        #expect(try fixture.texts("SELECT name FROM crash_releases") == ["1.0"])
        #expect(try fixture.count("SELECT count(*) FROM crash_samples") == 1)
    }

    @Test func writesATableThatNoSpreadsheetRuns() throws {
        let store = store()
        try record([report("=1+1, \"x\"")], in: store)
        let csv = String(decoding: CrashStore.csv(try store.list(after: nil, limit: 5).groups), as: UTF8.self)
        #expect(csv.contains(#","'=1+1, ""x""","#))
    }
}
