import HTTPServer
import HTTPWire
import SubGuardContract

/// What a request may make the server decompress: bytes count against its client's allowance.
///
/// Bound around every handler of a request with a coded body (``RouteBinding/countingInflation(by:)``), so that no route can
/// forget it.
struct InflationAllowance: Sendable {
    @TaskLocal static var current: InflationAllowance?

    let limits: ClientLimits
    let request: Request

    /// Throws 429 while the client has used up its allowance. How much a body holds is only known afterwards.
    func begin() throws(HTTPFailure) { try limits.take(.inflatedBytes, for: request) }

    /// Charges what came out, however little was left.
    func charge(_ byteCount: Int) { limits.owe(.inflatedBytes, count: byteCount, for: request) }
}

extension RouteBinding {
    /// The same route with its coded bodies counted.
    func countingInflation(by limits: ClientLimits) -> RouteBinding {
        @Sendable func counted<Result>(_ request: Request, _ body: () throws -> Result) throws -> Result {
            // Bodies of the store endpoint may be coded without saying so.
            guard request.head.contains(.contentEncoding) || api == .sentryStore else { return try body() }
            let allowance = InflationAllowance(limits: limits, request: request)
            return try InflationAllowance.$current.withValue(allowance) { try body() }
        }
        switch route.endpoint {
        case .immediate, .remembered: return self
        case .blocking(let handler):
            return with(endpoint: .blocking { request in try counted(request) { try handler(request) } })
        case .deferred(let handler):
            return with(
                endpoint: .deferred { request, reply in try counted(request) { try handler(request, reply) } })
        }
    }
}
