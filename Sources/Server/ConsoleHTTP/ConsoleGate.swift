import BackendHTTP
import Console
import Cryptography
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import HTTPWire
import Logging
import ServerAccess
import SubGuardContract
import SubGuardDomain
import Synchronization
import Telemetry
import TextCoding

/// Admits requests to the console: by the session in the cookie, never by `Authorization`, as the API never accepts the
/// cookie.
struct ConsoleGate: Sendable {
    let sessions: ConsoleSessionStore
    let tokens: AccessTokenStore
    let answers: IdempotentAnswers
    let limiter: RateLimiter
    let address: ClientAddress
    let origin: ConsoleOrigin
    /// Nil unless the settings name one.
    let openID: OpenIDProvider?
    let refusals = RefusalNotes()
    let places = ConsolePlaces()
    let waiting: WaitingCounts
    let storage: StorageWatch
    let logger: Logger
    let now: @Sendable () -> UTCInstant

    /// Answers a request. It may leave out parameters of the visit that it does not accept.
    typealias Reading<Answer> = @Sendable (inout ConsoleVisit) throws -> Answer

    /// Binds a page. It opens for a session whose token holds the permissions of all operations that the page is made
    /// of; nothing else decides that. Signed out, it redirects to the sign-in.
    func page(
        _ path: String, of operations: [APIOperation], _ page: @escaping Reading<any ConsolePage>
    ) -> RouteBinding {
        self.page(path, for: operations.isEmpty ? .session : .operations(operations), page)
    }

    /// The same for a page that may be a download, or lead to another one.
    func get(_ path: String, of operations: [APIOperation], _ handler: @escaping Reading<Response>) -> RouteBinding {
        binding(.get, path, operations.isEmpty ? .session : .operations(operations), handler)
    }

    /// Binds a form that makes a call of the API. The call checks the permission; signed out, the form is not read. A
    /// change of access needs the token again after a while. A form with a key is carried out once.
    ///
    /// - Parameters:
    ///   - page: what the page is made of that an answer may show, such as a list with faults: needed too.
    ///   - form: its fields. One with others is refused; files are checked where they are read.
    func action(
        _ path: String, of operation: APIOperation, showing page: [APIOperation] = [], form: FormShape,
        maximumBodyBytes: Int = 65_536,
        _ handler: @escaping @Sendable (ConsoleVisit) throws -> Response
    ) -> RouteBinding {
        binding(.post, path, .operations([operation] + page), maximumBodyBytes: maximumBodyBytes) { visit in
            if form.isMultipart {
                visit.shape = form
                return try handler(visit)
            }
            let sent = try visit.form()
            try form.check(sent)
            @Sendable func once(_ visit: ConsoleVisit) throws -> Response {
                guard operation.isIdempotent, let key = sent["idempotency_key"] else { return try handler(visit) }
                let fields = sent.fields.flatMap { [Array($0.name.utf8), Array($0.value.utf8)] }
                return try self.once(visit, key: key, fields, handler)
            }
            return operation.permission == .accessManage ? try confirmed(visit, once) : try once(visit)
        }
    }

    /// Carries out a form that has a key. Sent twice with the same content, it is answered as the first time; with
    /// other content, as after the back button, it is another form.
    func once(
        _ visit: ConsoleVisit, key: String, _ content: [[UInt8]], _ carryOut: (ConsoleVisit) throws -> Response
    ) throws -> Response {
        guard let session = visit.session else { throw HTTPFailure.notFound }
        guard (1...64).contains(key.utf8.count), key.utf8.allSatisfy(Base64URL.isDigit) else {
            throw FormShape.foreign
        }
        var hash = SHA256()
        for part in [Array(visit.target.utf8)] + content {
            hash.update(Array("\(part.count) ".utf8))
            hash.update(part)
        }
        let digest = hash.finish()
        let whole = "console.\(key).\(Hexadecimal.text(digest.prefix(12)))"
        // A file is hashed once: its digest stands for the content.
        let claim = IdempotencyStore.Claim(tokenID: session.token.id, key: whole, content: [digest])
        var visit = visit
        visit.claim = claim
        return try answers.once(claim, AnswerSeal(token: session.secret, key: whole)) { try carryOut(visit) }
    }

    /// A call of the API by a session. Throws 403 without the permission that the operation declares.
    ///
    /// - Parameter subject: the id of what is changed, unless it is the first parameter of the form's path.
    func call(
        _ operation: APIOperation, on subject: UUID? = nil, version: AdminCall.Version = .any, for visit: ConsoleVisit
    ) throws(HTTPFailure) -> AdminCall {
        guard let session = visit.session else { throw HTTPFailure.notFound }
        try requirePermission(of: session.token, to: operation)
        return AdminCall(visit.request, by: try visit.actor(), on: subject, version: version)
    }

