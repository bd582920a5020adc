import HTTPServer
import HTTPTypes
import SubGuardContract
import SubGuardDomain

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
