import Foundation
import Hummingbird
import NIOCore

/// `POST /api/v1/analytics` with a bare array of events.
struct EventRoute {
    struct Answer: ResponseEncodable {
        struct Rejection: Encodable {
            let index: Int
            let code: String
        }

        let accepted: Int
        let duplicates: Int
        let rejected: [Rejection]
    }

    let store: EventStore

    func answer(_ request: Request) async throws -> EditedResponse<Answer> {
        let body = try await request.body.collect(upTo: 1 << 20)
        let receivedAt = Date()
        let events = try Self.decoder.decode([PeerEvent].self, from: Data(buffer: body))
        var good: [PeerEvent] = []
        good.reserveCapacity(events.count)
        var rejected: [Answer.Rejection] = []
        for (index, event) in events.enumerated() {
            if let code = event.rejection(receivedAt: receivedAt) {
                rejected.append(Answer.Rejection(index: index, code: code))
            } else {
                good.append(event)
            }
        }
        let accepted = try await store.insert(good, receivedAt: receivedAt)
        return EditedResponse(
            status: .accepted,
            response: Answer(accepted: accepted, duplicates: good.count - accepted, rejected: rejected))
    }

    private static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        decoder.dateDecodingStrategy = .custom { decoder in
            try style.parse(try decoder.singleValueContainer().decode(String.self))
        }
        return decoder
    }
}