    /// Binds a page for those whom the access names.
    func page(
        _ path: String, for access: ConsoleAccess, _ page: @escaping Reading<any ConsolePage>
    ) -> RouteBinding {
        binding(.get, path, access) { visit in
            let shown = try page(&visit)
            return visit.show(shown)
        }
    }

    /// Binds what is read before the sign-in.
    func open(_ path: String, _ handler: @escaping @Sendable (ConsoleVisit) throws -> Response) -> RouteBinding {
        binding(.get, path, .open) { try handler($0) }
    }

    /// Binds a form that makes no call of the API.
    func form(
        _ path: String, for access: ConsoleAccess, _ form: FormShape, allowance: Allowance = .admin,
        isSignIn: Bool = false, _ handler: @escaping @Sendable (ConsoleVisit) throws -> Response
    ) -> RouteBinding {
        binding(.post, path, access, allowance: allowance, isSignIn: isSignIn) { visit in
            try form.check(try visit.form())
            return try handler(visit)
        }
    }

    private func binding(
        _ method: RequestMethod, _ path: String, _ access: ConsoleAccess, allowance: Allowance = .admin,
        maximumBodyBytes: Int = 65_536, isSignIn: Bool = false, _ handler: @escaping Reading<Response>
    ) -> RouteBinding {
        if method == .get, access != .open { places.add(path) }
        // Only who may use a large file sends one.
        @Sendable func admit(_ request: Request) throws {
            let visit = try visit(request)
            try origin.checkPost(request)
            guard let session = try session(of: visit) else {
                throw HTTPFailure(.forbidden, "The session has ended. Sign in again.")
            }
            try require(access, of: session.token)
        }
        @Sendable func answer(_ request: Request) throws -> Response {
            var visit = try visit(request)
            if method == .post { try checkPost(request, isSignIn: isSignIn) }
            if method == .get, let redirect = visit.languageRedirect { return redirect }
            guard access != .open else { return try handler(&visit) }
            guard let session = try session(of: visit) else { return signIn(for: visit) }
            try require(access, of: session.token)
            if method == .post { waiting.forget(visit.path) }
            visit.begin(session, waiting: waiting)
            return try handler(&visit)
        }
        return RouteBinding(
            console: method, path, access: access, allowance: allowance, maximumBodyBytes: maximumBodyBytes,
            admission: method == .post && access != .open ? admit : nil, .blocking(answer))
    }

    /// Binds a form that signs in. What refuses it before its secret is read is logged too.
    func signInForm(
        _ path: String, _ form: FormShape, _ handler: @escaping @Sendable (ConsoleVisit) throws -> Response
    ) -> RouteBinding {
        self.form(path, for: .open, form, isSignIn: true) { visit in
            guard origin.mayCarrySecrets(visit.request) else {
                noteFailure(of: visit.request, "not encrypted")
                return ConsoleResponse.page(SignInPage.needsHTTPS(visit.frame), .forbidden)
            }
            return try handler(visit)
        }
    }

    private func checkPost(_ request: Request, isSignIn: Bool) throws(HTTPFailure) {
        do {
            try origin.checkPost(request)
        } catch {
            if isSignIn { noteFailure(of: request, "sent by a page of another origin") }
            throw error
        }
    }

    private func visit(_ request: Request) throws(HTTPFailure) -> ConsoleVisit {
        try origin.checkHost(request)
        return try ConsoleVisit(request, cookies: ConsoleCookies(isSecure: origin.isSecure(request)))
    }

    /// The session of the cookie; nil if there is none or it has ended, and if several were sent that are sessions:
    /// it is unknown whose the others are. Queries the database for each request, so that a revocation by any process
    /// applies at once.
    func session(of visit: ConsoleVisit) throws -> ConsoleVisit.Session? {
        guard origin.mayCarrySecrets(visit.request) else { return nil }
        let all = try sessions.find(visit.secrets, grants: openID?.grantHashes ?? [])
        guard let found = all.first, all.count == 1 else { return nil }
        // Recording the last use is optional: a failure must not fail the request.
        let instant = now()
        if found.session.isUseWorthNoting(at: instant) { try? sessions.noteUse(found.session.id, at: instant) }
        if found.token.isUseWorthNoting(at: instant) { try? tokens.noteUse(found.token.id, at: instant) }
        return ConsoleVisit.Session(stored: found.session, secret: found.secret, token: found.token)
    }

    private func require(_ access: ConsoleAccess, of token: AccessToken) throws(HTTPFailure) {
        switch access {
        case .open, .session: return
        case .operations(let operations):
            for operation in operations { try requirePermission(of: token, to: operation) }
        case .owner:
            guard !token.role.permissions.isSuperset(of: Permission.allCases) else { return }
            throw HTTPFailure(.forbidden, "The role \(token.role.name) lacks a permission: only owners may do this.")
        }
    }

