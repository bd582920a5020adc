import Cryptography
import HTTPServer
import HTTPTypes
import HTTPWire
import SubGuardContract
import SubGuardDomain

/// Admits requests to `/metrics`: all of them, or those with the configured token.
struct MetricsGate: Sendable {
    /// The hash of the configured token; nil if none is configured.
    private let token: [UInt8]?
    private let limiter: RateLimiter
    private let address: ClientAddress

    private static let challenge = "Bearer realm=\"subguard metrics\""

    init(_ settings: Settings, limiter: RateLimiter, address: ClientAddress) {
        let text = settings[\.metricsToken]
        token = text.isEmpty ? nil : SHA256.hash(of: text.utf8)
        self.limiter = limiter
        self.address = address
    }

    /// Runs on the event loop and uses only the request. Throws 401 or 429.
    func admit(_ request: Request) throws {
        guard let token else { return }
        let values = request.head.values(of: .authorization)
        guard let value = values.first else {
            throw HTTPFailure(
                .unauthorized, "Credentials are missing.", fields: [.wwwAuthenticate: Self.challenge])
        }
        if values.count == 1, let given = AdminGate.bearer(value),
            ConstantTime.areEqual(SHA256.hash(of: given.utf8), token)
        {
            return
        }
        if let state = limiter.take(.credentials, from: address.of(request)), !state.isAllowed {
            throw state.failure
        }
        throw HTTPFailure(
            .unauthorized, "The token is not the configured metrics_token.",
            fields: [.wwwAuthenticate: Self.challenge + ", error=\"invalid_token\""])
    }
}
