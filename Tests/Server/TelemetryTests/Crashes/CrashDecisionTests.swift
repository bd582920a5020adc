import BackendTestKit
import Foundation
import ServerAccess
import SubGuardDomain
import Telemetry
import Testing

@Suite struct CrashDecisionTests {
    private let fixture: BackendFixture
    private let store: CrashStore

    init() throws {
        fixture = try BackendFixture()
        store = CrashStore(context: fixture.context)
    }

    private func send(_ key: String, release: String = "1.0", at: UTCInstant? = nil) throws {
        var submission = CrashSubmission()
        submission.reports = [
            CrashReport(
                id: nil, occurredAt: at ?? fixture.now, groupKey: key, title: key, culprit: "100%_sure in f",
                platform: nil, level: .error, release: release, sample: Array("{}".utf8))
        ]
        try store.record(submission, receivedAt: fixture.now)
    }

    private func group(_ title: String) throws -> CrashGroup {
        try #require(try store.list(after: nil, limit: 100).groups.first { $0.title == title })
    }

    private func audit() throws -> [AuditChange] {
        try AuditLog(context: fixture.context).list(after: nil, limit: 100).map(\.change)
    }

    @Test func aResolvedGroupIsOpenAgainWhenItCrashesLater() throws {
        try send("fault")
        let id = try group("fault").id
        fixture.now = fixture.now.adding(seconds: 60)
        let resolved = try #require(try store.apply(.resolve, to: id, ifRevision: nil, by: .editor))
        #expect(resolved.status == .resolved)
        #expect(resolved.decidedAt == fixture.now)
        let resolvedAt = fixture.now
        // An earlier crash that is reported late.
        fixture.now = fixture.now.adding(seconds: 60)
        try send("fault", at: resolvedAt)
        #expect(try group("fault").status == .resolved)
        #expect(try group("fault").revision == resolved.revision)
        try send("fault")
        let regressed = try group("fault")
        #expect(regressed.status == .open)
        #expect(regressed.regressedAt == fixture.now)
        #expect(regressed.revision == resolved.revision + 1)
        #expect(regressed.count == 3)
        // The next decision clears that.
        #expect(try store.apply(.ignore, to: id, ifRevision: nil, by: .editor)?.regressedAt == nil)
        fixture.now = fixture.now.adding(seconds: 60)
        try send("fault")
        #expect(try group("fault").status == .ignored)
        let reopened = try #require(try store.apply(.reopen, to: id, ifRevision: nil, by: .editor))
        #expect(reopened.status == .open)
        #expect(reopened.decidedAt == nil)
        #expect(try audit().map(\.action) == ["crash.reopen", "crash.ignore", "crash.resolve"])
    }

    @Test func aDecisionThatIsMadeAlreadyChangesNothing() throws {
        try send("fault")
        let id = try group("fault").id
        let first = try store.apply(.resolve, to: id, ifRevision: nil, by: .editor)
        fixture.now = fixture.now.adding(seconds: 1)
        #expect(try store.apply(.resolve, to: id, ifRevision: nil, by: .editor) == first)
        #expect(try audit().count == 1)
    }