    private func requirePermission(of token: AccessToken, to operation: APIOperation) throws(HTTPFailure) {
        guard let permission = operation.permission, !token.role.allows(permission) else { return }
        throw HTTPFailure(.forbidden, "The role \(token.role.name) lacks the permission \(permission.rawValue).")
    }

    private func signIn(for visit: ConsoleVisit) -> Response {
        var query: [String] = []
        if visit.target != "/console", let next = places.next(visit.target) {
            query.append("next=\(PercentCoding.encode(next))")
        }
        if visit.request.head.method == .post {
            query.append("notice=unsaved")
        } else if !visit.secrets.isEmpty {
            // A cookie without a session: it has ended.
            query.append("notice=ended")
        }
        let location = "/console/login" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        return ConsoleResponse.seeOther(
            location, cookies: visit.secrets.isEmpty ? [] : visit.cookies.end(visit.request.head))
    }

    // MARK: Confirmation

    /// Calls the handler if the token was entered recently; otherwise asks for it, with the form in hidden fields.
    func confirmed(_ visit: ConsoleVisit, _ handler: (ConsoleVisit) throws -> Response) throws -> Response {
        guard let session = visit.session else { throw HTTPFailure.notFound }
        if session.stored.isConfirmed(at: now()) { return try handler(visit) }
        if let openID, try sessions.isOpenID(session.token.id) {
            return visit.show(SimplePage.reentry(visit.path, by: openID.name), .forbidden)
        }
        func ask(_ fault: Reentry.Fault?) throws -> SimplePage {
            .reentry(visit.path, try visit.form(), fault: fault)
        }
        guard let text = try visit.confirmation() else { return visit.show(try ask(nil), .forbidden) }
        guard !text.isEmpty else { return visit.show(try ask(.missing), .unprocessableContent) }
        guard let token = try tokens.authenticate(text), token.id == session.token.id else {
            let seconds = countFailure(of: visit.request, "not the token of the session", session: session.token)
            guard let seconds else { return visit.show(try ask(.wrong), .unprocessableContent) }
            return ConsoleResponse.tooMany(try ask(.tooMany(seconds: seconds)).page(visit.frame), seconds: seconds)
        }
        try sessions.confirm(session.id, at: now())
        return try handler(visit)
    }

    // MARK: Failed sign-ins

    /// Counts a failed sign-in and notes it. Returns the seconds to wait when the client has no attempt left.
    func countFailure(of request: Request, _ reason: String, session token: AccessToken? = nil) -> Int? {
        noteFailure(of: request, reason, session: token)
        guard let state = limiter.take(.credentials, from: address.of(request)), !state.isAllowed else { return nil }
        return state.resetSeconds
    }

    /// Logs client and reason of a failed sign-in, without the credential. The audit log gets a row for the first
    /// failure of a client within a minute.
    private func noteFailure(of request: Request, _ reason: String, session token: AccessToken? = nil) {
        if let unrecorded = refusals.note(address.of(request), at: now(), mayWrite: !storage.isStorageFull) {
            // The refusal does not depend on the row.
            do {
                try sessions.noteRefusal(reason, of: token, requestID: request.id, unrecorded: unrecorded)
            } catch {
                refusals.noteUnrecorded(unrecorded + 1)
            }
        }
        logRefusal(of: request, reason)
    }

    /// Logs client and reason of a refused sign-in, without the credential.
    func logRefusal(of request: Request, _ reason: String) {
        logger.warning(
            "console sign-in refused",
            metadata: [
                "request_id": "\(request.id)", "client": "\(address.of(request))", "reason": "\(reason)",
            ])
    }
}

/// Which refused sign-ins get a row in the audit log: one a minute for each client, and a few a minute and a day for
/// all, so that an attacker cannot flood the log, which is kept for ever.
final class RefusalNotes: Sendable {
    private static let rowsAMinute = 20
    private static let rowsADay = 200

    private struct State {
        var minute = Int64.min
        var clients: Set<SocketAddress> = []
        var day = Int64.min
        var rows = 0
        var unrecorded = 0
    }

    private let state = Mutex(State())

    /// If a refusal gets a row, the number of those without one since the last row.
    func note(_ client: SocketAddress, at instant: UTCInstant, mayWrite: Bool) -> Int? {
        let minute = instant.secondsSinceEpoch / 60
        let day = minute / (24 * 60)
        // A client with an IPv6 network has many addresses.
        let network = client.network(0) ?? client
        return state.withLock { state in
            if state.minute != minute { (state.minute, state.clients) = (minute, []) }
            if state.day != day { (state.day, state.rows) = (day, 0) }
            guard mayWrite, state.rows < Self.rowsADay, state.clients.count < Self.rowsAMinute,
                state.clients.insert(network).inserted
            else {
                state.unrecorded += 1
                return nil
            }
            state.rows += 1
            defer { state.unrecorded = 0 }
            return state.unrecorded
        }
    }

    func noteUnrecorded(_ count: Int) { state.withLock { $0.unrecorded += count } }
}
