import BackendTestKit
import Foundation
import SQLDatabase
import ServerAccess
import SubGuardDomain
import Telemetry
import TestKit
import Testing

struct AlertOutboxTests {
    private let fixture: BackendFixture

    init() throws { fixture = try BackendFixture() }

    @Test func takesEachDeliveryOnceAndWritesItsEndDown() throws {
        let alerts = fixture.alerts(.slack, .email)
        let ids = try alerts.sendTest(through: nil, by: .editor).map(\.id)
        let lease = try #require(try alerts.claim(.slack))
        #expect(ids.contains(lease.delivery.id))
        #expect(try alerts.claim(.slack) == nil)
        #expect(try alerts.claim(.webhook) == nil)
        #expect(try alerts.finish(lease, .delivered) == .delivered)
        let delivery = try #require(try alerts.find(lease.delivery.id))
        #expect(delivery.state == .delivered)
        #expect(delivery.attempts == 1)
        #expect(delivery.deliveredAt == fixture.now)
        #expect(delivery.nextAttemptAt == nil)
        #expect(try alerts.depths() == [.pending: 1, .delivered: 1, .retrying: 0, .dead: 0])
    }

    @Test func twoServersNeverTakeTheSameOne() throws {
        let first = try BackendFixture()
        let fixtures = try [first] + (2...4).map { try first.reopened(seed: $0) }
        for _ in 0..<40 { _ = try first.alerts(.webhook).sendTest(through: nil, by: .editor) }
        let taken = try OwnThread<[UUID]>.each(of: fixtures.count) { server in
            let alerts = fixtures[server].alerts(.webhook)
            var ids: [UUID] = []
            while let lease = try alerts.claim(.webhook) { ids.append(lease.delivery.id) }
            return ids
        }.flatMap { try $0.get() }
        #expect(taken.count == 40)
        #expect(Set(taken).count == 40)
    }

    @Test func aDeliveryOfAProcessThatDiedIsTakenAgain() throws {
        let alerts = fixture.alerts(.slack)
        _ = try alerts.sendTest(through: nil, by: .editor)
        let dead = try #require(try alerts.claim(.slack))
        fixture.wait(seconds: AlertStore.leaseSeconds - 1)
        #expect(try alerts.claim(.slack) == nil)
        fixture.wait(seconds: 1)
        let second = try #require(try alerts.claim(.slack))
        #expect(second.delivery.id == dead.delivery.id)
        #expect(second.delivery.attempts == 2)
        // The first process was only slow: its result no longer counts.
        #expect(try alerts.finish(dead, .refused(reason: "late")) == nil)
        #expect(try alerts.finish(second, .delivered) == .delivered)
    }

    @Test func aClockThatWasAheadDelaysNoDelivery() throws {
        let alerts = fixture.alerts(.slack)
        let right = fixture.now
        fixture.now = right.adding(days: 3)
        let id = try #require(try alerts.sendTest(through: nil, by: .editor).first?.id)
        fixture.now = right
        let first = try #require(try alerts.claim(.slack), "enqueued ahead")
        #expect(try alerts.finish(first, .failed(reason: "HTTP 503")) == .retrying)
        fixture.now = right.adding(days: 3)
        _ = try #require(try alerts.claim(.slack))
        fixture.now = right
        #expect(try alerts.resend(id, by: .editor).state == .pending, "the lease has ended")
        fixture.now = right.adding(days: 3)
        _ = try #require(try alerts.claim(.slack))
        fixture.now = right
        #expect(try alerts.claim(.slack)?.delivery.id == id, "leased ahead")
    }

    @Test func aClockThatIsSetBackByHoursDelaysNoDelivery() throws {
        let alerts = fixture.alerts(.slack)
        let right = fixture.now
        fixture.wait(seconds: 10 * 3600)
        let id = try #require(try alerts.sendTest(through: nil, by: .editor).first?.id)
        fixture.now = right
        let first = try #require(try alerts.claim(.slack), "enqueued ahead")
        fixture.wait(seconds: 10 * 3600)
        #expect(try alerts.finish(first, .refused(reason: "HTTP 400")) == .dead)
        _ = try alerts.resend(id, by: .editor)
        fixture.now = right
        _ = try #require(try alerts.claim(.slack), "resent ahead")
        fixture.wait(seconds: 10 * 3600)
        let third = try #require(try alerts.claim(.slack))
        #expect(try alerts.finish(third, .failed(reason: "HTTP 503", retryAfterSeconds: 7200)) == .retrying)
        fixture.now = fixture.now.adding(seconds: -299)
        #expect(try alerts.claim(.slack) == nil, "clocks of servers differ a little")
        fixture.now = right
        #expect(try alerts.claim(.slack)?.delivery.id == id, "tried ahead")
    }

