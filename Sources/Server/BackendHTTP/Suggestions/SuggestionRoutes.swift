import Backend
import HTTPServer
import HTTPTypes
import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain

/// `POST /api/v1/suggestions`: one name, or the queue of a device that was offline.
struct SuggestionRoutes: Sendable {
    let store: SuggestionStore
    let limiter: RateLimiter
    let address: ClientAddress

    /// 100 names of 120 characters, each written as an escape of 12 bytes, are about 150 KB.
    private static let maximumBodyBytes = 256 << 10

    func bindings() -> [RouteBinding] {
        [
            RouteBinding(
                .suggestions, allowance: .suggest, maximumBodyBytes: Self.maximumBodyBytes, .blocking { try submit($0) }
            )
        ]
    }

    private func submit(_ request: Request) throws -> Response {
        let object = try RequestBody.object(request, maximumBytes: Self.maximumBodyBytes)
        // Only id and name are accepted, so no other data of a device is stored.
        let suggestions =
            object["suggestions"] == nil ? [try Suggestion(object)] : try SuggestionQueue(object).suggestions
        let allowance = limiter.take(.suggestedNames, from: address.of(request), count: suggestions.count)
        if let allowance, !allowance.isAllowed { throw allowance.failure }
        return try store.submit(suggestions).response(.accepted)
    }
}
