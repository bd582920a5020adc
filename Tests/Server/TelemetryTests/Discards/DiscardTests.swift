import BackendTestKit
import Catalogue
import EventLog
import Foundation
import SQLDatabase
import ServerAccess
import SubGuardDomain
import SubGuardSQL
import Telemetry
import TestKit
import Testing

struct DiscardTests {
    private let fixture: BackendFixture
    private let log: EventLog
    private let discarder: EventDiscarder
    private let alerts: AlertStore

    init() throws {
        fixture = try BackendFixture(now: "2024-03-05T10:00:00Z")
        alerts = fixture.alerts(.slack, .webhook)
        log = EventLog(context: fixture.context, alerts: alerts)
        discarder = EventDiscarder(log: log)
    }

    private static let window = (from: "2024-02-29T00:00:00Z", before: "2024-03-01T00:00:00Z")

    private func selection(_ change: (inout DiscardSelection) -> Void = { _ in }) throws -> DiscardSelection {
        var selection = DiscardSelection(
            receivedFrom: try instant(Self.window.from), receivedBefore: try instant(Self.window.before))
        change(&selection)
        return selection
    }

    @discardableResult
    private func discard(_ selection: DiscardSelection) throws -> EventDiscard {
        let begun = try discarder.begin(selection, by: .editor)
        while try discarder.takeStep() {}
        return try #require(try discarder.discard(begun.id))
    }

    private func append(_ events: [AnalyticsEvent], receivedAt: String, signer: String? = nil) throws {
        var batch = try EventBatch(events, receivedAt: receivedAt)
        batch.signer = signer
        _ = try log.append([batch])
    }

    private func expectClean(_ sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(
            try FigureVerifier(context: fixture.context).verify().differences == [], sourceLocation: sourceLocation)
    }

    private func users() throws -> Set<UserHash> { Set(try fixture.events().map(\.userID)) }

    /// Forged users lie between honest ones, so that each page of users keeps some.
    @Test(arguments: [0, 10, 2])
    func givesTheRoomOfForgedUsersBack(honestOneIn share: Int) throws {
        let users = 3000
        func pages() throws -> Int64 { try fixture.count("SELECT count(*) FROM user_pages") }
        for start in stride(from: 0, to: users, by: 500) {
            let events = try (start..<start + 500).map {
                try event(UInt64($0) + 1, "app_opened", user: $0, at: "2024-02-29T00:00:00Z")
            }
            let honest = events.enumerated().filter { share > 0 && ($0.offset + start) % share == 0 }.map(\.element)
            let forged = events.enumerated().filter { share == 0 || ($0.offset + start) % share > 0 }.map(\.element)
            if !honest.isEmpty { try append(honest, receivedAt: "2024-03-01T00:00:00Z") }
            try append(forged, receivedAt: "2024-02-29T00:00:00Z")
        }
        try log.settle()
        let before = try pages()
        #expect(before > 30)
        #expect(try self.users().count == users)
        try discard(try selection())
        let kept = share == 0 ? 0 : users / share
        #expect(try self.users().count == kept)
        #expect(try pages() <= max(1, before * Int64(kept) * 2 / Int64(users)), "of \(before)")
        #expect(try fixture.count("SELECT users FROM figure_totals") == Int64(kept))
        try expectClean()
        // A further discard, and new users, find their pages.
        try append(
            [try event(1_000_000, user: 7_777_777, at: "2024-03-02T00:00:00Z")], receivedAt: "2024-03-02T00:00:00Z")
        try log.settle()
        try expectClean()
    }

    /// The leap day, to the millisecond: its first instant is included, that of the next day is not.
    @Test func takesOutExactlyWhatWasReceivedInTheWindow() throws {
        let moments = [
            "2024-02-28T23:59:59.999Z", "2024-02-29T00:00:00Z", "2024-02-29T23:59:59.999Z", "2024-03-01T00:00:00Z",
        ]
        for (number, moment) in moments.enumerated() {
            try append(
                [try event(UInt64(number), "premium_conversion", user: number, at: "2024-02-29T00:00:00Z")],
                receivedAt: moment)
        }
        let done = try discard(selection())
        #expect((done.eventCount, done.removedUserCount, done.reducedUserCount) == (2, 2, 0))
        #expect(try users() == [userHash(0), userHash(3)])
        #expect(try discarder.countedTotals() == UserTotals(users: 2, conversions: 2, subscriptions: 0))
        try expectClean()
        // A repeated discard finds nothing.
        #expect(try discard(selection()).eventCount == 0)
    }

