import Backend
import HTTPServer
import HTTPTypes
import HTTPWire
import Logging
import ServerContract
import SubGuardContract
import SubGuardDomain

/// Authenticates admin calls and checks the permission of each: the token must exist and be valid, and its role must have
/// the permission that the call's declaration names.
struct AdminGate: Sendable {
    let tokens: AccessTokenStore
    let answers: IdempotentAnswers
    let limiter: RateLimiter
    let address: ClientAddress
    let logger: Logger
    let now: @Sendable () -> UTCInstant

    /// The allowances of the clients that the gate lets in.
    var limits: ClientLimits { ClientLimits(limiter: limiter, address: address) }

    private static let challenge = "Bearer realm=\"subguard\""

    /// The token's record and its text. Asks the database each time: a revocation by another process holds at once. Throws
    /// 401, 403 or 429.
    private func admitted(_ request: Request, to api: APIOperation) throws -> (access: AccessToken, token: String) {
        guard api.needsToken else {
            // A route of the administration that asks for no token is a mistake of ours: nobody gets in.
            throw HTTPFailure(.forbidden, "This call is open to nobody.")
        }
        let values = request.head.values(of: .authorization)
        guard let value = values.first else {
            throw unauthorized("Credentials are missing.", challenge: Self.challenge)
        }
        guard values.count == 1 else {
            // A proxy may have looked at another one than we would (RFC 9110 section 5.3: it is no list).
            note(request, "several credentials")
            throw HTTPFailure(.malformedRequest, "Authorization must be sent once.")
        }
        guard let token = Self.bearer(value) else {
            note(request, "no bearer token")
            try countFailure(of: request)
            throw unauthorized("The credentials must be of the scheme Bearer.", challenge: Self.challenge)
        }
        guard let access = try tokens.authenticate(token) else {
            note(request, "unknown, expired or revoked token")
            try countFailure(of: request)
            throw unauthorized(
                "The token is unknown, expired or revoked.", challenge: Self.challenge + ", error=\"invalid_token\"")
        }
        if let permission = api.permission, !access.role.allows(permission) {
            note(request, "role \(access.role.name) lacks \(permission.rawValue)", token: access)
            throw HTTPFailure(
                .forbidden, "The role \(access.role.name) lacks the permission \(permission.rawValue).")
        }
        // When it was last used is worth knowing, but never worth failing a request for.
        let instant = now()
        if access.isUseWorthNoting(at: instant) { try? tokens.noteUse(access.id, at: instant) }
        return (access, token)
    }

    /// Refuses, before the body is read, a request without anything that could be a token. The token itself is looked up
    /// on a worker: before a large body is read, and in any case when the request is whole.
    private func requireCredentials(_ request: Request) throws {
        let values = request.head.values(of: .authorization)
        guard let value = values.first else {
            throw unauthorized("Credentials are missing.", challenge: Self.challenge)
        }
        guard values.count == 1, let token = Self.bearer(value), !AccessTokenSecret.isWellFormed(token) else { return }
        note(request, "no token")
        try countFailure(of: request)
        throw unauthorized(
            "The token is unknown, expired or revoked.", challenge: Self.challenge + ", error=\"invalid_token\"")
    }

    /// Only what failed is counted, so that nobody can lock out the holder of a good token at the same address. Throws 429.
    private func countFailure(of request: Request) throws {
        if let state = limiter.take(.credentials, from: address.of(request)), !state.isAllowed {
            throw state.failure
        }
    }

    /// For whoever watches for break-ins: where it came from and why it was refused, and nothing of the credential.
    private func note(_ request: Request, _ reason: String, token: AccessToken? = nil) {
        var metadata: Logger.Metadata = [
            "request_id": "\(request.id)", "client": "\(address.of(request))", "reason": "\(reason)",
        ]
        if let token { metadata["token_id"] = "\(token.id.lowercased)" }
        logger.warning("admin call refused", metadata: metadata)
    }

    /// The scheme's name is compared without case, and one blank or more follow it (RFC 9110 sections 11.1 and 11.4).
    static func bearer(_ value: String) -> String? {
        let parts = value.split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }

    private func unauthorized(_ detail: String, challenge: String) -> HTTPFailure {
        HTTPFailure(.unauthorized, detail, fields: [.wwwAuthenticate: challenge])
    }
}

extension AdminGate {
    /// Binds an admin call: its handler is reached only through the gate, with the permission of the contract's table, and
    /// a POST with an `Idempotency-Key` is carried out once.
    func binding(
        _ api: APIOperation, maximumBodyBytes: Int = 65_536,
        _ handler: @escaping @Sendable (Request, Actor) throws -> Response
    ) -> RouteBinding {
        RouteBinding(
            api, allowance: .admin, maximumBodyBytes: maximumBodyBytes, admission: { try requireCredentials($0) },
            bodyAdmission: { _ = try admitted($0, to: api) },
            .blocking { request in
                let (access, token) = try admitted(request, to: api)
                let actor = Actor(
                    tokenID: access.id, name: access.name, requestID: request.id,
                    permissions: access.role.permissions)
                guard api.isIdempotent else { return try handler(request, actor) }
                return try answers.answer(request, of: actor, token: token) { try handler(request, actor) }
            })
    }

    /// Binds a read that is about the caller's own token.
    func binding(
        ofOwnToken api: APIOperation, _ handler: @escaping @Sendable (Request, AccessToken) throws -> Response
    ) -> RouteBinding {
        RouteBinding(
            api, allowance: .admin, admission: { try requireCredentials($0) },
            .blocking { request in try handler(request, try admitted(request, to: api).access) })
    }
}
