import Foundation
import TestKit

/// A batch whose first bytes have been sent.
struct HalfSentRequest {
    let batch: SentBatch
    private let client: RawClient
    private let rest: [UInt8]

    /// Sends the first bytes.
    init(port: Int, batch: SentBatch, firstBytes count: Int) throws {
        self.batch = batch
        client = try RawClient(port: port, timeoutSeconds: 30)
        let request = RequestText.post("/api/v1/analytics", batch.body)
        rest = Array(request.dropFirst(count))
        try client.send(Array(request.prefix(count)))
    }

    /// Requests interrupted after their first byte, within and after their head, and before their last byte.
    static func all(port: Int) throws -> [HalfSentRequest] {
        var maker = EventBatchMaker(seed: 12_34)
        return try [1, 10, 60, 300, 1000].map { count in
            try HalfSentRequest(port: port, batch: maker.make(count: 20), firstBytes: count)
        }
    }

    func finish() throws { try client.send(rest) }

    func answer() throws -> RawResponse { try client.readResponse(to: "POST") }
}