    @Test func narrowsByPropertyAndSignature() throws {
        let properties = [
            #"{"app_version":"9","platform":"web"}"#, #"{"app_version":"9","platform":"ios"}"#,
            #"{"app_version":"1","platform":"web"}"#, nil,
        ]
        for (number, text) in properties.enumerated() {
            for signer in [nil, "build “7”"] {
                let user = number + (signer == nil ? 0 : 10)
                try append(
                    [try event(UInt64(user), user: user, at: "2024-02-29T09:00:00Z", properties: text)],
                    receivedAt: "2024-02-29T12:00:00Z", signer: signer)
            }
        }
        func count(_ change: (inout DiscardSelection) -> Void) throws -> Int64 {
            try log.settle()
            return try discarder.preview(selection(change)).eventCount
        }
        #expect(try count { _ in } == 8)
        #expect(try count { $0.platforms = ["web"] } == 4)
        #expect(try count { $0.platforms = ["we"] } == 0)
        #expect(try count { $0.platforms = ["WEB"] } == 4, "as the funnel counts them")
        #expect(try count { $0.platforms = ["web", "ios"] } == 6)
        #expect(try count { ($0.platforms, $0.appVersions) = (["web"], ["9"]) } == 2)
        #expect(try count { $0.isUnsignedOnly = true } == 4)
        try discard(selection { ($0.isUnsignedOnly, $0.platforms) = (true, ["web"]) })
        // The signers of the other events are kept, also in rewritten blocks.
        #expect(try users() == Set([1, 3, 10, 11, 12, 13].map(userHash)))
        #expect(try discard(selection { $0.isUnsignedOnly = true }).eventCount == 2)
        #expect(try users() == Set([10, 11, 12, 13].map(userHash)))
        try expectClean()
    }

    @Test func knowsDiscardedEventsAgain() throws {
        let forged = try (1...40).map { try event(UInt64($0), user: $0, at: "2024-02-29T09:00:00Z") }
        try append(forged, receivedAt: "2024-02-29T12:00:00Z")
        try discard(selection())
        #expect(try fixture.events().isEmpty)
        // In this process, in another one, and in a newly started one.
        for context in [fixture.context, try fixture.reopened().context] {
            let receipt = try EventLog(context: context).append([
                try EventBatch(forged, receivedAt: "2024-03-05T10:00:00Z")
            ])
            #expect(receipt.first?.duplicates == 40)
        }
        #expect(try discarder.countedTotals().users == 0)
        try expectClean()
    }

