package import Accounts
import HTTPServer
import HTTPTypes
import HTTPWire
import Logging
import ServerAccess
package import ServerContract
import SubGuardContract
import SubGuardDomain

/// Routes of Sign in with Apple, sessions and erasure.
struct AccountRoutes: Sendable {
    let gate: SessionGate
    let accounts: AccountStore
    let identity: AppleIdentity
    let logger: Logger

    private static let maximumBodyBytes = 16_384
    private static let maximumNotificationBytes = 32_768

    func bindings() -> [RouteBinding] {
        [
            RouteBinding(
                .signIn, allowance: .account, maximumBodyBytes: Self.maximumBodyBytes, .blocking { try signIn($0) }),
            RouteBinding(
                .refreshSession, allowance: .account, maximumBodyBytes: 1024, .blocking { try refresh($0) }),
            gate.binding(.signOut) { _, session in
                try accounts.signOut(session)
                return .empty(.noContent)
            },
            gate.binding(.eraseAccount) { _, session in
                try accounts.erase(session.accountID)
                return .empty(.noContent)
            },
            RouteBinding(
                .appleNotifications, allowance: .write, maximumBodyBytes: Self.maximumNotificationBytes,
                .blocking { try receive($0) }),
        ]
    }

    private func signIn(_ request: Request) throws -> Response {
        let body = try AppleSignIn(body: request, maximumBytes: Self.maximumBodyBytes)
        try requireConfigured()
        do {
            return try accounts.signIn(body.identityToken, nonce: body.nonce, identity: identity).response(.ok)
        } catch let refusal as SignatureRefusal {
            note(refusal, request)
            throw HTTPFailure(
                .invalidIdentityToken, "The identity token is not accepted.",
                fields: [.wwwAuthenticate: BearerCredentials.invalidToken()])
        } catch is SigningKeyCache.Failure {
            throw Self.appleUnavailable
        }
    }

    private func refresh(_ request: Request) throws -> Response {
        let body = try SessionRefresh(body: request, maximumBytes: 1024)
        do {
            return try accounts.refresh(body.refreshToken).response(.ok)
        } catch is AccountRefusal {
            throw HTTPFailure(
                .invalidRefreshToken, "The refresh token is not accepted.",
                fields: [.wwwAuthenticate: BearerCredentials.invalidToken()])
        }
    }

    /// Apple resends the notification unless the response is 200.
    private func receive(_ request: Request) throws -> Response {
        let body = try AppleAccountNotification(body: request, maximumBytes: Self.maximumNotificationBytes)
        try requireConfigured()
        do {
            let outcome = try accounts.receive(body.payload, identity: identity)
            logger.notice(
                "account notification", metadata: ["request_id": "\(request.id)", "outcome": "\(outcome.rawValue)"])
            return .empty(.ok)
        } catch let refusal as SignatureRefusal {
            note(refusal, request)
            throw HTTPFailure(.invalidSignature, "The notification is not accepted.")
        } catch is SigningKeyCache.Failure {
            throw Self.appleUnavailable
        }
    }

    private func requireConfigured() throws(HTTPFailure) {
        if identity.clientIDs.isEmpty {
            throw HTTPFailure(.signInNotConfigured, "Sign in with Apple is not set up on this server.")
        }
    }

    /// Logs the reason without any content of the message.
    private func note(_ refusal: SignatureRefusal, _ request: Request) {
        logger.warning(
            "a message of Apple's was refused", metadata: ["request_id": "\(request.id)", "reason": "\(refusal)"])
    }

    private static var appleUnavailable: HTTPFailure {
        HTTPFailure(.appleUnavailable, "Apple's keys are unavailable at the moment.", fields: [.retryAfter: "5"])
    }
}

/// Admin routes of customers' accounts and the premium that the operator gives them.
package struct CustomerRoutes: Sendable {
    let gate: AdminGate
    package let store: PremiumStore

    func bindings() -> [RouteBinding] {
        [
            gate.binding(.customers) { request, _ in
                let query = try CustomerQuery(query: request)
                return try query.page(
                    try store.accounts(after: query.cursor, limit: query.limit + 1, only: query.id)
                ).response(to: request)
            },
            gate.binding(.customer) { request, _ in
                let found = try store.account(try request.parameters.uuid()).orNotFound("account")
                return try found.document().response(for: request)
            },
            gate.binding(.grantPremium, .object { $0 }, grant),
            gate.binding(.revokePremium, .empty, revoke),
        ]
    }

    package func grant(_ new: NewPremiumGrant, _ call: AdminCall) throws -> CustomerAccount {
        try store.grant(try call.id(), until: new.until, note: new.note, by: call.actor)
    }

    package func revoke(_ call: AdminCall) throws {
        try store.revokeGrant(try call.id(), by: call.actor)
    }
}

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
