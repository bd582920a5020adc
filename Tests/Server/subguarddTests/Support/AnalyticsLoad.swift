import Foundation
import Synchronization
import TestKit

/// Devices that post batches as fast as the server responds, until the connection fails or they are stopped.
final class AnalyticsLoad: Sendable {
    /// The results of one connection.
    struct Report: Sendable {
        var acknowledged: [SentBatch] = []
        /// Sent completely or partially, without a response. At most one per connection.
        var unanswered: [SentBatch] = []
        /// When the unanswered request was sent, if it was sent completely.
        var unansweredSince: ContinuousClock.Instant?
        /// Responses that no valid batch should get.
        var unexpected: [String] = []
    }

    private let isStopped = Atomic<Bool>(false)
    private let answers = Atomic<Int>(0)
    private let threads: Mutex<[OwnThread<Report>]>

    init(port: Int, connections: Int, seed: UInt64) {
        threads = Mutex([])
        let started = (0..<connections).map { index in
            OwnThread { [self] in run(port: port, EventBatchMaker(seed: seed &* 1000 &+ UInt64(index))) }
        }
        threads.withLock { $0 = started }
    }

    var answerCount: Int { answers.load(ordering: .relaxed) }

    /// The results of all connections, when all have ended.
    func finish() async throws -> [Report] {
        isStopped.store(true, ordering: .relaxed)
        let threads = threads.withLock { $0 }
        _ = try await holds(withinSeconds: 40) { threads.allSatisfy(\.hasEnded) }
        return try threads.map { try $0.value(timeoutSeconds: 1) }
    }

    private func run(port: Int, _ maker: EventBatchMaker) -> Report {
        var (maker, report) = (maker, Report())
        guard let client = try? RawClient(port: port, timeoutSeconds: 30) else { return report }
        while !isStopped.load(ordering: .relaxed) {
            let batch = maker.makeAny()
            var sentAt: ContinuousClock.Instant?
            do {
                try client.send(RequestText.post("/api/v1/analytics", batch.body))
                sentAt = .now
                let response = try client.readResponse(to: "POST")
                if let receipt = BatchReceipt(response), receipt.accepted == batch.ids.count, receipt.rejected == 0 {
                    report.acknowledged.append(batch)
                    answers.add(1, ordering: .relaxed)
                } else {
                    report.unexpected.append("\(response.status) \(response.text)")
                }
                if response.announcesClose { break }
            } catch {
                report.unanswered.append(batch)
                report.unansweredSince = sentAt
                break
            }
        }
        return report
    }
}
