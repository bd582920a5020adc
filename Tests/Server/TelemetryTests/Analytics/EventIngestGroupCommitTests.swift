import BackendTestKit
import Dispatch
import EventLog
import Foundation
import SQLDatabase
import ServerAccess
import SubGuardDomain
import SubGuardSQL
import Synchronization
import Telemetry
import Testing

struct EventIngestGroupCommitTests {
    private let fixture: BackendFixture

    init() throws {
        fixture = try BackendFixture()
    }

    /// Holds the database's only writer while `body` runs, so that everything submitted meanwhile must wait.
    private func whileTheStoreIsBusy(_ body: () throws -> Void) throws {
        try fixture.store.write { _ in try body() }
    }

    @Test func eightSubmittersAddUpAndEveryAnswerComesAfterItsCommit() async throws {
        let ingest = EventIngest(log: EventLog(context: fixture.context))
        let store = fixture.store
        let submitters = 8
        let batches = 25
        // Each submitter sends batches of four events; one repeats an event of its previous batch and one an event of
        // another submitter.
        try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for submitter in 0..<submitters {
                group.addTask {
                    var accepted = 0
                    var duplicates = 0
                    for batch in 0..<batches {
                        let own = UInt64(submitter * 1000 + batch)
                        let neighbour = UInt64((submitter + 1) % submitters * 1000 + batch)
                        let numbers = [own, own == 0 ? own : own - 1, neighbour, 1_000_000 + own]
                        let events = try numbers.map {
                            try event($0, user: Int($0 % 100), at: "2026-11-19T10:00:00Z")
                        }
                        let receipt = try await ingest.store(try EventBatch(events))
                        #expect(receipt.accepted + receipt.duplicates == 4)
                        // On another connection, which only sees committed data.
                        let seen = try store.read { session in
                            var stored: Set<UUID> = []
                            try EventLogReader.forEach(in: session) { stored.insert($0.id) }
                            return events.filter { stored.contains($0.id) }.count
                        }
                        #expect(seen == 4)
                        accepted += receipt.accepted
                        duplicates += receipt.duplicates
                    }
                    return (accepted, duplicates)
                }
            }
            let sums = try await group.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
            let stored = try fixture.events().count
            #expect(sums.0 == stored)
            #expect(sums.0 + sums.1 == submitters * batches * 4)
            let counters = ingest.counters
            #expect(counters.accepted == Int64(stored))
            #expect(counters.duplicates == Int64(sums.1))
            #expect(counters.batches == Int64(submitters * batches))
            #expect(counters.waitingEvents == 0)
            #expect(try fixture.count("SELECT sum(event_count) FROM event_days") == Int64(stored))
            #expect(
                try fixture.users().count == Set(try fixture.events().map(\.userID)).count)
        }
    }

    @Test func whatWaitsTogetherSharesACommit() throws {
        let ingest = EventIngest(log: EventLog(context: fixture.context))
        let answers = DispatchGroup()
        try whileTheStoreIsBusy {
            for number in 0..<50 {
                answers.enter()
                ingest.submit(try EventBatch([try event(UInt64(number), at: "2026-11-19T10:00:00Z")])) { _ in
                    answers.leave()
                }
            }
            #expect(ingest.counters.waitingEvents == 50)
        }
        answers.wait()
        // The first batch may have been committed alone; all others were waiting by then.
        #expect((1...2).contains(ingest.counters.commits))
        #expect(ingest.counters.accepted == 50)
        #expect(ingest.counters.waitingEvents == 0)
    }

    @Test func aCommitTakesNoMoreEventsThanItsLimitUnlessOneBatchIsLarger() throws {
        var limits = EventIngestLimits()
        limits.maximumEventsPerCommit = 3
        let ingest = EventIngest(log: EventLog(context: fixture.context), limits: limits)
        let answers = DispatchGroup()
        try whileTheStoreIsBusy {
            for (index, size) in [1, 2, 2, 5, 1].enumerated() {
                let events = try (0..<size).map { try event(UInt64(100 * index + $0), at: "2026-11-19T10:00:00Z") }
                answers.enter()
                ingest.submit(try EventBatch(events)) { _ in answers.leave() }
            }
        }
        answers.wait()
        // [1 2] [2] [5] [1], or [1] [2] [2] [5] [1] if the first batch was committed alone.
        #expect((4...5).contains(ingest.counters.commits))
        #expect(ingest.counters.accepted == 11)
    }

    @Test func oneBatchThatCannotBeStoredDoesNotFailItsNeighbours() throws {
        let ingest = EventIngest(log: EventLog(context: fixture.context))
        let good = try (0..<3).map { try EventBatch([try event(UInt64($0), at: "2026-11-19T10:00:00Z")]) }
        // The database rejects events of one instant, which simulates any reason why a single batch fails.
        let bad = try event(99, at: "2026-11-20T09:59:59.999Z")
        try fixture.refuseRows(
            of: "event_blocks", when: "NEW.last_occurred_at = \(bad.timestamp.millisecondsSinceEpoch)")
        let results = Mutex<[Int: Result<IngestReceipt, any Error>]>([:])
        let answers = DispatchGroup()
        try whileTheStoreIsBusy {
            for (index, batch) in [good[0], good[1], try EventBatch([bad]), good[2]].enumerated() {
                answers.enter()
                ingest.submit(batch) { result in
                    results.withLock { $0[index] = result }
                    answers.leave()
                }
            }
        }
        answers.wait()
        let found = results.withLock { $0 }
        for index in [0, 1, 3] { #expect(try found[index]?.get().accepted == 1) }
        #expect(throws: SQLError.self) { try found[2]?.get() }
        #expect(try fixture.events().count == 3)
        #expect(ingest.counters.failedBatches == 1)
    }

    @Test func refusesWhatIsOverTheLimitAndRecovers() throws {
        var limits = EventIngestLimits()
        limits.maximumWaitingEvents = 2
        let ingest = EventIngest(log: EventLog(context: fixture.context), limits: limits)
        let answers = DispatchGroup()
        try whileTheStoreIsBusy {
            for number in 0..<2 {
                answers.enter()
                ingest.submit(try EventBatch([try event(UInt64(number), at: "2026-11-19T10:00:00Z")])) { result in
                    #expect(throws: Never.self) { try result.get() }
                    answers.leave()
                }
            }
            answers.enter()
            ingest.submit(try EventBatch([try event(2, at: "2026-11-19T10:00:00Z")])) { result in
                #expect(throws: BackendError.overloaded(retryAfterSeconds: 1)) { try result.get() }
                answers.leave()
            }
        }
        answers.wait()
        #expect(ingest.counters.refusedBatches == 1)
        #expect(ingest.counters.waitingEvents == 0)
        answers.enter()
        ingest.submit(try EventBatch([try event(2, at: "2026-11-19T10:00:00Z")])) { result in
            #expect(throws: Never.self) { try result.get() }
            answers.leave()
        }
        answers.wait()
        #expect(try fixture.events().count == 3)
    }

    @Test func drainingAnswersWhatWasTakenAndRefusesTheRest() throws {
        let ingest = EventIngest(log: EventLog(context: fixture.context))
        let answered = Mutex(0)
        for number in 0..<200 {
            ingest.submit(try EventBatch([try event(UInt64(number), at: "2026-11-19T10:00:00Z")])) { _ in
                answered.withLock { $0 += 1 }
            }
        }
        ingest.drain()
        #expect(answered.withLock { $0 } == 200)
        #expect(try fixture.events().count == 200)
        let refused = Mutex(false)
        ingest.submit(try EventBatch([try event(999, at: "2026-11-19T10:00:00Z")])) { result in
            refused.withLock { $0 = (try? result.get()) == nil }
        }
        #expect(refused.withLock { $0 })
        ingest.drain()
        #expect(try fixture.events().count == 200)
    }
}