    @Test func aThresholdThatOnlyForgedUsersReachedFiresOnceMore() throws {
        try alerts.replaceThresholds(with: [3, 5, 8], ifRevision: nil, by: .editor)
        try append(
            try (1...3).map { try event(UInt64($0), user: $0, at: "2024-02-27T09:00:00Z") },
            receivedAt: "2024-02-27T12:00:00Z")
        try log.settle()
        try append(
            try (4...7).map { try event(UInt64($0), user: $0, at: "2024-02-29T09:00:00Z") },
            receivedAt: "2024-02-29T12:00:00Z")
        try log.settle()
        #expect(try alerts.thresholds().fired == [3: 3, 5: 7])
        // One delivery is being sent, one was delivered.
        let lease = try #require(try claim(.slack, threshold: 5))
        let arrived = try #require(try claim(.webhook, threshold: 5))
        try alerts.finish(arrived, .delivered)
        let preview = try discarder.preview(selection())
        #expect(preview.rearmedThresholds == [5])
        #expect(preview.totalsAfter.users == 3)
        let done = try discard(selection())
        #expect(done.rearmedThresholds == [5])
        #expect(try alerts.thresholds().fired == [3: 3])
        #expect(try alerts.finish(lease, .delivered) == nil)
        #expect(try claim(.slack, threshold: 5) == nil)
        #expect(throws: BackendError.self) { try alerts.resend(arrived.delivery.id, by: .editor) }
        // It can be removed from the list and added again.
        try alerts.replaceThresholds(with: [3], ifRevision: nil, by: .editor)
        try alerts.replaceThresholds(with: [3, 5, 8], ifRevision: nil, by: .editor)
        #expect(try alerts.thresholds().fired == [3: 3])
        for user in 11...16 {
            try append(
                [try event(UInt64(user), user: user, at: "2024-03-05T09:00:00Z")], receivedAt: "2024-03-05T10:00:00Z")
            try log.settle()
        }
        #expect(try alerts.thresholds().fired == [3: 3, 5: 5, 8: 8])
        #expect(try fixture.count("SELECT count(*) FROM alert_deliveries WHERE user_threshold = 5") == 4)
        #expect(
            try fixture.count(
                "SELECT count(*) FROM alert_deliveries WHERE user_threshold = 5 AND withdrawn_at IS NULL") == 2)
        // It can only be re-armed by a discard.
        #expect(throws: SQLError.self) {
            try fixture.execute("UPDATE alert_thresholds SET fired_at = NULL, user_count = NULL")
        }
    }

    private func claim(_ channel: AlertChannel, threshold: Int64) throws -> AlertLease? {
        while let lease = try alerts.claim(channel) {
            if case .threshold(threshold, _) = lease.delivery.subject { return lease }
        }
        return nil
    }

    @Test func aLogWithoutChannelsLeavesThresholdsToTheServers() throws {
        try alerts.replaceThresholds(with: [2], ifRevision: nil, by: .editor)
        let command = EventLog(context: fixture.context, firesThresholds: false)
        _ = try command.append([
            try EventBatch((1...2).map { try event(UInt64($0), user: $0, at: "2024-03-04T09:00:00Z") })
        ])
        try command.settle()
        #expect(try alerts.thresholds().fired.isEmpty)
        try append([try event(3, user: 3, at: "2024-03-04T09:00:00Z")], receivedAt: "2024-03-05T10:00:00Z")
        try log.settle()
        #expect(try alerts.thresholds().fired == [2: 3])
    }

    @Test func writesWhoDiscardedWhat() throws {
        try append(
            [
                try event(1, "subscription_added", user: 1, at: "2024-02-29T09:00:00Z"),
                try event(2, "premium_conversion", user: 1, at: "2024-02-29T09:00:00Z"),
            ], receivedAt: "2024-02-29T12:00:00Z")
        try append([try event(3, user: 2, at: "2024-03-02T09:00:00Z")], receivedAt: "2024-03-02T10:00:00Z")
        try discard(selection { $0.appVersions = [] })
        let rows = try AuditLog(context: fixture.context).list(after: nil, limit: 10)
        #expect(rows.map(\.change.action) == ["figures.discarded", "figures.discard"])
        #expect(rows.allSatisfy { $0.change.actor.name == Actor.editor.name })
        #expect(
            rows.first?.change.before
                == #"{"total_users":2,"subscriptions_tracked":1,"premium_conversions":1}"#)
        #expect(
            rows.first?.change.after
                == #"{"events":2,"removed_users":1,"reduced_users":0,"rearmed_thresholds":[],"total_users":1,"#
                + #""subscriptions_tracked":0,"premium_conversions":0}"#)
        #expect(rows.last?.change.after?.contains(#""received_from":"2024-02-29T00:00:00Z""#) == true)
    }

    @Test func takesTheRankingAnew() throws {
        let items = CatalogueStore(context: fixture.context)
        try items.insert(slugs: ["one", "two"])
        let ids = try items.loadSnapshot().items.map(\.id)
        for (number, id) in ids.enumerated() {
            let properties = #"{"catalogue_item_id":"\#(id.lowercased)"}"#
            try append(
                [
                    try event(
                        UInt64(number), "subscription_added", user: number, at: "2024-02-29T09:00:00Z",
                        properties: properties)
                ], receivedAt: number == 0 ? "2024-02-29T12:00:00Z" : "2024-03-02T10:00:00Z")
        }
        let rankings = RankingStore(context: fixture.context, log: log)
        #expect(try rankings.ranking(limit: 5).items.count == 2)
        try discard(selection())
        #expect(try rankings.ranking(limit: 5).items.map(\.id) == [ids[1]])
        #expect(try fixture.count("SELECT count(*) FROM item_additions") == 1)
    }

    @Test func waitsForErasuresAndHoldsUpLaterOnes() throws {
        for user in 1...3 {
            try append(
                [
                    try event(UInt64(user), user: user, at: "2024-02-27T09:00:00Z"),
                    try event(UInt64(user + 10), user: user, at: "2024-02-27T10:00:00Z"),
                ], receivedAt: "2024-02-27T12:00:00Z")
            try append(
                [try event(UInt64(user + 20), user: user, at: "2024-02-29T09:00:00Z")],
                receivedAt: "2024-02-29T12:00:00Z")
        }
        try log.requestErasure(of: userHash(1))
        try log.takeErasureStep()
        // The erasure is running: the log still contains the old hash, the users do not.
        #expect(try discarder.preview(selection()).reducedUserCount == 3)
        let begun = try discarder.begin(selection(), by: .editor)
        #expect(try !users().contains(userHash(1)))
        #expect(throws: BackendError.self) { try discarder.begin(selection(), by: .editor) }
        try log.requestErasure(of: userHash(2))
        #expect(try !log.takeErasureStep())
        fixture.now = fixture.now.adding(days: 100)
        #expect(try log.purge(before: fixture.now) == 0)
        while try discarder.takeStep() {}
        #expect(try discarder.discard(begun.id)?.reducedUserCount == 3)
        while try log.takeErasureStep() {}
        #expect(try users().count == 3 && !users().contains(userHash(2)))
        try expectClean()
        #expect(try log.purge(before: fixture.now) > 0)
    }

    /// A server continues what a command began, but not while the command makes progress.
    @Test func aServerContinuesWhatIsAbandoned() throws {
        for number in 1...30 {
            try append(
                [try event(UInt64(number), user: number, at: "2024-02-29T09:00:00Z")],
                receivedAt: "2024-02-29T12:00:00Z")
        }
        var tuning = DiscardTuning()
        tuning.eventsInAStep = 4
        let command = EventDiscarder(
            log: EventLog(context: try fixture.reopened().context, firesThresholds: false), tuning: tuning)
        let begun = try command.begin(selection(), by: .editor)
        try command.takeStep()
        // The default timeout is a minute.
        for _ in 0..<3 { #expect(try !discarder.takeAbandonedStep()) }
        #expect(try discarder.underWay()?.eventCount == 4)
        tuning.takeoverTimeout = .zero
        let server = EventDiscarder(log: EventLog(context: fixture.context, alerts: alerts), tuning: tuning)
        while try server.takeAbandonedStep() {}
        #expect(try command.discard(begun.id)?.eventCount == 30)
        // The command resumes and finds the discard finished.
        #expect(try !command.takeStep())
        try expectClean()
    }

    /// The process that took the last step takes the next one, without a delay between portions.
    @Test func aServerThatHasTakenOverGoesOnToTheEnd() throws {
        for number in 1...30 {
            try append(
                [try event(UInt64(number), user: number, at: "2024-02-29T09:00:00Z")],
                receivedAt: "2024-02-29T12:00:00Z")
        }
        var tuning = DiscardTuning()
        (tuning.eventsInAStep, tuning.eventsInAPortion) = (2, 5)
        let server = EventDiscarder(log: EventLog(context: fixture.context, alerts: alerts), tuning: tuning)
        let begun = try server.begin(selection(), by: .editor)
        try server.takeStep()
        while try server.takeAbandonedStep() {}
        #expect(try server.discard(begun.id)?.eventCount == 30)
        #expect(try server.underWay() == nil)
    }

    /// A failed transaction leaves nothing behind, in the database or in memory.
    @Test func aStepThatFailsIsTakenAgain() throws {
        for number in 1...9 {
            try append(
                [try event(UInt64(number), user: number, at: "2024-02-29T09:00:00Z")],
                receivedAt: "2024-02-29T12:00:00Z")
        }
        var tuning = DiscardTuning()
        tuning.eventsInAStep = 2
        let discarder = EventDiscarder(log: EventLog(context: fixture.context), tuning: tuning)
        let begun = try discarder.begin(selection(), by: .editor)
        try discarder.takeStep()
        try fixture.refuseRows(of: "event_days", when: "NEW.event_count < 0")
        #expect(throws: SQLError.self) { try discarder.takeStep() }
        try expectClean()
        try fixture.takeRows(of: "event_days")
        while try discarder.takeStep() {}
        #expect(try discarder.discard(begun.id)?.eventCount == 9)
        try expectClean()
    }

    /// One user with many events, cut into many steps within one block.
    @Test func cutsALargeBlockIntoSteps() throws {
        let events = try (0..<500).map { number in
            try event(
                UInt64(number), EventRegistry.events[number % EventRegistry.events.count].name, user: number % 2,
                at: try instant("2024-02-29T09:00:00Z").adding(days: -(number % 90)))
        }
        try append(events, receivedAt: "2024-02-29T12:00:00Z")
        try append([try event(9000, user: 1, at: "2024-01-01T00:00:00Z")], receivedAt: "2024-03-01T00:00:00Z")
        var tuning = DiscardTuning()
        tuning.eventsInAStep = 60
        let discarder = EventDiscarder(log: EventLog(context: fixture.context), tuning: tuning)
        let begun = try discarder.begin(selection(), by: .editor)
        var steps = 0
        while try discarder.takeStep() {
            try expectClean()
            steps += 1
        }
        #expect(steps >= 9)
        let done = try #require(try discarder.discard(begun.id))
        #expect((done.eventCount, done.removedUserCount, done.reducedUserCount) == (500, 1, 1))
        #expect(try discarder.countedTotals().users == 1)
    }

    @Test func emptyLogsAndWindowsAreDoneAtOnce() throws {
        #expect(try discarder.preview(selection()).eventCount == 0)
        #expect(try discard(selection()).eventCount == 0)
        try append([try event(1, user: 1, at: "2024-03-02T09:00:00Z")], receivedAt: "2024-03-02T10:00:00Z")
        let done = try discard(selection())
        #expect(done.eventCount == 0 && done.finishedAt != nil && done.totalsBefore.users == 1)
        #expect(try !discarder.takeStep())
    }
}
