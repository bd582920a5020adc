import BackendTestKit
import Foundation
import SubGuardDomain
import Telemetry
import Testing

@Suite struct CrashTrendTests {
    private let fixture: BackendFixture

    init() throws { fixture = try BackendFixture() }

    private func record(
        _ reports: [(name: String, platform: String, release: String?, at: String)], _ store: CrashStore
    )
        throws
    {
        var submission = CrashSubmission()
        submission.reports = try reports.map { report in
            CrashReport(
                id: nil, occurredAt: try instant(report.at), groupKey: report.name, title: report.name, culprit: nil,
                platform: report.platform, level: .error, release: report.release, sample: Array("{}".utf8))
        }
        try store.record(submission, receivedAt: fixture.now)
    }

    private func trends(_ store: CrashStore, days: Int = 3) throws -> [String: [Int64]] {
        let groups = try store.list(after: nil, limit: 10).groups
        let trends = try store.trends(of: groups.map(\.id), days: days, through: fixture.now.day)
        return Dictionary(uniqueKeysWithValues: groups.map { ($0.title, trends[$0.id] ?? []) })
    }

    @Test func countsReportsByTheDayOfTheCrash() throws {
        let store = CrashStore(context: fixture.context)
        try record(
            [
                ("a", "ios", "1", "2026-11-18T00:00:00Z"), ("a", "ios", "1", "2026-11-18T23:59:59.999Z"),
                ("a", "ios", "1", "2026-11-20T00:00:00Z"), ("b", "ios", "1", "2026-11-17T23:59:59.999Z"),
            ], store)
        #expect(try trends(store) == ["a": [2, 0, 1], "b": [0, 0, 0]])
        #expect(try trends(store, days: 4)["b"] == [1, 0, 0, 0])
        #expect(try store.trends(of: [makeID(9)], days: 2, through: fixture.now.day) == [makeID(9): [0, 0]])
    }

    @Test func movesTheDaysOfAnEvictedGroup() throws {
        var limits = CrashStoreLimits()
        limits.groups = 2
        let store = CrashStore(context: fixture.context, limits: limits)
        for name in ["a", "b", "c", "d"] {
            try record(
                [(name, "ios", "1", "2026-11-19T00:00:00Z"), (name, "ios", "1", "2026-11-20T00:00:00Z")], store)
        }
        let all = try trends(store)
        #expect(all[CrashStore.overflowTitle] == [0, 2, 2])
        let total: Int64 = all.values.joined().reduce(0, +)
        #expect(total == 8)
    }

    @Test func forgetsDaysWithTheRetention() throws {
        let store = CrashStore(context: fixture.context)
        try record([("a", "ios", "1", "2026-11-18T00:00:00Z"), ("a", "ios", "1", "2026-11-20T00:00:00Z")], store)
        try store.purge(before: try instant("2026-11-19T12:00:00Z"))
        #expect(try trends(store)["a"] == [0, 0, 1])
        _ = try store.apply(
            .delete, to: try #require(try store.list(after: nil, limit: 1).groups.first).id, ifRevision: nil,
            by: .editor)
        #expect(try fixture.count("SELECT count(*) FROM crash_group_days") == 0)
    }

    @Test func filtersByPlatformAndReleaseAndCountsByStatus() throws {
        let store = CrashStore(context: fixture.context)
        try record(
            [
                ("a", "ios", "1.0", "2026-11-20T00:00:00Z"), ("b", "ios", "2.0", "2026-11-20T00:00:00Z"),
                ("c", "android", "2.0", "2026-11-20T00:00:00Z"), ("c", "android", nil, "2026-11-20T00:00:00Z"),
            ], store)
        func titles(_ query: CrashListQuery) throws -> Set<String> {
            Set(try store.list(query, after: nil, limit: 10).groups.map(\.title))
        }
        #expect(try titles(CrashListQuery(platform: "ios")) == ["a", "b"])
        #expect(try titles(CrashListQuery(release: "2.0")) == ["b", "c"])
        #expect(try titles(CrashListQuery(search: "c", platform: "android", release: "2.0")) == ["c"])
        #expect(try titles(CrashListQuery(platform: "IOS")).isEmpty)
        #expect(try titles(CrashListQuery(search: "C")) == ["c"])
        let releases = try store.list(after: nil, limit: 10).groups.map { ($0.title, $0.releases.map(\.name)) }
        #expect(
            Dictionary(uniqueKeysWithValues: releases) == ["a": ["1.0"], "b": ["2.0"], "c": [nil, "2.0"]])
        let group = try #require(try store.list(CrashListQuery(search: "b"), after: nil, limit: 1).groups.first)
        try store.apply(.ignore, to: group.id, ifRevision: nil, by: .editor)
        #expect(try store.counts() == [.open: 2, .ignored: 1])
        #expect(try store.counts(CrashListQuery(status: .open, release: "2.0")) == [.open: 1, .ignored: 1])
        #expect(
            try store.filterChoices() == CrashFilterChoices(platforms: ["android", "ios"], releases: ["2.0", "1.0"]))
        let health = try store.releaseHealth(at: fixture.now)
        let first = try instant("2026-11-20T00:00:00Z")
        #expect(health.map(\.firstSeenAt) == [first, first])
        // An older report that arrives late.
        try record([("a", "ios", "2.0", "2026-11-18T00:00:00Z"), ("a", "ios", "2.0", "2026-11-19T00:00:00Z")], store)
        let later = try store.releaseHealth(at: fixture.now)
        #expect(later.first { $0.release == "2.0" }?.firstSeenAt == (try instant("2026-11-18T00:00:00Z")))
        var sessions = CrashSubmission()
        sessions.counts = [
            SessionCount(
                id: nil, startedAt: try instant("2026-11-17T10:00:00Z"), release: "1.0",
                tally: SessionTally(sessions: 3, crashed: 0))
        ]
        try store.record(sessions, receivedAt: fixture.now)
        let last = try store.releaseHealth(at: fixture.now)
        #expect(last.first { $0.release == "1.0" }?.firstSeenAt == (try instant("2026-11-17T10:00:00Z")))
    }
}
