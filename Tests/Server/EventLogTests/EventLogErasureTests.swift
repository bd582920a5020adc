import BackendTestKit
import EventLog
import Foundation
import SQLDatabase
import ServerAccess
import SubGuardDomain
import SubGuardSQL
import Telemetry
import TestKit
import Testing

struct EventLogErasureTests {
    private let folder: TemporaryFolder
    private let fixture: BackendFixture
    private let log: EventLog

    init() throws {
        folder = try TemporaryFolder()
        fixture = try BackendFixture(path: folder.file("store.sqlite"))
        log = EventLog(context: fixture.context)
    }

    private static let users = 12

    /// Several blocks of several users each, with every kind of event.
    private func fill(blocks: Int = 30, from first: UInt64 = 1) throws {
        var number = first
        for block in 0..<blocks {
            let events = try (0..<20).map { index in
                defer { number += 1 }
                let name = EventRegistry.events[(block + index) % EventRegistry.events.count].name
                return try event(
                    number, name, user: (block * 7 + index) % Self.users,
                    at: fixture.now.adding(milliseconds: -Int64(number) * 3_600_001))
            }
            _ = try log.append([EventBatch(events)])
        }
    }

    private func sweep() throws { while try log.takeErasureStep() {} }

    /// Everything that the figures are computed from, except the hashes.
    private func figures() throws -> [String] {
        try [
            "figure_days", "figure_hours", "figure_totals", "figure_moments", "item_additions", "event_days",
            "activity_days", "funnel_days",
        ]
        .flatMap { table in
            let columns = try fixture.texts("SELECT name FROM pragma_table_info('\(table)') ORDER BY cid")
                .map { "coalesce(\($0), '')" }.joined(separator: " || '|' || ")
            return try fixture.texts("SELECT \(columns) FROM \(table) ORDER BY 1").map { "\(table) \($0)" }
        }
            + fixture.users().map(\.description).sorted()
    }

    private func expectClean(_ sourceLocation: SourceLocation = #_sourceLocation) throws {
        let result = try FigureVerifier(context: fixture.context).verify()
        #expect(result.differences == [], sourceLocation: sourceLocation)
    }

