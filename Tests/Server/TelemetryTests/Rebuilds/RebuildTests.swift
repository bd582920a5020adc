import BackendTestKit
import Catalogue
import EventLog
import Foundation
import SQLDatabase
import ServerAccess
import SubGuardDomain
import Telemetry
import TestKit
import Testing

struct RebuildTests {
    private let fixture: BackendFixture
    private let log: EventLog
    private let alerts: AlertStore

    init() throws {
        fixture = try BackendFixture(now: "2024-03-05T10:00:00Z")
        alerts = fixture.alerts(.slack, .webhook)
        log = EventLog(context: fixture.context, alerts: alerts)
    }

    /// As the command makes it, and with several rounds and steps.
    private var rebuilder: FigureRebuilder {
        var tuning = RebuildTuning()
        (tuning.usersInMemory, tuning.eventsInARead, tuning.pagesInAStep) = (8, 20, 1)
        return FigureRebuilder(
            context: fixture.context, log: EventLog(context: fixture.context, firesThresholds: false), tuning: tuning)
    }

    /// Events of 30 users in 30 blocks, a day each.
    private func fill() throws {
        for number in 0..<120 {
            let item = #"{"catalogue_item_id":"\#(makeID(UInt64(number % 5)).lowercased)"}"#
            let name = ["app_downloaded", "subscription_added", "premium_conversion", "app_opened"][number % 4]
            let event = try event(
                UInt64(number), name, user: number % 30, at: fixture.now.adding(days: -number / 4),
                properties: name == "subscription_added" ? item : nil)
            try append([event])
        }
        try log.settle()
    }

    private func append(_ events: [AnalyticsEvent]) throws {
        _ = try log.append([EventBatch(events: events, rejected: [], receivedAt: fixture.now, byteCount: 0)])
    }

    private func damage() throws {
        try fixture.falsify(1, .lastSeen)
        try fixture.falsify(2, .removed)
        try fixture.execute("UPDATE figure_days SET downloads = downloads + 7")
        try fixture.execute("DELETE FROM item_additions")
        #expect(try !FigureVerifier(context: fixture.context).verify().agrees)
    }

    private func expectClean(_ sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(
            try FigureVerifier(context: fixture.context).verify().differences == [], sourceLocation: sourceLocation)
    }

    private func leftovers() throws -> Int64 {
        try fixture.store.read { session in
            try ["figure_rebuilds", "rebuilt_user_pages", "rebuilt_figure_moments"].reduce(0) { sum, table in
                try sum + (session.first("SELECT count(*) FROM \(table)") { try $0.integer(0) } ?? 0)
            }
        }
    }

    @Test func emptyLogsAreRebuilt() throws {
        let done = try rebuilder.rebuild(by: .editor)
        #expect((done.eventCount, done.totalsAfter.users) == (0, 0))
        try expectClean()
        try fill()
        try expectClean()
    }

    /// Events are accepted and counted meanwhile. The new figures do not contain them, and say so until they do.
    @Test func serversAcceptAndCountMeanwhile() throws {
        try fill()
        let right = try fixture.keptFigures()
        try damage()
        var (parts, incomplete) = (0, 0)
        var number: UInt64 = 1000
        let done = try rebuilder.rebuild(by: .editor) { progress in
            #expect(progress.share >= 0 && progress.share <= 1)
            if progress.isPublished {
                // What makes answers incomplete.
                let (state, lastBlock) = try fixture.store.read { try EventFoldState.load(in: $0) }
                incomplete += state.hasWork(upTo: lastBlock, now: fixture.now) ? 1 : 0
                let verification = try FigureVerifier(context: fixture.context).verify()
                #expect(verification.differences == [] && verification.waitingCount == parts)
                #expect(try fixture.keptFigures() == right)
                return
            }
            parts += 1
            number += 1
            try append([event(number, "app_downloaded", user: Int(number), at: fixture.now)])
            if parts.isMultiple(of: 2) { try log.settle() } else { try log.foldStep() }
        }
        #expect(parts > 8 && incomplete == 1)
        #expect((done.eventCount, done.totalsAfter.users) == (120, 30))
        // Both count the same events, although others were counted before the figures were replaced.
        #expect(done.totalsBefore == done.totalsAfter)
        // Everything else was counted at the end.
        let dashboard = try InsightStore(context: fixture.context).dashboard()
        #expect(dashboard.standing.isComplete)
        #expect(try fixture.storedUsers().count == 30 + parts)
        try expectClean()
        try append([event(5000, "app_opened", user: 5000, at: fixture.now)])
        try log.settle()
        try expectClean()
        #expect(try leftovers() == 0)
    }

