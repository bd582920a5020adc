import HTTPServer
import HTTPTypes
import HTTPWire
package import Logging
package import ServerAccess
import ServerContract
import SubGuardContract
import SubGuardDomain

/// Authenticates admin calls and checks permissions: the token must be valid, and its role must have the permission
/// that the declaration of the call names.
package struct AdminGate: Sendable {
    package let tokens: AccessTokenStore
    package let answers: IdempotentAnswers
    package let limiter: RateLimiter
    package let address: ClientAddress
    package let logger: Logger
    let now: @Sendable () -> UTCInstant

    /// The allowances of admitted clients.
    var limits: ClientLimits { ClientLimits(limiter: limiter, address: address) }

    private var credentials: BearerCredentials { BearerCredentials(limiter: limiter, address: address) }

    /// Returns the token's record and text. Queries the database for each request, so that revocations by other
    /// processes apply immediately. Throws 401, 403 or 429.
    private func admitted(_ request: Request, to api: APIOperation) throws -> (access: AccessToken, token: String) {
        guard api.needsToken else {
            // An admin route declared without a token is a programming error; reject all requests.
            throw HTTPFailure(.forbidden, "No role may make this call.")
        }
        let token = try bearer(of: request)
        guard let access = try tokens.authenticate(token) else {
            note(request, "unknown, expired or revoked token")
            throw try credentials.invalidToken(request)
        }
        try requirePermission(of: access, to: api, request)
        // Recording the last use is optional: a failure must not fail the request.
        let instant = now()
        if access.isUseWorthNoting(at: instant) { try? tokens.noteUse(access.id, at: instant) }
        return (access, token)
    }

    /// Throws 403 if the token's role lacks the permission that the call declares.
    private func requirePermission(of access: AccessToken, to api: APIOperation, _ request: Request) throws {
        guard let permission = api.permission, !access.role.allows(permission) else { return }
        note(request, "role \(access.role.name) lacks \(permission.rawValue)", token: access)
        throw HTTPFailure(.forbidden, "The role \(access.role.name) lacks the permission \(permission.rawValue).")
    }

    /// Rejects what cannot be a token before the body is read. A worker then looks the token up: before a large body is
    /// read, and again when the request is complete.
    private func requireCredentials(_ request: Request) throws {
        guard !AccessTokenSecret.isWellFormed(try bearer(of: request)) else { return }
        note(request, "no token")
        throw try credentials.invalidToken(request)
    }

    /// The text of the bearer token. Throws 400, 401 or 429.
    private func bearer(of request: Request) throws -> String {
        try credentials.token(of: request) { note(request, $0) }
    }

    /// Logs the client and the reason for intrusion detection, without the credential.
    private func note(_ request: Request, _ reason: String, token: AccessToken? = nil) {
        var metadata: Logger.Metadata = [
            "request_id": "\(request.id)", "client": "\(address.of(request))", "reason": "\(reason)",
        ]
        if let token { metadata["token_id"] = "\(token.id.lowercased)" }
        logger.warning("admin call refused", metadata: metadata)
    }
}

extension AdminGate {
    /// Binds an admin call. The gate checks the permission of the declaration before the handler runs; a POST with an
    /// `Idempotency-Key` is executed once. `sieve` takes large bodies while they arrive, for an admitted actor.
    func binding(
        _ api: APIOperation, maximumBodyBytes: Int = 65_536,
        sieve: (@Sendable (Request, Actor) throws -> any BodySieve)? = nil,
        _ handler: @escaping @Sendable (Request, Actor) throws -> Response
    ) -> RouteBinding {
        let rules = InputRules(api)
        @Sendable func checked(_ request: Request, _ actor: Actor) throws -> Response {
            try rules.check(request)
            return try handler(request, actor)
        }
        var admittedSieve: (@Sendable (Request) throws -> any BodySieve)?
        if let sieve {
            admittedSieve = { request in
                let access = try admitted(request, to: api).access
                try rules.check(request)
                return try sieve(request, actor(access, request))
            }
        }
        return RouteBinding(
            api, allowance: .admin, maximumBodyBytes: maximumBodyBytes, admission: { try requireCredentials($0) },
            bodyAdmission: { _ = try admitted($0, to: api) },
            sieve: admittedSieve,
            .blocking { request in
                let (access, token) = try admitted(request, to: api)
                let actor = actor(access, request)
                guard api.isIdempotent else { return try checked(request, actor) }
                return try answers.answer(request, of: actor, token: token) { try checked(request, $0) }
            })
    }

    private func actor(_ access: AccessToken, _ request: Request) -> Actor {
        Actor(tokenID: access.id, name: access.name, requestID: request.id, permissions: access.role.permissions)
    }

    /// Binds a read of the caller's own token.
    func binding(
        ofOwnToken api: APIOperation, _ handler: @escaping @Sendable (Request, AccessToken) throws -> Response
    ) -> RouteBinding {
        let rules = InputRules(api)
        return RouteBinding(
            api, allowance: .admin, admission: { try requireCredentials($0) },
            .blocking { request in
                let token = try admitted(request, to: api).access
                try rules.check(request)
                return try handler(request, token)
            })
    }
}

/// Reads the bearer token of a request (RFC 6750), and rejects requests without a valid one.
struct BearerCredentials: Sendable {
    let limiter: RateLimiter
    let address: ClientAddress
    var realm = "subguard"

    /// The challenge of a 401 for a token that is not valid.
    static func invalidToken(realm: String = "subguard") -> String {
        "Bearer realm=\"\(realm)\", error=\"invalid_token\""
    }

    /// The text of the token. Throws 400, 401 or 429; `refused` gets the reason if there are credentials.
    func token(of request: Request, refused: (String) -> Void = { _ in }) throws -> String {
        let values = request.head.values(of: .authorization)
        guard let value = values.first else { throw unauthorized("Credentials are missing.") }
        guard values.count == 1 else {
            // A proxy may have checked another value than this server would (RFC 9110 section 5.3: not a list field).
            refused("several credentials")
            throw HTTPFailure(.malformedRequest, "Authorization must be sent once.")
        }
        // The scheme is case-insensitive and followed by one or more spaces (RFC 9110 sections 11.1 and 11.4).
        let parts = value.split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            refused("no bearer token")
            try countFailure(of: request)
            throw unauthorized("The credentials must be of the scheme Bearer.")
        }
        return String(parts[1])
    }

    /// The 401 for a token that is not valid. Throws 429.
    func invalidToken(
        _ request: Request, _ detail: Sentence = "The token is unknown, expired or revoked."
    ) throws -> HTTPFailure {
        try countFailure(of: request)
        return HTTPFailure(.unauthorized, detail, fields: [.wwwAuthenticate: Self.invalidToken(realm: realm)])
    }

    /// Counts only failures, so that valid tokens at the same address are not locked out. Throws 429.
    private func countFailure(of request: Request) throws {
        if let state = limiter.take(.credentials, from: address.of(request)), !state.isAllowed {
            throw state.failure
        }
    }

    private func unauthorized(_ detail: Sentence) -> HTTPFailure {
        HTTPFailure(.unauthorized, detail, fields: [.wwwAuthenticate: "Bearer realm=\"\(realm)\""])
    }
}
