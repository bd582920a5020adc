import TestKit
import Testing

/// What the devices of all rounds sent, and the responses.
struct KillHistory {
    /// Batches answered 202, each once.
    var acknowledged: [SentBatch] = []
    /// Batches without a response: stored or not, which devices cannot know, so they resend them.
    var unanswered: [SentBatch] = []
    var cutBatches = 0
    var cutStarts = 0
    var timesToFirstAnswer: [Duration] = []
    /// The number of unanswered batches that were already stored.
    private var storedUnanswered = 0
    private var resentEvents = 0

    mutating func resendUnanswered(to server: RunningServer) throws {
        for batch in unanswered {
            let receipt = try send(batch, to: server)
            // A batch is stored in one transaction, so it cannot be stored partially.
            #expect(receipt.accepted == 0 || receipt.duplicates == 0)
            if receipt.accepted == 0 { storedUnanswered += 1 }
            acknowledged.append(batch)
        }
        unanswered = []
    }

    mutating func resendSampleOfAcknowledged(to server: RunningServer, _ random: inout SeededRandom) throws {
        for batch in acknowledged.shuffled(using: &random).prefix(100) {
            let receipt = try send(batch, to: server)
            #expect(receipt.accepted == 0)
            #expect(receipt.duplicates == batch.ids.count)
            resentEvents += batch.ids.count
        }
        #expect(resentEvents > 0)
    }

    private func send(_ batch: SentBatch, to server: RunningServer) throws -> BatchReceipt {
        let response = try RawClient(port: server.port, timeoutSeconds: 30)
            .exchange(RequestText.post("/api/v1/analytics", batch.body))
        let receipt = try #require(BatchReceipt(response))
        #expect(receipt.rejected == 0)
        #expect(receipt.accepted + receipt.duplicates == batch.ids.count)
        return receipt
    }

    /// The totals, in one line for the test log.
    var summary: String {
        let times = timesToFirstAnswer.map { Int($0 / .milliseconds(1)) }.sorted()
        let events = acknowledged.reduce(0) { $0 + $1.ids.count }
        return "\(cutStarts) starts cut short, \(cutBatches) batches cut of which \(storedUnanswered) were stored, "
            + "first answer after \(times.first ?? 0)…\(times.last ?? 0) ms "
            + "(median \(times.isEmpty ? 0 : times[times.count / 2])), \(resentEvents) acknowledged events sent again, "
            + "\(acknowledged.count) batches with \(events) events acknowledged"
    }
}
