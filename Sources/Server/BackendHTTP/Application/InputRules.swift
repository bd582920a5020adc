import HTTPServer
import HTTPWire
import ServerContract
import SubGuardContract

/// Refuses what a call does not declare: parameters if it has no query, and a body if it has none.
///
/// It runs before every handler, for calls with credentials after these are checked. The handlers of calls with a query
/// or a body read them with their declarations, which refuse unknown names themselves.
struct InputRules: Sendable {
    private let refusesParameters: Bool
    private let refusesBody: Bool
    fileprivate var refusesNothing: Bool { !refusesParameters && !refusesBody }

    init(_ api: APIOperation) {
        refusesParameters = api.description.query == nil && api.refusesOtherParameters
        refusesBody = api.refusesBody
    }

    private static let maximumBodyBytes = 65_536

    /// Throws 422 for a parameter. Throws 400, 413, 415 or 422 for a body that is neither empty nor `{}`, which some
    /// clients send with every POST.
    func check(_ request: Request) throws(HTTPFailure) {
        if refusesParameters, request.head.withQuery({ !$0.isEmpty }) { _ = try NoFields(query: request) }
        guard refusesBody, !request.body.isEmpty else { return }
        let bytes = try ContentCoding.decodedBody(of: request, maximumBytes: Self.maximumBodyBytes)
        if !bytes.isEmpty { _ = try NoFields(body: try RequestBody.object(in: bytes)) }
    }
}

extension Endpoint {
    /// The same endpoint, called only for requests that satisfy `rules`.
    func checking(_ rules: InputRules) -> Endpoint {
        guard !rules.refusesNothing else { return self }
        return switch self {
        case .immediate(let handler):
            .immediate { request in
                try rules.check(request)
                return try handler(request)
            }
        case .remembered(let handler, let otherwise):
            // What is refused here is refused again, with its error, by the other endpoint.
            .remembered(
                { request in (try? rules.check(request)) == nil ? nil : handler(request) },
                otherwise: otherwise.checking(rules))
        case .blocking(let handler):
            .blocking { request in
                try rules.check(request)
                return try handler(request)
            }
        case .deferred(let handler):
            .deferred { request, reply in
                try rules.check(request)
                try handler(request, reply)
            }
        }
    }
}
