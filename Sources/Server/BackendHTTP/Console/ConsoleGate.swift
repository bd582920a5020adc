import Backend
import Console
import HTTPServer
import HTTPTypes
import HTTPWire
import Logging
import SubGuardContract
import SubGuardDomain
import TextCoding

/// Admits requests to the console: by the session in the cookie, never by `Authorization`, as the API never accepts the
/// cookie.
struct ConsoleGate: Sendable {
    let sessions: ConsoleSessionStore
    let tokens: AccessTokenStore
    let limiter: RateLimiter
    let address: ClientAddress
    let origin: ConsoleOrigin
    let logger: Logger
    let now: @Sendable () -> UTCInstant

    /// Binds a page. It opens for a session whose token holds the permissions of all operations that the page is made
    /// of; nothing else decides that. Signed out, it redirects to the sign-in.
    func page(
        _ path: String, of operations: [APIOperation], _ handler: @escaping @Sendable (ConsoleVisit) throws -> Response
    ) -> RouteBinding {
        RouteBinding(
            console: .get, path,
            .blocking { request in
                let visit = try visit(request)
                if let redirect = visit.languageRedirect { return redirect }
                guard let session = try session(of: visit) else { return Self.signIn(for: visit) }
                for operation in operations { try requirePermission(of: session.token, to: operation) }
                return try handler(visit.with(session: session))
            })
    }

    /// Binds a form that makes a call of the API. The call checks the permission; signed out, the form is not read.
    func action(
        _ path: String, of operation: APIOperation, maximumBodyBytes: Int = 65_536,
        _ handler: @escaping @Sendable (ConsoleVisit) throws -> Response
    ) -> RouteBinding {
        RouteBinding(
            console: .post, path, maximumBodyBytes: maximumBodyBytes,
            admission: { request in
                // Only who may use a large file sends one.
                let visit = try visit(request)
                try origin.checkPost(request)
                guard let session = try session(of: visit) else {
                    throw HTTPFailure(.forbidden, "The session has ended. Sign in again.")
                }
                try requirePermission(of: session.token, to: operation)
            },
            .blocking { request in
                let visit = try visit(request)
                try origin.checkPost(request)
                guard let session = try session(of: visit) else { return Self.signIn(for: visit) }
                try requirePermission(of: session.token, to: operation)
                return try handler(visit.with(session: session))
            })
    }

    /// Binds a page, or a form, before the sign-in.
    func open(
        _ method: RequestMethod, _ path: String, _ handler: @escaping @Sendable (ConsoleVisit) throws -> Response
    ) -> RouteBinding {
        RouteBinding(
            console: method, path,
            .blocking { request in
                let visit = try visit(request)
                if method == .post { try origin.checkPost(request) }
                if method == .get, let redirect = visit.languageRedirect { return redirect }
                return try handler(visit)
            })
    }

    private func visit(_ request: Request) throws(HTTPFailure) -> ConsoleVisit {
        try origin.checkHost(request)
        return try ConsoleVisit(request, cookies: ConsoleCookies(isSecure: origin.isSecure(request)))
    }

    /// The session of the cookie; nil if there is none or it has ended. Queries the database for each request, so that
    /// a revocation by any process applies at once.
    func session(of visit: ConsoleVisit) throws -> ConsoleVisit.Session? {
        guard let secret = visit.secret, let found = try sessions.find(secret) else { return nil }
        // Recording the last use is optional: a failure must not fail the request.
        let instant = now()
        if found.session.isUseWorthNoting(at: instant) { try? sessions.noteUse(found.session.id, at: instant) }
        if found.token.isUseWorthNoting(at: instant) { try? tokens.noteUse(found.token.id, at: instant) }
        return ConsoleVisit.Session(id: found.session.id, secret: secret, token: found.token)
    }

    private func requirePermission(of token: AccessToken, to operation: APIOperation) throws(HTTPFailure) {
        guard let permission = operation.permission, !token.role.allows(permission) else { return }
        throw HTTPFailure(.forbidden, "The role \(token.role.name) lacks the permission \(permission.rawValue).")
    }

    private static func signIn(for visit: ConsoleVisit) -> Response {
        var query: [String] = []
        if visit.target != "/console" { query.append("next=\(PercentCoding.encode(visit.target))") }
        // A cookie without a session: it has ended.
        if visit.secret != nil { query.append("notice=ended") }
        let location = "/console/login" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        return ConsoleResponse.seeOther(location, cookies: visit.secret == nil ? [] : [visit.cookies.end])
    }

    // MARK: Failed sign-ins

    /// Counts a failed sign-in and logs client and reason, without the credential. Returns the seconds to wait when the
    /// client has no attempt left.
    func countFailure(of request: Request, _ reason: String) -> Int? {
        logger.warning(
            "console sign-in refused",
            metadata: [
                "request_id": "\(request.id)", "client": "\(address.of(request))", "reason": "\(reason)",
            ])
        guard let state = limiter.take(.credentials, from: address.of(request)), !state.isAllowed else { return nil }
        return state.resetSeconds
    }
}
