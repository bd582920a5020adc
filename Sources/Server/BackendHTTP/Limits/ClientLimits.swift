import HTTPServer

/// The allowances of a request's client.
struct ClientLimits: Sendable {
    let limiter: RateLimiter
    let address: ClientAddress

    /// Takes an amount of an allowance. Throws 429 when less is left.
    func take(_ allowance: Allowance, count: Int = 1, for request: Request) throws(HTTPFailure) {
        guard count > 0, let state = limiter.take(allowance, from: address.of(request), count: count) else { return }
        if !state.isAllowed { throw state.failure }
    }

    /// Takes the amount that a request has already used, even if less is left.
    func owe(_ allowance: Allowance, count: Int, for request: Request) {
        limiter.owe(allowance, by: address.of(request), count: count)
    }
}
