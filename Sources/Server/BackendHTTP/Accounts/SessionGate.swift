import Backend
import HTTPServer
import HTTPTypes
import HTTPWire
import Logging
import ServerContract
import SubGuardContract
import SubGuardDomain

/// Admits requests to session calls if their access token exists and has not expired.
struct SessionGate: Sendable {
    let accounts: AccountStore
    let limiter: RateLimiter
    let address: ClientAddress

    private static let challenge = "Bearer realm=\"subguard\""
    /// The challenge of every 401 for a request that contains a token.
    static let invalidToken = challenge + ", error=\"invalid_token\""

    /// Binds a session call. The handler runs only for admitted requests.
    func binding(
        _ api: APIOperation, maximumBodyBytes: Int = 1024,
        _ handler: @escaping @Sendable (Request, AccountSession) throws -> Response
    ) -> RouteBinding {
        let rules = InputRules(api)
        return RouteBinding(
            api, allowance: .account, maximumBodyBytes: maximumBodyBytes, admission: { _ = try token(of: $0) },
            bodyAdmission: { _ = try session(of: $0) },
            .blocking { request in
                let session = try session(of: request)
                try rules.check(request)
                return try handler(request, session)
            })
    }

    /// Binds a session call that is open on this server. A request with credentials needs valid ones all the same; without any,
    /// the handler gets no session.
    func openBinding(
        _ api: APIOperation, _ handler: @escaping @Sendable (Request, AccountSession?) throws -> Response
    ) -> RouteBinding {
        let rules = InputRules(api)
        @Sendable func isAnonymous(_ request: Request) -> Bool { request.head.values(of: .authorization).isEmpty }
        return RouteBinding(
            api, allowance: .account, maximumBodyBytes: 1024,
            admission: { request in if !isAnonymous(request) { _ = try token(of: request) } },
            .blocking { request in
                let session = isAnonymous(request) ? nil : try session(of: request)
                try rules.check(request)
                return try handler(request, session)
            })
    }

    /// Looks up the access token. Throws 400, 401 or 429.
    private func session(of request: Request) throws -> AccountSession {
        guard let session = try accounts.authenticate(try token(of: request)) else { throw try refusal(request) }
        return session
    }

    /// The access token, checked for its format only. Throws 400, 401 or 429.
    private func token(of request: Request) throws -> String {
        let values = request.head.values(of: .authorization)
        guard let value = values.first else {
            throw HTTPFailure(
                .unauthorized, "Credentials are missing.", fields: [.wwwAuthenticate: Self.challenge])
        }
        guard values.count == 1 else {
            throw HTTPFailure(.malformedRequest, "Authorization must be sent once.")
        }
        let parts = value.split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "bearer", SessionSecret.access.isWellFormed(String(parts[1]))
        else { throw try refusal(request) }
        return String(parts[1])
    }

    /// Counts only failures against the address.
    private func refusal(_ request: Request) throws -> HTTPFailure {
        if let state = limiter.take(.credentials, from: address.of(request)), !state.isAllowed {
            throw state.failure
        }
        return HTTPFailure(
            .unauthorized, "The access token is unknown, expired or revoked.",
            fields: [.wwwAuthenticate: Self.invalidToken])
    }
}