    /// What waits to be counted is counted first, so that the totals before contain it too.
    @Test func totalsAreThoseOfTheSameEvents() throws {
        try fill()
        for number in 1..<4 {
            try append([event(UInt64(200 + number), "premium_conversion", user: 100 + number, at: fixture.now)])
        }
        let done = try rebuilder.rebuild(by: .editor)
        #expect(done.eventCount == 123 && done.totalsAfter.users == 33)
        #expect(done.totalsBefore == done.totalsAfter)
        try expectClean()
    }

    @Test func eventsDatedAheadCountWhenTheirMomentComes() throws {
        try append([
            event(1, "app_opened", user: 1, at: fixture.now),
            event(2, "app_opened", user: 2, at: fixture.now.adding(seconds: 3600)),
            event(3, "app_opened", user: 1, at: fixture.now.adding(seconds: 7200)),
        ])
        try log.settle()
        try rebuilder.rebuild(by: .editor)
        #expect(try fixture.storedUsers().map(\.hash) == [userHash(1)])
        try expectClean()
        for (seconds, events) in [(3599, 1), (1, 2), (3599, 2), (1, 3)] {
            fixture.now = fixture.now.adding(seconds: Int64(seconds))
            try log.settle()
            #expect(try FigureVerifier(context: fixture.context).verify().eventCount == events)
            try expectClean()
        }
    }

    /// Nothing else rewrites blocks or users until the end, and everything does afterwards.
    @Test func othersWait() throws {
        try fill()
        try damage()
        let discarder = EventDiscarder(log: log)
        let selection = DiscardSelection(
            receivedFrom: fixture.now.adding(days: -1), receivedBefore: fixture.now.adding(days: 1))
        var parts = 0
        try rebuilder.rebuild(by: .editor) { progress in
            guard !progress.isPublished else { return }
            parts += 1
            if parts == 2 { try log.requestErasure(of: userHash(2)) }
            #expect(try !log.takeErasureStep())
            #expect(throws: BackendError.self) { try discarder.begin(selection, by: .editor) }
            #expect(throws: BackendError.self) { try rebuilder.rebuild(by: .editor) }
            #expect(try log.purge(before: fixture.now.adding(days: 1)) == 0)
            #expect(try !log.joinStep())
        }
        #expect(parts > 2)
        while try log.takeErasureStep() {}
        #expect(try !fixture.storedUsers().map(\.hash).contains(userHash(2)))
        try expectClean()
        try rebuilder.rebuild(by: .editor)
        try expectClean()
        try discarder.begin(selection, by: .editor)
        #expect(throws: BackendError.self) { try rebuilder.rebuild(by: .editor) }
        while try discarder.takeStep() {}
        #expect(try rebuilder.rebuild(by: .editor).eventCount == 0)
        try expectClean()
    }

    @Test func joinedBlocksAndErasedDevicesAreReadAsTheyAre() throws {
        try fill()
        let right = try fixture.keptFigures().count
        fixture.now = fixture.now.adding(days: 1)
        while try log.joinStep() {}
        try log.requestErasure(of: userHash(3))
        // Begins by completing the erasure.
        try rebuilder.rebuild(by: .editor)
        #expect(try !fixture.storedUsers().map(\.hash).contains(userHash(3)))
        #expect(try fixture.keptFigures().count == right)
        try expectClean()
    }