    @Test func keepsEveryFigureAndLeavesTheHashNowhere() throws {
        try fill()
        let (before, events) = (try figures(), try fixture.events())
        for user in [3, 4] { try log.requestErasure(of: userHash(user)) }
        try log.requestErasure(of: userHash(3))
        try sweep()
        try expectClean()
        #expect(try figures() == before)
        let after = try fixture.events()
        #expect(after.map(\.id) == events.map(\.id))
        let new = Set(after.map(\.userID)).subtracting(events.map(\.userID))
        // Two users remain two.
        #expect(new.count == 2)
        for (old, now) in zip(events, after) where old.userID != userHash(3) && old.userID != userHash(4) {
            #expect(old == now)
        }
        #expect(try fixture.count("SELECT count(*) FROM analytics_erasures") == 0)
        try fixture.store.close()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("store.sqlite")))
        #expect(bytes.range(of: Data(userHash(3).bytes)) == nil)
        #expect(bytes.range(of: Data(userHash(4).bytes)) == nil)
        #expect(bytes.range(of: Data(userHash(5).bytes)) != nil)
    }

    /// One step at a time, each in another process, with the figures verified in between.
    @Test func goesOnWhereAnotherProcessStopped() throws {
        try fill(blocks: 450)
        let before = try figures()
        try log.requestErasure(of: userHash(1))
        var steps = 0
        while try EventLog(context: try fixture.reopened(seed: UInt64(steps + 5)).context).takeErasureStep() {
            steps += 1
            try expectClean()
            // A request during a sweep is not lost.
            if steps == 2 { try log.requestErasure(of: userHash(2)) }
        }
        #expect(steps >= 4)
        try expectClean()
        #expect(try figures() == before)
        let known = Set(try fixture.events().map(\.userID))
        #expect(!known.contains(userHash(1)) && !known.contains(userHash(2)) && known.count == Self.users)
    }

    /// Events that arrive during and after the erasure count as those of a new user.
    @Test func countsWhatComesLaterAsSomebodyNew() throws {
        try fill()
        try log.requestErasure(of: userHash(1))
        try log.takeErasureStep()
        _ = try log.append([EventBatch([event(90_001, user: 1, at: fixture.now.rfc3339)])])
        try expectClean()
        try sweep()
        _ = try log.append([EventBatch([event(90_002, user: 1, at: fixture.now.rfc3339)])])
        // An event that was counted under the old hash is a duplicate.
        let receipt = try log.append([EventBatch([event(1, user: 1, at: fixture.now.rfc3339)])])
        #expect(receipt.first?.duplicates == 1)
        #expect(try fixture.users().count == Self.users + 1)
        try expectClean()
    }

    /// Nor does the hash stay in what a device reports while a sweep runs and asks to erase again.
    @Test func carriesOutARequestRepeatedDuringASweep() throws {
        let fixture = try BackendFixture()
        let log = EventLog(context: fixture.context)
        func report(_ number: UInt64, user: Int) throws {
            _ = try log.append([EventBatch([event(number, user: user, at: fixture.now.rfc3339)])])
        }
        for user in 1...3 { try report(UInt64(user), user: user) }
        for user in [1, 2] { try log.requestErasure(of: userHash(user)) }
        try log.takeErasureStep()
        #expect(try fixture.count("SELECT count(*) FROM analytics_erasures WHERE replacement_hash IS NOT NULL") == 2)
        for user in [1, 2] { try report(UInt64(10 + user), user: user) }
        fixture.now = fixture.now.adding(seconds: 1)
        for _ in 0..<2 { try log.requestErasure(of: userHash(1)) }
        while try log.takeErasureStep(beginsNext: false) {}
        let waiting = "SELECT count(*) FROM analytics_erasures WHERE replacement_hash IS NULL AND requested_at = ?"
        #expect(try fixture.count(waiting, [.instant(fixture.now)]) == 1)
        while try log.takeErasureStep() {}
        #expect(try fixture.count("SELECT count(*) FROM analytics_erasures") == 0)
        let known = Set(try fixture.events().map(\.userID))
        #expect(!known.contains(userHash(1)) && known.contains(userHash(2)) && known.contains(userHash(3)))
        #expect(known.count == 5)
        #expect(try FigureVerifier(context: fixture.context).verify().differences == [])
    }

    /// However many requests there are, the log is read once per minute.
    @Test func joinsTheRequestsOfAMinute() throws {
        try fill()
        let leases = JobLeases(context: fixture.context)
        try log.requestErasure(of: userHash(1))
        try log.eraseIfDue(leases)
        #expect(try fixture.count("SELECT count(*) FROM analytics_erasures") == 0)
        for user in 2...4 {
            try log.requestErasure(of: userHash(user))
            try log.eraseIfDue(leases)
        }
        #expect(try fixture.count("SELECT count(*) FROM analytics_erasures") == 3)
        #expect(try fixture.count("SELECT count(*) FROM analytics_erasures WHERE replacement_hash IS NULL") == 3)
        fixture.now = fixture.now.adding(seconds: EventLog.erasureIntervalSeconds)
        try log.eraseIfDue(leases)
        #expect(try fixture.count("SELECT count(*) FROM analytics_erasures") == 0)
        let known = Set(try fixture.events().map(\.userID))
        #expect((1...4).allSatisfy { !known.contains(userHash($0)) })
        try expectClean()
    }

    /// A sweep that a server left unfinished continues at once, without later requests.
    @Test func goesOnWithASweepBeforeTheMinuteIsOver() throws {
        try fill(blocks: 450)
        let leases = JobLeases(context: fixture.context)
        var isStopping = false
        try log.requestErasure(of: userHash(1))
        try log.eraseIfDue(leases) {
            defer { isStopping = true }
            return isStopping
        }
        #expect(try fixture.count("SELECT count(*) FROM analytics_erasures WHERE replacement_hash IS NOT NULL") == 1)
        try log.requestErasure(of: userHash(2))
        try log.eraseIfDue(leases)
        #expect(try fixture.count("SELECT count(*) FROM analytics_erasures") == 1)
        #expect(Set(try fixture.events().map(\.userID)).contains(userHash(2)))
    }

    @Test func boundsWhatWaits() throws {
        try fixture.store.write { transaction in
            for number in 1...EventLog.maximumPendingErasures {
                try transaction.execute(
                    "INSERT INTO analytics_erasures (user_hash, requested_at) VALUES (?, ?)",
                    [.blob(userHash(Int(number)).bytes), .integer(fixture.now.millisecondsSinceEpoch)])
            }
        }
        #expect(throws: BackendError.overloaded(retryAfterSeconds: 60)) {
            try log.requestErasure(of: userHash(20_001))
        }
        try log.requestErasure(of: userHash(1))
        // None of them ever sent events: their requests are complete without a sweep.
        #expect(try !log.takeErasureStep())
        try log.requestErasure(of: userHash(20_001))
    }

    @Test func countsFirstWhatWaits() throws {
        try fill(blocks: 3)
        try log.requestErasure(of: userHash(1))
        #expect(log.currentFigures.unfoldedEvents > 0)
        try sweep()
        try expectClean()
        #expect(try fixture.users().count == Self.users)
    }

    @Test func isDoneAtOnceForWhoNeverReported() throws {
        try log.requestErasure(of: userHash(77))
        #expect(try !log.takeErasureStep())
        #expect(try fixture.count("SELECT count(*) FROM analytics_erasures") == 0)
        #expect(try !log.takeErasureStep())
    }

    @Test func survivesBlocksThatArePurgedMeanwhile() throws {
        try fill(blocks: 450)
        try log.requestErasure(of: userHash(1))
        try log.takeErasureStep()
        try log.takeErasureStep()
        fixture.now = fixture.now.adding(days: 100)
        try log.purge(before: fixture.now.adding(days: -90))
        try sweep()
        try expectClean()
        #expect(try fixture.count("SELECT count(*) FROM analytics_erasures") == 0)
    }
}
