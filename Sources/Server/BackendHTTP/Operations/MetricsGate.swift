import Cryptography
import HTTPServer
import SubGuardDomain

/// Admits requests to `/metrics`: all of them, or those with the configured token.
struct MetricsGate: Sendable {
    /// The hash of the configured token; nil if none is configured.
    private let token: [UInt8]?
    private let credentials: BearerCredentials

    init(_ settings: Settings, limiter: RateLimiter, address: ClientAddress) {
        let text = settings[\.metricsToken]
        token = text.isEmpty ? nil : SHA256.hash(of: text.utf8)
        credentials = BearerCredentials(limiter: limiter, address: address, realm: "subguard metrics")
    }

    /// Runs on the event loop and uses only the request. Throws 400, 401 or 429.
    func admit(_ request: Request) throws {
        guard let token else { return }
        let given = try credentials.token(of: request)
        guard ConstantTime.areEqual(SHA256.hash(of: given.utf8), token) else {
            throw try credentials.invalidToken(request, "The token is not the configured metrics_token.")
        }
    }
}
