import HTTPServer
import HTTPWire
import ServerContract
import SubGuardContract

/// Limits how much a request may decompress: the bytes count against the client's allowance.
///
/// It wraps the handlers of all routes (``RouteBinding/countingInflation(by:)``), so that no route can omit it.
struct InflationAllowance: Sendable {
    @TaskLocal static var current: InflationAllowance?

    let limits: ClientLimits
    let request: Request

    /// Throws 429 while the allowance is exhausted. The decompressed size is only known afterwards.
    func begin() throws(HTTPFailure) { try limits.take(.inflatedBytes, for: request) }

    /// Charges the decompressed bytes, even if less was left.
    func charge(_ byteCount: Int) { limits.owe(.inflatedBytes, count: byteCount, for: request) }
}

extension RouteBinding {
    /// The same binding with decompressed bytes charged.
    func countingInflation(by limits: ClientLimits) -> RouteBinding {
        @Sendable func counted<Result>(_ request: Request, _ body: () throws -> Result) throws -> Result {
            // Bodies of the Sentry store endpoint may be compressed without Content-Encoding.
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
