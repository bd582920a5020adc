import BackendTestKit
import Foundation
import SQLDatabase
import ServerAccess
import SubGuardDomain
import Synchronization
import TestKit
import Testing

struct JobLeasesTests {
    private let fixture: BackendFixture
    private var leases: JobLeases { JobLeases(context: fixture.context) }

    init() throws { fixture = try BackendFixture(now: "2024-02-29T23:59:59.123Z") }

    @Test func runsWhenItIsDueAndNotBefore() throws {
        #expect(try leases.run("purge", everySeconds: 3600) {})
        #expect(try !leases.run("purge", everySeconds: 3600) {})
        #expect(try leases.run("another", everySeconds: 3600) {})
        fixture.now = fixture.now.adding(seconds: 3599)
        #expect(try !leases.run("purge", everySeconds: 3600) {})
        fixture.now = fixture.now.adding(seconds: 1)
        #expect(try leases.run("purge", everySeconds: 3600) {})
    }

    @Test func oneOfSeveralServersDoesIt() throws {
        let servers = try [fixture] + (2...4).map { try fixture.reopened(seed: $0) }
        for round in 0..<5 {
            let runs = Atomic<Int>(0)
            let done = try OwnThread<Bool>.each(of: servers.count) { server in
                try JobLeases(context: servers[server].context).run("ranking", everySeconds: 60) {
                    runs.add(1, ordering: .relaxed)
                }
            }.map { try $0.get() }
            #expect(runs.load(ordering: .relaxed) == 1, "round \(round)")
            #expect(done.count { $0 } == 1)
            for server in servers { server.now = server.now.adding(seconds: 60) }
        }
    }

    @Test func nobodyElseBeginsWhatIsUnderWayUntilItsProcessMustBeDead() throws {
        let other = try fixture.reopened()
        try leases.run("purge", everySeconds: 60) { () throws in
            other.now = fixture.now.adding(seconds: JobLeases.leaseSeconds - 1)
            #expect(try !JobLeases(context: other.context).run("purge", everySeconds: 60) {})
            other.now = fixture.now.adding(seconds: JobLeases.leaseSeconds)
            #expect(try JobLeases(context: other.context).run("purge", everySeconds: 60) {})
            fixture.now = other.now
        }
        // The late process must not make the job due again too early.
        #expect(try !leases.run("purge", everySeconds: 60) {})
    }

    @Test func aHoldStandsUntilAnotherProcessMayHaveTakenTheJob() throws {
        func stands(_ hold: JobLeases.Hold) throws -> Bool {
            try fixture.store.read { try hold.stands(at: fixture.now, in: $0) }
        }
        let other = try fixture.reopened()
        try leases.hold("rebuild") { first throws in
            #expect(try stands(first))
            #expect(try JobLeases(context: other.context).hold("rebuild") { _ in } == nil)
            fixture.now = fixture.now.adding(seconds: JobLeases.heldSeconds)
            #expect(try !stands(first))
            other.now = fixture.now
            try JobLeases(context: other.context).hold("rebuild") { second throws in
                #expect(try stands(second))
                #expect(try !stands(first))
            }
        }
    }

    @Test func whatFailedIsDueAgainSoon() throws {
        struct Failure: Error {}
        let failedAt = fixture.now
        #expect(throws: Failure.self) { try leases.run("purge", everySeconds: 3600) { throw Failure() } }
        #expect(try leases.list().map(\.failedAt) == [failedAt])
        #expect(try !leases.run("purge", everySeconds: 3600) {})
        fixture.now = fixture.now.adding(seconds: JobLeases.retrySeconds)
        #expect(try leases.run("purge", everySeconds: 3600) {})
        #expect(try leases.list().map(\.failedAt) == [nil])
    }

    @Test func aClockThatStoodWrongKeepsNoJobForYears() throws {
        let right = fixture.now
        fixture.now = right.adding(days: 3650)
        #expect(try leases.run("purge", everySeconds: 3600) {})
        fixture.now = right
        #expect(try leases.run("purge", everySeconds: 3600) {})
    }

    @Test(arguments: [3600, 301 as Int64]) func aClockThatIsSetBackStopsNoJob(_ seconds: Int64) throws {
        #expect(try leases.run("alert rules", everySeconds: 30) {})
        fixture.now = fixture.now.adding(seconds: -seconds)
        #expect(try leases.run("alert rules", everySeconds: 30) {})
        #expect(try !leases.run("alert rules", everySeconds: 30) {})
        // Servers whose clocks differ a little keep the interval.
        fixture.now = fixture.now.adding(seconds: -299)
        #expect(try !leases.run("alert rules", everySeconds: 30) {})
    }
}
