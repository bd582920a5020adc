import EventLog
import HTTPServer
import HTTPTypes
import HTTPWire
import ServerContract
import SubGuardContract
import SubGuardDomain
import Telemetry

extension RateLimiter.State {
    /// `RateLimit-Policy` and `RateLimit` as structured fields.
    var fields: [(HTTPField.Name, String)] {
        let name = allowance.rawValue
        return [
            (.rateLimitPolicy, "\"\(name)\";q=\(quota);w=\(allowance.windowSeconds)"),
            (.rateLimit, "\"\(name)\";r=\(remaining);t=\(resetSeconds)"),
        ]
    }

    /// 429 with `Retry-After`.
    var failure: HTTPFailure {
        var failure = HTTPFailure(
            .rateLimited,
            isOfAll
                ? "All clients together have used up this server's limit of \(allowance.noun)."
                : "More than \(quota) \(allowance.noun) within \(allowance.windowSeconds) seconds.")
        failure.fields[.retryAfter] = String(resetSeconds)
        for (name, value) in fields { failure.fields[name] = value }
        return failure
    }
}

extension HTTPField.Name {
    // The names are valid tokens, so the fallbacks are never used.
    static let rateLimitPolicy = HTTPField.Name("RateLimit-Policy") ?? .retryAfter
    static let rateLimit = HTTPField.Name("RateLimit") ?? .retryAfter
}

/// The allowances of a request's client.
struct ClientLimits: Sendable {
    let limiter: RateLimiter
    let address: ClientAddress

    /// Takes an amount of an allowance. Throws 429 when less is left.
    func take(_ allowance: Allowance, count: Int = 1, for request: Request) throws(HTTPFailure) {
        guard count > 0, let state = limiter.take(allowance, from: address.of(request), count: count) else { return }
        if !state.isAllowed { throw state.failure }
    }

    /// Charges an amount that a request has already used, even if less is left.
    func owe(_ allowance: Allowance, count: Int, for request: Request) {
        limiter.owe(allowance, by: address.of(request), count: count)
    }
}

/// Checks a batch of events before it is stored: the allowances for disk space and new users.
struct IngestAdmission: Sendable {
    let limits: ClientLimits
    let users: KnownUsers
    let signatures: IngestSignatures

    /// Throws 429 if the batch exceeds an allowance of its client or of all clients; the batch must then not be stored.
    /// A signed batch may use the reserved part of the totals and report more new users.
    ///
    /// It queries the database for users unknown to this process, so it must run on a worker.
    func admit(_ batch: EventBatch, of request: Request) throws {
        guard limits.limiter.isEnabled, !batch.events.isEmpty else { return }
        let isSigned = batch.signer != nil
        let strangers = try users.strangers(in: batch.events)
        let refusal = limits.limiter.take(
            [
                RateLimiter.Cost(allowance: .events, count: batch.storedUnits, isPreferred: isSigned),
                RateLimiter.Cost(allowance: .eventsAhead, count: batch.eventsAhead, isPreferred: isSigned),
                RateLimiter.Cost(
                    allowance: isSigned ? .signedUsers : .newUsers, count: strangers.count, isPreferred: isSigned),
            ], from: limits.address.of(request))
        if let refusal { throw refusal.failure }
        users.remember(strangers)
    }
}

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