    @Test func theRevisionIsComparedAndNotTheCount() throws {
        try send("fault")
        let before = try group("fault")
        try send("fault")
        _ = try store.apply(.resolve, to: before.id, ifRevision: before.revision, by: .editor)
        #expect(throws: BackendError.preconditionFailed(currentRevision: before.revision + 1)) {
            try store.apply(.delete, to: before.id, ifRevision: before.revision, by: .editor)
        }
        #expect(try audit().count == 1)
        #expect(throws: BackendError.notFound(what: "crash group")) {
            try store.apply(.delete, to: makeID(77), ifRevision: nil, by: .editor)
        }
    }

    @Test func aDeletedGroupIsGoneWithEverythingAndMayComeAgain() throws {
        try send("fault")
        try send("other")
        let id = try group("fault").id
        #expect(try store.apply(.delete, to: id, ifRevision: nil, by: .editor) == nil)
        #expect(try store.find(id) == nil)
        #expect(try fixture.count("SELECT count(*) FROM crash_samples") == 1)
        #expect(try fixture.count("SELECT count(*) FROM crash_group_releases") == 1)
        try send("fault")
        #expect(try group("fault").count == 1)
        let change = try #require(try audit().first)
        #expect(change.before == #"{"type":null,"culprit":"100%_sure in f","count":1,"status":"open"}"#)
        #expect(change.after == nil)
        #expect(change.subjectID == id)
    }

    @Test func manyAtOnceHaveAResultEach() throws {
        for number in 0..<3 { try send("fault \(number)") }
        let ids = try (0..<3).map { try group("fault \($0)").id }
        let results = try store.apply(.delete, to: [ids[0], makeID(99), ids[2]], by: .editor)
        #expect(results.map(\.id) == [ids[0], makeID(99), ids[2]])
        #expect(results.map(\.outcome) == [.deleted, .notFound, .deleted])
        #expect(try store.list(after: nil, limit: 10).groups.map(\.title) == ["fault 1"])
        #expect(try audit().count == 2)
    }

    @Test func aDeletedReleaseCountsNoSessionAnyMore() throws {
        func session(_ status: SessionStatus, isFirst: Bool) -> SessionUpdate {
            SessionUpdate(
                id: makeID(1), isFirst: isFirst, startedAt: fixture.now, status: status, hasErrors: false,
                release: "666")
        }
        for release in ["1.0", "666"] {
            try send("fault", release: release)
            var submission = CrashSubmission()
            submission.counts = [
                SessionCount(
                    id: nil, startedAt: fixture.now, release: release, tally: SessionTally(sessions: 8, crashed: 4))
            ]
            try store.record(submission, receivedAt: fixture.now)
        }
        var submission = CrashSubmission()
        submission.updates = [session(.ok, isFirst: true)]
        try store.record(submission, receivedAt: fixture.now)
        let results = try store.deleteReleases(["666", "never"], by: .editor)
        #expect(results.map(\.name) == ["666", "never"])
        #expect(results.map(\.outcome) == [.deleted, .notFound])
        // The end of a session that no longer counts.
        submission.updates = [session(.crashed, isFirst: false)]
        try store.record(submission, receivedAt: fixture.now)
        let health = try store.releaseHealth(at: fixture.now)
        #expect(health.map(\.release) == ["1.0", "(other)"])
        #expect(health.map(\.tally.sessions) == [8, 0])
        #expect(health.map(\.tally.crashed) == [4, 0])
        #expect(health.map(\.reports) == [1, 1])
        #expect(health[1].crashFree == nil)
        #expect(try group("fault").releases.map(\.name) == ["(other)", "1.0"])
        #expect(
            try audit().first?.before == #"{"release":"666","sessions":9,"reports":1}"#)
        // It may be created again, and the overflow release can be deleted, too.
        try send("fault", release: "666")
        submission.updates = []
        submission.counts = [
            SessionCount(
                id: nil, startedAt: fixture.now, release: "(other)", tally: SessionTally(sessions: 2, crashed: 2))
        ]
        try store.record(submission, receivedAt: fixture.now)
        #expect(try store.deleteReleases(["(other)"], by: .editor).map(\.outcome) == [.deleted])
        let after = try store.releaseHealth(at: fixture.now)
        #expect(after.map(\.release) == ["1.0", "(other)", "666"])
        #expect(after.map(\.tally.sessions) == [8, 0, 0])
        #expect(after.map(\.reports) == [1, 1, 1])
        // The rows of deleted releases are purged once no session refers to them.
        fixture.now = fixture.now.adding(days: 7)
        try store.purge(before: fixture.now.adding(days: -90))
        #expect(try fixture.count("SELECT count(*) FROM crash_releases WHERE is_deleted = 1") == 0)
    }

    @Test func listsByStatusTextAndOrder() throws {
        try send("Beta", at: fixture.now.adding(seconds: -30))
        for _ in 0..<3 { try send("alpha", at: fixture.now.adding(seconds: -60)) }
        fixture.now = fixture.now.adding(seconds: 1)
        try send("alpha 2")
        try store.apply(.ignore, to: group("alpha").id, ifRevision: nil, by: .editor)
        func titles(_ query: CrashListQuery) throws -> [String] {
            try store.list(query, after: nil, limit: 10).groups.map(\.title)
        }
        #expect(try titles(CrashListQuery()) == ["alpha 2", "Beta", "alpha"])
        #expect(try titles(CrashListQuery(sort: .count)).first == "alpha")
        #expect(try titles(CrashListQuery(status: .open, sort: .firstSeen)) == ["alpha 2", "Beta"])
        #expect(try titles(CrashListQuery(search: "ALPHA")) == ["alpha 2", "alpha"])
        #expect(try titles(CrashListQuery(search: "bETA")) == ["Beta"])
        #expect(try titles(CrashListQuery(search: "100%_s")).count == 3)
        #expect(try titles(CrashListQuery(search: "1%s")).isEmpty)
        #expect(try titles(CrashListQuery(search: "100__sure")).isEmpty)
        #expect(try titles(CrashListQuery(search: "!")).isEmpty)
        let page = try store.list(CrashListQuery(sort: .count), after: nil, limit: 1)
        let rest = try store.list(CrashListQuery(sort: .count), after: page.next, limit: 10)
        #expect(Set(rest.groups.map(\.title)) == ["Beta", "alpha 2"])
    }
}