    /// Work that waited for a rebuild without a sign of life goes on, and the rebuild then changes nothing.
    @Test func nothingWaitsForADeadRebuild() throws {
        try fill()
        try damage()
        let before = try fixture.keptFigures().count
        var parts = 0
        #expect(throws: RebuildInterrupted.self) {
            try rebuilder.rebuild(by: .editor) { _ in
                parts += 1
                guard parts == 2 else { return }
                try log.requestErasure(of: userHash(4))
                fixture.now = fixture.now.adding(seconds: 29)
                #expect(try !log.takeErasureStep())
                fixture.now = fixture.now.adding(seconds: 2)
                while try log.takeErasureStep() {}
            }
        }
        #expect(parts > 1)
        #expect(try leftovers() == 0)
        #expect(try fixture.keptFigures().count == before)
        #expect(try !FigureVerifier(context: fixture.context).verify().agrees)
        try rebuilder.rebuild(by: .editor)
        try expectClean()
    }

    /// What a killed process left behind is cleared up by a server, or by the next run.
    @Test(arguments: [true, false])
    func clearsUpAfterAKilledProcess(byServer: Bool) throws {
        try fill()
        let right = try fixture.keptFigures()
        try damage()
        let command = FigureRebuilder(context: try fixture.reopened().context, log: log)
        _ = try command.begin(by: .editor)
        try fixture.execute("INSERT INTO rebuilt_user_pages (first_key, users) SELECT first_key, users FROM user_pages")
        try fixture.execute(
            """
            INSERT INTO rebuilt_figure_moments SELECT hour_number, number, change_count, last_at, changes \
            FROM figure_moments
            """
        )
        #expect(try !rebuilder.takeAbandonedStep())
        #expect(try leftovers() > 2)
        fixture.now = fixture.now.adding(seconds: 31)
        if byServer {
            while try rebuilder.takeAbandonedStep() {}
            #expect(try leftovers() == 0)
            #expect(try !FigureVerifier(context: fixture.context).verify().agrees)
        }
        try rebuilder.rebuild(by: .editor)
        #expect(try fixture.keptFigures() == right)
        #expect(try leftovers() == 0)
        try expectClean()
    }

    @Test func figuresOfPurgedEventsAreKept() throws {
        try fill()
        fixture.now = fixture.now.adding(days: 100)
        try append([event(9999, "app_opened", user: 1, at: fixture.now)])
        #expect(try log.purge(before: fixture.now.adding(days: -1)) > 0)
        try log.settle()
        let before = try fixture.keptFigures()
        let error = #expect(throws: BackendError.self) { try rebuilder.rebuild(by: .editor) }
        #expect(error?.description.contains("have been purged") == true)
        #expect(try fixture.keptFigures() == before)
        #expect(try leftovers() == 0)
    }

    @Test func aDamagedBlockChangesNothing() throws {
        try fill()
        try damage()
        let before = try fixture.keptFigures()
        try fixture.execute("UPDATE event_blocks SET events = x'07' WHERE id = 60")
        let error = #expect(throws: EventBlockError.self) { try rebuilder.rebuild(by: .editor) }
        #expect(error?.block == 60)
        #expect(try fixture.keptFigures() == before)
        #expect(try leftovers() == 0)
        #expect(try log.purge(before: fixture.now.adding(days: -200)) == 0)
    }

    /// A threshold that has fired does not fire again, and the ranking is taken anew.
    @Test func thresholdsStayFiredAndTheRankingIsRight() throws {
        let catalogue = CatalogueStore(context: fixture.context)
        try catalogue.insert(.sample("Un", slug: "un"), id: makeID(1), by: .editor)
        try alerts.replaceThresholds(with: [10, 20], ifRevision: nil, by: .editor)
        try fill()
        let ranking = RankingStore(context: fixture.context, log: log)
        #expect(try ranking.ranking(limit: 5).items.map(\.count) == [6])
        try fixture.execute("UPDATE ranking_entries SET addition_count = 99")
        try fixture.execute("UPDATE item_additions SET addition_count = 98")
        let fired = try alerts.thresholds().fired
        #expect(fired.count == 2)
        let sent = try fixture.count("SELECT count(*) FROM alert_deliveries")
        try rebuilder.rebuild(by: .editor)
        #expect(try ranking.ranking(limit: 5).items.map(\.count) == [6])
        try append([event(7777, "app_opened", user: 7777, at: fixture.now)])
        try log.settle()
        #expect(try alerts.thresholds().fired == fired)
        #expect(try fixture.count("SELECT count(*) FROM alert_deliveries") == sent)
        try expectClean()
    }

    @Test func theAuditLogSaysWhoRebuiltWhat() throws {
        try fill()
        try fixture.execute("UPDATE figure_totals SET users = 31")
        try rebuilder.rebuild(by: .editor)
        let entries = try AuditLog(context: fixture.context).list(after: nil, limit: 2)
        #expect(entries.map(\.change.action) == ["figures.rebuilt", "figures.rebuild"])
        #expect(entries.allSatisfy { $0.change.actor.name == Actor.editor.name })
        #expect(entries.first?.change.before?.contains(#""total_users":31"#) == true)
        #expect(entries.first?.change.after?.hasPrefix(#"{"events":120,"total_users":30"#) == true)
    }
}
