import HTTPServer
import HTTPTypes
import HTTPWire
import SubGuardContract

/// Admits requests to `/metrics`: all of them, or those with the configured token.
struct MetricsGate: Sendable {
    private let token: [UInt8]
    private let limiter: RateLimiter
    private let address: ClientAddress

    private static let challenge = "Bearer realm=\"subguard metrics\""

    init(_ settings: Settings, limiter: RateLimiter, address: ClientAddress) {
        token = Array(settings[\.metricsToken].utf8)
        self.limiter = limiter
        self.address = address
    }

    /// Runs on the event loop: it uses only the request. Throws 401 or 429.
    func admit(_ request: Request) throws {
        guard !token.isEmpty else { return }
        let values = request.head.values(of: .authorization)
        guard let value = values.first else {
            throw HTTPFailure(
                .unauthorized, "Credentials are missing.", fields: [.wwwAuthenticate: Self.challenge])
        }
        if values.count == 1, let given = AdminGate.bearer(value), isToken(Array(given.utf8)) { return }
        if let state = limiter.take(.credentials, from: address.of(request)), !state.isAllowed {
            throw state.failure
        }
        throw HTTPFailure(
            .unauthorized, "The token is not the configured metrics_token.",
            fields: [.wwwAuthenticate: Self.challenge + ", error=\"invalid_token\""])
    }

    /// Takes the same time wherever the first difference is.
    private func isToken(_ given: [UInt8]) -> Bool {
        guard given.count == token.count else { return false }
        return zip(given, token).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
