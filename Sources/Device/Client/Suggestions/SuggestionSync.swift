import Foundation
import SubGuardContract
import SubGuardDomain
import SubGuardEngine

/// Sends the names that wait to be suggested.
struct SuggestionSync {
    let store: DeviceStore
    let server: ServerConnection

    struct Outcome {
        var accepted = 0
        /// Names that the server had already, because the answer to an earlier attempt was lost.
        var duplicates = 0
        var refused = 0
        /// Whether more waits than one synchronisation sends.
        var isCut = false
    }

    /// An end for a server that never takes anything.
    private static let maximumRequests = 300

    func run(at moment: Moment) async throws -> Outcome {
        var outcome = Outcome()
        var size = SuggestedName.batchSize.upperBound
        for _ in 0..<Self.maximumRequests {
            let batch = try store.suggestions.waiting(limit: size)
            guard !batch.isEmpty else { return outcome }
            do {
                let answer = try await send(batch)
                try store.suggestions.settle(taken: batch.map(\.id), refused: [], at: moment)
                outcome.accepted += answer.accepted
                outcome.duplicates += answer.duplicates
            } catch let error as ClientError where error.isVerdict {
                // The verdict on one name must not keep the others.
                if batch.count > 1 {
                    size = max(1, batch.count / 2)
                } else {
                    try store.suggestions.settle(taken: [], refused: [(batch[0].id, error.code)], at: moment)
                    outcome.refused += 1
                    size = SuggestedName.batchSize.upperBound
                }
            }
        }
        outcome.isCut = try store.suggestions.counts().waiting > 0
        return outcome
    }

    private func send(_ batch: [QueuedSuggestion]) async throws(ClientError) -> SuggestionAnswer {
        let body = SuggestedName.body(of: batch.map { SuggestedName(id: $0.id, name: $0.name) })
        // The server knows each id again.
        let call = ServerCall(.suggestions, body: body, mayRepeat: true)
        // Every name must be in the answer, or there is no telling which of them were taken.
        guard let answer = SuggestionAnswer(wire: try await server.object(call)),
            (0...batch.count).contains(answer.accepted), answer.duplicates == batch.count - answer.accepted
        else {
            throw .unreadable(call: call.route.template)
        }
        return answer
    }
}
