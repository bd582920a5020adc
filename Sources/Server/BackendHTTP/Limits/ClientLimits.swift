import HTTPServer

/// The allowances of whoever sent a request.
struct ClientLimits: Sendable {
    let limiter: RateLimiter
    let address: ClientAddress

    /// Takes so much of an allowance. Throws 429 when there is less.
    func take(_ allowance: Allowance, count: Int = 1, for request: Request) throws(HTTPFailure) {
        guard count > 0, let state = limiter.take(allowance, from: address.of(request), count: count) else { return }
        if !state.isAllowed { throw state.failure }
    }

    /// Takes what a request has used already, however little is left.
    func owe(_ allowance: Allowance, count: Int, for request: Request) {
        limiter.owe(allowance, by: address.of(request), count: count)
    }
}
