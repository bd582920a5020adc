import Accounts
import HTTPServer
import HTTPWire
import ServerContract
import SubGuardContract

/// Admits requests to session calls if their access token exists and has not expired.
struct SessionGate: Sendable {
    let accounts: AccountStore
    let limiter: RateLimiter
    let address: ClientAddress

    private var credentials: BearerCredentials { BearerCredentials(limiter: limiter, address: address) }

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

    /// Binds a session call that is open on this server. A request with credentials needs valid ones all the same;
    /// without any, the handler gets no session.
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
        guard let session = try accounts.authenticate(try token(of: request)) else {
            throw try credentials.invalidToken(request)
        }
        return session
    }

    /// The access token, checked for its format only. Throws 400, 401 or 429.
    private func token(of request: Request) throws -> String {
        let token = try credentials.token(of: request)
        guard SessionSecret.access.isWellFormed(token) else { throw try credentials.invalidToken(request) }
        return token
    }
}
