import Dispatch
package import EventLog
import SQLDatabase
import ServerAccess
package import SubGuardDomain
import SubGuardSQL
import Synchronization

/// Stores batches of events by group commit: the batches that arrive during a commit share the next transaction and its
/// disk write.
package final class EventIngest: Sendable {
    package typealias Completion = @Sendable (Result<IngestReceipt, any Error>) -> Void

    private struct Waiting: Sendable {
        let batch: EventBatch
        let completion: Completion
    }

    private struct State {
        var waiting: [Waiting] = []
        var counters = EventIngestCounters()
        var isCommitting = false
        var isUpkeepDue = false
        var isDraining = false
    }

    private let log: EventLog
    private let limits: EventIngestLimits
    private let queue = DispatchQueue(label: "subguard.event-ingest")
    private let upkeepQueue = DispatchQueue(label: "subguard.event-upkeep")
    private let state = Mutex(State())

    package init(log: EventLog, limits: EventIngestLimits = EventIngestLimits()) {
        self.log = log
        self.limits = limits
    }

    package var counters: EventIngestCounters { state.withLock { $0.counters } }

    /// Accepts a batch and returns at once. `completion` is called exactly once, on a queue of the ingest, when the
    /// transaction with the batch is on disk; keep it short. A batch without a valid event is answered, and one over
    /// the limit rejected with ``BackendError/overloaded(retryAfterSeconds:)``, on the caller's own thread.
    package func submit(_ batch: EventBatch, completion: @escaping Completion) {
        let immediate: Result<IngestReceipt, any Error>? = state.withLock { state in
            guard !state.isDraining else { return .failure(BackendError.overloaded(retryAfterSeconds: 1)) }
            guard !batch.events.isEmpty else {
                let receipt = IngestReceipt(accepted: 0, duplicates: 0, rejected: batch.rejected)
                state.counters.count(receipt)
                return .success(receipt)
            }
            guard state.counters.waitingEvents + batch.events.count <= limits.maximumWaitingEvents else {
                state.counters.refusedBatches += 1
                return .failure(BackendError.overloaded(retryAfterSeconds: 1))
            }
            state.counters.waitingEvents += batch.events.count
            state.waiting.append(Waiting(batch: batch, completion: completion))
            if !state.isCommitting {
                state.isCommitting = true
                queue.async { [self] in commitWaiting() }
            }
            return nil
        }
        if let immediate { completion(immediate) }
    }

    /// Continues counting and upkeep that the previous process left unfinished.
    package func start() {
        state.withLock { $0.isUpkeepDue = true }
        keepUp(after: log.pauseBetweenFolds)
    }

    /// Rejects new batches and returns when all accepted ones have been answered. Pending events are counted for at
    /// most five seconds; the rest are counted after the next start. Never call it from a completion.
    package func drain() {
        state.withLock { $0.isDraining = true }
        queue.sync { commitWaiting() }
        try? log.settle(until: .now() + .seconds(5))
    }

    private func commitWaiting() {
        while let group = takeGroup() {
            let results = commit(group)
            for (waiting, result) in zip(group, results) {
                state.withLock { $0.counters.count(result, events: waiting.batch.events.count) }
                waiting.completion(result)
            }
        }
    }

    /// The oldest waiting batches that fit one transaction, at least one; nil, and committing ends, when none waits.
    private func takeGroup() -> [Waiting]? {
        state.withLock { state in
            var events = 0
            let count = state.waiting.prefix { waiting in
                defer { events += waiting.batch.events.count }
                return events == 0 || events + waiting.batch.events.count <= limits.maximumEventsPerCommit
            }.count
            guard count > 0 else {
                state.isCommitting = false
                return nil
            }
            defer { state.waiting.removeFirst(count) }
            return Array(state.waiting.prefix(count))
        }
    }

    /// One result per batch. If the shared transaction fails, each batch is tried alone, so that one bad batch does not
    /// fail the others.
    private func commit(_ group: [Waiting]) -> [Result<IngestReceipt, any Error>] {
        do {
            return try write(group.map(\.batch)).map { .success($0) }
        } catch {
            // A fault of the database affects every batch, so retrying them one by one is pointless.
            let isTheStores = (error as? SQLError).map { Self.storesOwnFaults.contains($0.code) } ?? false
            guard group.count > 1, !isTheStores else { return group.map { _ in .failure(error) } }
            return group.flatMap { commit([$0]) }
        }
    }

    private static let storesOwnFaults: Set<SQLError.Code> = [
        .busy, .readOnly, .diskFull, .inputOutput, .corrupt, .closed, .disconnected,
    ]

    private func write(_ batches: [EventBatch]) throws -> [IngestReceipt] {
        let start = DispatchTime.now().uptimeNanoseconds
        let receipts = try log.append(batches)
        let elapsed = DispatchTime.now().uptimeNanoseconds - start
        let isUpkeepDue = state.withLock { state in
            state.counters.commits += 1
            state.counters.commitNanoseconds += Int64(clamping: elapsed)
            defer { state.isUpkeepDue = true }
            return !state.isUpkeepDue
        }
        if isUpkeepDue { keepUp(after: log.pauseBetweenFolds) }
        return receipts
    }

    /// Counts events and maintains the log shortly after a commit: several events of a user then need one look-up, and
    /// waiting devices are answered first. These steps alternate with commits.
    private func keepUp(after pause: DispatchTimeInterval) { keepUp(foldingAt: .now() + pause) }

    /// - Parameters:
    ///   - foldTime: when to count, or before if many events have come meanwhile.
    ///   - isUntidy: whether the log needs upkeep, which does not wait.
    private func keepUp(foldingAt foldTime: DispatchTime, isUntidy: Bool = false) {
        let next = isUntidy ? .now() : min(foldTime, .now() + Self.timeBetweenLooks)
        upkeepQueue.asyncAfter(deadline: next) { [self] in
            guard !state.withLock({ $0.isDraining }) else { return }
            let folds = foldTime <= .now() || log.shouldFoldNow
            guard folds || isUntidy else { return keepUp(foldingAt: foldTime) }
            do {
                let isFolding = try folds && log.foldStep()
                let isUntidy = try log.upkeepStep()
                // Upkeep that lasts must not make folds follow each other: each writes all pages of users again.
                let nextFold = isFolding ? .now() : folds ? .now() + log.pauseBetweenFolds : foldTime
                if isFolding || isUntidy || log.currentFigures.unfoldedEvents > 0 {
                    return keepUp(foldingAt: nextFold, isUntidy: isUntidy)
                }
                state.withLock { $0.isUpkeepDue = false }
            } catch {
                state.withLock { $0.counters.failedUpkeeps += 1 }
                upkeepQueue.asyncAfter(deadline: .now() + Self.pauseAfterFailure) { [self] in
                    keepUp(foldingAt: .now())
                }
            }
        }
    }

    private static let timeBetweenLooks = DispatchTimeInterval.milliseconds(50)
    private static let pauseAfterFailure = DispatchTimeInterval.seconds(5)
}