    @Test func triesAgainAfterGrowingPausesAndGivesUp() throws {
        let alerts = fixture.alerts(.webhook, maximumAttempts: 4)
        let id = try #require(try alerts.sendTest(through: nil, by: .editor).first?.id)
        for pause in [5, 30, 120] {
            let lease = try #require(try alerts.claim(.webhook))
            #expect(try alerts.finish(lease, .failed(reason: "HTTP 503")) == .retrying)
            let failed = try #require(try alerts.find(id))
            #expect(failed.lastError == "HTTP 503")
            let wait = try #require(failed.nextAttemptAt).millisecondsSinceEpoch - fixture.now.millisecondsSinceEpoch
            #expect((Int64(pause) * 800...Int64(pause) * 1200).contains(wait))
            fixture.now = fixture.now.adding(milliseconds: wait - 1)
            #expect(try alerts.claim(.webhook) == nil)
            fixture.now = fixture.now.adding(milliseconds: 1)
        }
        let last = try #require(try alerts.claim(.webhook))
        #expect(try alerts.finish(last, .failed(reason: "HTTP 503")) == .dead)
        fixture.now = fixture.now.adding(days: 30)
        #expect(try alerts.claim(.webhook) == nil)

        let again = try alerts.resend(id, by: .editor)
        #expect((again.state, again.attempts) == (.pending, 4))
        let lease = try #require(try alerts.claim(.webhook))
        #expect(try alerts.finish(lease, .failed(reason: "HTTP 500")) == .retrying)
        fixture.wait(seconds: 6)
        #expect(try alerts.finish(try #require(try alerts.claim(.webhook)), .delivered) == .delivered)
        #expect(try alerts.find(id)?.attempts == 6)
        #expect(try alerts.find(id)?.lastError == nil)
    }

    @Test func waitsAsLongAsTheReceiverAsksButNotForEver() throws {
        let alerts = fixture.alerts(.webhook)
        for (asked, seconds) in [(90, 90), (10_000_000, 86_400)] {
            let id = try #require(try alerts.sendTest(through: nil, by: .editor).first?.id)
            let lease = try #require(try alerts.claim(.webhook))
            try alerts.finish(lease, .failed(reason: "HTTP 429", retryAfterSeconds: asked))
            #expect(try alerts.find(id)?.nextAttemptAt == fixture.now.adding(seconds: Int64(seconds)))
        }
    }

