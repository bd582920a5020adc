import Backend
import HTTPServer
import HTTPTypes
import HTTPWire
import SubGuardAPI
import SubGuardDomain

/// Lets a request through to an admin call when its token exists, still holds and has a role with the permission.
struct AdminGate: Sendable {
    let tokens: AccessTokenStore
    let limiter: RateLimiter
    let address: ClientAddress
    let now: @Sendable () -> UTCInstant

    private static let challenge = "Bearer realm=\"subguard\""

    /// Asks the database each time: a revocation by another process holds at once. Throws 401, 403 or 429.
    func admit(_ request: Request, to permission: String?) throws -> Actor {
        guard let permission = permission.flatMap(Permission.init(rawValue:)) else {
            // A route without a known permission is a mistake of ours: nobody gets in.
            throw HTTPFailure(.forbidden, "This call is open to nobody.")
        }
        guard let value = request.head.value(of: .authorization) else {
            throw unauthorized("Credentials are missing.", challenge: Self.challenge)
        }
        guard let token = Self.bearer(value) else {
            throw unauthorized("The credentials must be of the scheme Bearer.", challenge: Self.challenge)
        }
        guard let access = try tokens.authenticate(token) else {
            // Only what failed is counted, so that nobody can lock out the holder of a good token at the same address.
            if let state = limiter.take(.credentials, from: address.of(request)), !state.isAllowed {
                throw state.failure(of: .credentials)
            }
            throw unauthorized(
                "The token is unknown, expired or revoked.", challenge: Self.challenge + ", error=\"invalid_token\"")
        }
        guard access.role.allows(permission) else {
            throw HTTPFailure(
                .forbidden, "The role \(access.role.rawValue) lacks the permission \(permission.rawValue).")
        }
        // When it was last used is worth knowing, but never worth failing a request for.
        try? tokens.noteUse(access.id, at: now())
        return Actor(tokenID: access.id, name: access.name, requestID: request.id)
    }

    /// The scheme's name is compared without case, and one blank or more follow it (RFC 9110 sections 11.1 and 11.4).
    private static func bearer(_ value: String) -> String? {
        let parts = value.split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }

    private func unauthorized(_ detail: String, challenge: String) -> HTTPFailure {
        HTTPFailure(.unauthorized, detail, fields: [.wwwAuthenticate: challenge])
    }
}

extension AdminGate {
    /// Binds an admin call: its handler is reached only through the gate, with the permission of the contract's table.
    func binding(
        _ api: APIRoute, maximumBodyBytes: Int = 65_536,
        _ handler: @escaping @Sendable (Request, Actor) throws -> Response
    ) -> RouteBinding {
        RouteBinding(
            api, allowance: .admin, maximumBodyBytes: maximumBodyBytes,
            .blocking { try handler($0, try admit($0, to: api.permission)) })
    }
}
