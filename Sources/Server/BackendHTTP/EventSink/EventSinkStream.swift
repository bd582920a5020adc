import Dispatch
import Foundation
import Synchronization
import Telemetry

/// Sends ranges of the log to ClickHouse in their order. While a range is sent to every shard at once, the next one is
/// prepared and written into the ledger.
struct EventSinkStream: Sendable {
    let sink: EventSink
    let order: EventSink.Order
    let cluster: EventSinkCluster
    let database: String
    /// Names this store in ClickHouse, which drops blocks that it has seen by their names.
    let epoch: String

    /// Accepting events comes first: when that takes this share of the processors, a range that waited for one while it
    /// was prepared is followed by a pause of so many times that.
    private static let busyShare = 0.25
    private static let pauseForEachWait: Double = 10
    /// In seconds. A server that is always busy still sends some 30,000 events/s.
    private static let longestPause: Double = 3

    /// Sends what is due. Returns when nothing more is, or when `goesOn` returns false. Throws the first error, also
    /// one of the database; the range stays in the ledger then.
    ///
    /// - Parameter sent: called for each range that every shard has.
    func send(while goesOn: () -> Bool, _ sent: (EventSink.Range) -> Void) throws {
        var next = try prepare(after: nil, while: goesOn)
        while let range = next {
            let failure = Mutex<(any Error)?>(nil)
            let sending = DispatchGroup()
            DispatchQueue.global().async(group: sending) {
                do {
                    try send(range)
                } catch {
                    failure.withLock { $0 = error }
                }
            }
            let prepared = Result { try prepare(after: range, while: goesOn) }
            sending.wait()
            if let error = failure.withLock({ $0 }) { throw error }
            sent(range)
            // Something may have become due meanwhile.
            next = try prepared.get() ?? prepare(after: nil, while: goesOn)
        }
    }

    private func prepare(after range: EventSink.Range?, while goesOn: () -> Bool) throws -> EventSink.Range? {
        while goesOn() {
            let before = ProcessorUse.ofThisThread()
            switch try sink.next(order, after: range) {
            case .nothing: return nil
            case .again: continue
            case .range(let range):
                let waited = ProcessorUse.ofThisThread().waited(since: before, whileOthersHad: Self.busyShare)
                pause(waited * Self.pauseForEachWait, while: goesOn)
                return range
            }
        }
        return nil
    }

    private func pause(_ seconds: Double, while goesOn: () -> Bool) {
        let end = DispatchTime.now() + min(seconds, Self.longestPause)
        while goesOn(), case let now = DispatchTime.now(), now < end {
            Thread.sleep(forTimeInterval: min(0.1, Double(end.uptimeNanoseconds - now.uptimeNanoseconds) / 1e9))
        }
    }

    /// Sends a range to every shard that lacks it. Throws the first error after every shard was tried.
    private func send(_ range: EventSink.Range) throws {
        let failure = Mutex<(any Error)?>(nil)
        DispatchQueue.concurrentPerform(iterations: range.rows.count) { index in
            let (shard, bytes) = range.rows[index]
            do {
                try insert(bytes, of: range, shard)
                // Then the ranges prepared behind it are not those of the ledger either.
                guard try sink.markSent(range, shard: shard) else {
                    throw EventSinkError("range \(range.number) was planned anew while it was sent")
                }
            } catch {
                failure.withLock { $0 = $0 ?? error }
            }
        }
        if let error = failure.withLock({ $0 }) { throw error }
    }

    /// A replica that fails is replaced by the next one.
    private func insert(_ bytes: [UInt8], of range: EventSink.Range, _ shard: Int) throws(EventSinkError) {
        // A range of an earlier plan may be divided among more shards.
        guard cluster.shards.indices.contains(shard) else {
            throw EventSinkError(
                "range \(range.number) is planned for shard \(shard + 1); the cluster has \(cluster.shards.count)")
        }
        let table = EventSinkTables(cluster: cluster, database: database, number: range.table)
        let token = "subguard-\(epoch)-\(range.table)-\(range.number)-\(range.plan)-\(shard)"
        try cluster.onAnyReplica(of: shard) { server throws(EventSinkError) in
            try server.insert(bytes, into: table.local, columns: EventSinkRows.columns, token: token)
        }
    }
}

/// What a thread and the other threads of the process have had of the processors so far, in seconds.
///
/// Work that no request waits for gives way by it. A lower priority would not do: the thread would hold locks of the
/// database and of the allocator while it hardly runs.
struct ProcessorUse {
    /// How long the thread was ready to run and waited for a processor; 0 where the kernel does not say.
    let waited: Double
    /// How long the other threads of the process ran, on all processors.
    let others: Double
    let at: Double

    static func ofThisThread() -> ProcessorUse {
        // The nanoseconds that it ran, those that it waited, and the number of its time slices.
        let fields = (try? String(contentsOfFile: "/proc/thread-self/schedstat", encoding: .utf8)) ?? ""
        let numbers = fields.split(separator: " ").prefix(2).compactMap { Double($0) }
        return ProcessorUse(
            waited: numbers.count == 2 ? numbers[1] / 1e9 : 0,
            others: seconds(CLOCK_PROCESS_CPUTIME_ID) - seconds(CLOCK_THREAD_CPUTIME_ID), at: seconds(CLOCK_MONOTONIC))
    }

    /// How long the thread waited since then, if the other threads had at least this share of all processors; else 0.
    func waited(since before: ProcessorUse, whileOthersHad share: Double) -> Double {
        let all = (at - before.at) * Double(ProcessInfo.processInfo.activeProcessorCount)
        return others - before.others >= all * share ? waited - before.waited : 0
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