    @Test func anInterruptedAttemptCountsAsNone() throws {
        let alerts = fixture.alerts(.slack)
        let id = try #require(try alerts.sendTest(through: nil, by: .editor).first?.id)
        try alerts.finish(try #require(try alerts.claim(.slack)), .interrupted)
        let delivery = try #require(try alerts.find(id))
        #expect((delivery.state, delivery.attempts, delivery.nextAttemptAt) == (.pending, 0, fixture.now))
        #expect(try alerts.claim(.slack)?.delivery.id == id)
    }

    @Test func aChannelThatIsGoneIsNotTriedUntilSomebodyAsksOrItLeadsElsewhere() throws {
        let alerts = fixture.alerts(.slack)
        try fixture.addUsers(1...3)
        try alerts.replaceThresholds(with: [1], ifRevision: nil, by: .editor)
        try alerts.finish(try #require(try alerts.claim(.slack)), .channelGone(reason: "HTTP 404 no_service"))
        #expect(try alerts.overview(after: nil, limit: 5).channels.first?.disabledReason == "HTTP 404 no_service")

        try alerts.replaceThresholds(with: [1, 2], ifRevision: nil, by: .editor)
        #expect(try alerts.claim(.slack) == nil)
        let untried = try #require(try alerts.overview(after: nil, limit: 5).deliveries.first { $0.attempts == 0 })
        #expect(untried.state == .dead)
        #expect(untried.lastError?.contains("no_service") == true)

        let elsewhere = AlertStore(
            context: fixture.context, targets: [.sample(.slack, address: "https://example.org/new")])
        #expect(try elsewhere.overview(after: nil, limit: 5).channels.first?.disabledAt == nil)

        try alerts.resend(untried.id, by: .editor)
        try alerts.finish(try #require(try alerts.claim(.slack)), .delivered)
        #expect(try alerts.overview(after: nil, limit: 5).channels.first?.disabledAt == nil)
    }

    @Test func eachReceiverOfAChannelHasItsOwnDeliveriesAndState() throws {
        let (first, second) = (
            AlertTarget.sample(.slack, address: "https://example.org/1"),
            AlertTarget.sample(.slack, address: "https://example.org/2")
        )
        let alerts = AlertStore(context: fixture.context, targets: [first, second])
        try fixture.addUsers(1...3)
        try alerts.replaceThresholds(with: [1], ifRevision: nil, by: .editor)
        let toSecond = try #require(try alerts.claim(second))
        let toFirst = try #require(try alerts.claim(first))
        #expect(toFirst.delivery.id != toSecond.delivery.id)
        #expect(try alerts.claim(first) == nil && alerts.claim(second) == nil)
        try alerts.finish(toFirst, .delivered)
        try alerts.finish(toSecond, .channelGone(reason: "HTTP 410"))
        let channels = try alerts.overview(after: nil, limit: 5).channels
        #expect(channels.map(\.disabledReason) == [nil, "HTTP 410"])
        // A disabled receiver costs the other one nothing.
        try alerts.replaceThresholds(with: [1, 2], ifRevision: nil, by: .editor)
        #expect(try alerts.claim(second) == nil)
        #expect(try alerts.claim(first)?.delivery.threshold == 2)
        #expect(try alerts.sendTest(through: .slack, by: .editor).count == 2)
    }

    @Test func theFirstReceiverGetsWhatWasForOneThatIsNoLongerConfigured() throws {
        let (old, kept) = (
            AlertTarget.sample(.webhook, address: "https://example.org/old"),
            AlertTarget.sample(.webhook, address: "https://example.org/kept")
        )
        let id = try #require(
            try AlertStore(context: fixture.context, targets: [old]).sendTest(through: nil, by: .editor).first?.id)
        let added = AlertStore(context: fixture.context, targets: [kept, .sample(.webhook, address: "https://é")])
        #expect(try added.claim(added.targets[1]) == nil)
        #expect(try added.claim(kept)?.delivery.id == id)
        fixture.wait(seconds: AlertStore.leaseSeconds)
        // A row of an earlier build names no one.
        _ = try fixture.store.write { try $0.execute("UPDATE alert_deliveries SET target_hash = NULL") }
        #expect(try added.claim(added.targets[1]) == nil)
        #expect(try added.claim(kept)?.delivery.id == id)
    }

    @Test func refusesWhatCannotBeSent() throws {
        let none = fixture.alerts()
        #expect(throws: BackendError.self) { try none.sendTest(through: nil, by: .editor) }
        let alerts = fixture.alerts(.slack)
        #expect(throws: BackendError.self) { try alerts.sendTest(through: .email, by: .editor) }
        #expect(throws: BackendError.notFound(what: "delivery")) { try alerts.resend(makeID(1), by: .editor) }
        let id = try #require(try alerts.sendTest(through: nil, by: .editor).first?.id)
        _ = try alerts.claim(.slack)
        #expect(throws: BackendError.self) { try alerts.resend(id, by: .editor) }
        #expect(throws: BackendError.self) { try none.resend(id, by: .editor) }
        let actions = try AuditLog(context: fixture.context).list(after: nil, limit: 10).map(\.change.action)
        #expect(actions == ["alerts.test"])
    }

    @Test func pagesThroughTheLogNewestFirst() throws {
        let alerts = fixture.alerts(.slack)
        var made: [UUID] = []
        for _ in 0..<5 {
            made += try alerts.sendTest(through: nil, by: .editor).map(\.id)
            fixture.wait(seconds: 1)
        }
        let first = try alerts.overview(after: nil, limit: 2)
        let second = try alerts.overview(after: first.next, limit: 2)
        let third = try alerts.overview(after: second.next, limit: 2)
        #expect((first.deliveries + second.deliveries + third.deliveries).map(\.id) == made.reversed())
        #expect(third.next == nil)
        #expect(try alerts.overview(after: nil, limit: 5).next == nil)
    }
}