extension EventIngestCounters {
    fileprivate mutating func count(_ result: Result<IngestReceipt, any Error>, events: Int) {
        waitingEvents -= events
        switch result {
        case .success(let receipt): count(receipt)
        case .failure:
            batches += 1
            failedBatches += 1
        }
    }

    fileprivate mutating func count(_ receipt: IngestReceipt) {
        batches += 1
        accepted += Int64(receipt.accepted)
        duplicates += Int64(receipt.duplicates)
        for event in receipt.rejected { rejectedByCode[event.code, default: 0] += 1 }
    }
}

/// The limits of the ingest.
package struct EventIngestLimits: Sendable, Hashable {
    /// Accepted but uncommitted events; at the limit a batch is rejected. Default 100,000, at about 300 bytes each.
    package var maximumWaitingEvents = 100_000

    /// A transaction takes further batches until it has this many events. Default 10,000: large enough to share the
    /// cost of a disk write, small enough that no batch waits long for others.
    package var maximumEventsPerCommit = 10_000

    package init() {}
}

/// Counters of the ingest since the start of the process.
package struct EventIngestCounters: Sendable, Hashable {
    package var accepted: Int64 = 0
    package var duplicates: Int64 = 0
    package var rejectedByCode: [EventRejection: Int64] = [:]
    /// Batches answered, whether with a receipt or with a failure.
    package var batches: Int64 = 0
    /// Batches that could not be written.
    package var failedBatches: Int64 = 0
    /// Batches rejected because too many events were waiting.
    package var refusedBatches: Int64 = 0
    /// Failures while counting events; each is retried after a pause.
    package var failedUpkeeps: Int64 = 0
    package var commits: Int64 = 0
    /// Time spent in successful transactions.
    package var commitNanoseconds: Int64 = 0
    /// Events accepted and not yet answered.
    package var waitingEvents = 0
}
