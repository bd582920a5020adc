import Foundation
import SubGuardContract
import SubGuardEngine

/// Sends queued suggestions.
struct SuggestionSync {
    let store: DeviceStore
    let server: ServerConnection

    struct Outcome {
        var accepted = 0
        /// Names the server already had because the response to an earlier attempt was lost.
        var duplicates = 0
        var refused = 0
        /// Whether more is queued than one sync sends.
        var isTruncated = false
    }

    /// Stops with a server that accepts nothing.
    private static let maximumRequests = 300

    func run(at moment: Moment) async throws -> Outcome {
        var outcome = Outcome()
        var size = SuggestionQueue.batchSize.upperBound
        for _ in 0..<Self.maximumRequests {
            let batch = try store.suggestions.waiting(limit: size)
            guard !batch.isEmpty else { return outcome }
            do {
                let answer = try await send(batch)
                try store.suggestions.settle(taken: batch.map(\.id), refused: [], at: moment)
                outcome.accepted += answer.accepted
                outcome.duplicates += answer.duplicates
            } catch let error as ClientError where error.isVerdict {
                // One refused name must not block the others.
                if batch.count > 1 {
                    size = max(1, batch.count / 2)
                } else {
                    try store.suggestions.settle(taken: [], refused: [(batch[0].id, error.code)], at: moment)
                    outcome.refused += 1
                    size = SuggestionQueue.batchSize.upperBound
                }
            }
        }
        outcome.isTruncated = try store.suggestions.counts().waiting > 0
        return outcome
    }

    private func send(_ batch: [QueuedSuggestion]) async throws(ClientError) -> SuggestionReceipt {
        let body = SuggestionQueue(batch.map { Suggestion(id: $0.id, name: $0.name) }).json()
        // Repeatable: the server recognises ids.
        let call = ServerCall(.suggestions, body: body, mayRepeat: true)
        // The response must cover every name, or none is known to be accepted.
        let object = try await server.object(call)
        guard let answer = try? SuggestionReceipt(object, unknown: .ignored),
            (0...batch.count).contains(answer.accepted), answer.duplicates == batch.count - answer.accepted
        else {
            throw .unreadable(call: call.route.template)
        }
        return answer
    }
}
