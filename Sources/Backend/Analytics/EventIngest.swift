import Dispatch
import SQLDatabase
import Synchronization

/// Stores batches of events by group commit: everything that waits shares one transaction, and so one trip to the disk.
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
        var isDraining = false
    }

    private let context: BackendContext
    private let limits: EventIngestLimits
    private let alerts: AlertStore
    private let queue = DispatchQueue(label: "subguard.event-ingest")
    private let state = Mutex(State())

    /// `alerts` defaults to one without channels: thresholds fire all the same.
    package init(
        context: BackendContext, limits: EventIngestLimits = EventIngestLimits(), alerts: AlertStore? = nil
    ) {
        self.context = context
        self.limits = limits
        self.alerts = alerts ?? AlertStore(context: context)
    }

    package var counters: EventIngestCounters { state.withLock { $0.counters } }

    /// Takes a batch and returns at once. `completion` is called exactly once, on a queue of the ingest, after the
    /// transaction that holds the batch is on disk; keep it short. A batch without a valid event is answered, and one
    /// over the limit refused with ``BackendError/overloaded(retryAfterSeconds:)``, on the caller's own thread.
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

    /// Refuses what comes from now on and returns when everything taken before has been answered. Never call it from a
    /// completion.
    package func drain() {
        state.withLock { $0.isDraining = true }
        // Whoever set `isCommitting` has put its work on this serial queue before.
        queue.sync {}
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

    /// One result a batch. When the shared transaction fails, each batch is tried alone, so that one that cannot be stored
    /// does not fail its neighbours.
    private func commit(_ group: [Waiting]) -> [Result<IngestReceipt, any Error>] {
        do {
            return try write(group.map(\.batch)).map { .success($0) }
        } catch {
            guard group.count > 1 else { return [.failure(error)] }
            return group.flatMap { commit([$0]) }
        }
    }

    private func write(_ batches: [EventBatch]) throws -> [IngestReceipt] {
        let start = DispatchTime.now().uptimeNanoseconds
        let receipts = try context.store.write { transaction in
            var writer = try EventWriter(transaction, now: context.now())
            let receipts = try batches.map { try writer.write($0) }
            try writer.finish()
            if writer.newUserCount > 0 { try alerts.fireReached(in: transaction) }
            return receipts
        }
        let elapsed = DispatchTime.now().uptimeNanoseconds - start
        state.withLock { state in
            state.counters.commits += 1
            state.counters.commitNanoseconds += Int64(clamping: elapsed)
        }
        return receipts
    }
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
