import BackendHTTP
import Console
import HTTPServer
import HTTPTypes
import HTTPWire
import Logging
import Outbound
import ServerAccess
import SubGuardDomain

/// Sign-in by OpenID Connect: authorization code with PKCE, state and nonce.
extension ConsoleRoutes {
    /// None without a provider.
    func openIDBindings() -> [RouteBinding] {
        guard let provider = gate.openID else { return [] }
        return [
            // A GET, because `form-action 'self'` keeps a form from being redirected to the provider.
            gate.open("/console/oidc") { visit in try beginOpenID(visit, provider) },
            gate.open("/console/oidc/callback") { visit in try completeOpenID(visit, provider) },
        ]
    }

    private func beginOpenID(_ visit: ConsoleVisit, _ provider: OpenIDProvider) throws -> Response {
        // The provider sends the browser to the public address, which gets no cookie of another one.
        guard gate.origin.isPublicHost(visit.request) else {
            return ConsoleResponse.seeOther("\(provider.publicBase)/console/login")
        }
        guard gate.origin.mayCarrySecrets(visit.request) else {
            return ConsoleResponse.page(SignInPage.needsHTTPS(visit.frame), .forbidden)
        }
        try gate.origin.requireOwnPage(visit.request)
        let next = Self.only("next", in: visit).flatMap(gate.places.next)
        // Each takes a row until it comes back, and there is room for so many.
        if let state = gate.limiter.take(.account, from: gate.address.of(visit.request)), !state.isAllowed {
            return page(visit, provider, .tooMany(seconds: state.resetSeconds), next: next)
        }
        let attempt = try gate.sessions.beginOpenID(next: next)
        do throws(OpenIDFailure) {
            let location = try provider.authorization(for: attempt, isAgain: Self.only("again", in: visit) != nil)
            return ConsoleResponse.seeOther(location, cookies: [visit.cookies.beginOpenID(attempt.browser)])
        } catch {
            // No sign-in has failed here, so it is not counted.
            gate.logger.warning(
                "the identity provider cannot be used",
                metadata: ["request_id": "\(visit.request.id)", "error": "\(error)"])
            return page(visit, provider, .unreachable, next: next)
        }
    }

    private func completeOpenID(_ visit: ConsoleVisit, _ provider: OpenIDProvider) throws -> Response {
        guard gate.origin.mayCarrySecrets(visit.request) else {
            return ConsoleResponse.page(SignInPage.needsHTTPS(visit.frame), .forbidden)
        }
        // Any page can link here, so a browser without a cookie makes no attempt: nothing is counted.
        guard let browser = visit.cookies.openID(visit.request.head) else {
            return page(visit, provider, .notBegun, next: nil)
        }
        guard let state = Self.only("state", in: visit),
            let attempt = try gate.sessions.takeOpenID(state: state, browser: browser)
        else {
            // No detail of the query is shown: any page can link here with one.
            return refused(visit, provider, .notBegun, "begun by another browser, used or too old", next: nil)
        }
        do {
            return try admit(visit, provider, attempt)
        } catch let failure as OpenIDFailure {
            return refused(visit, provider, failure, next: attempt.next)
        }
    }

    private func admit(
        _ visit: ConsoleVisit, _ provider: OpenIDProvider, _ attempt: OpenIDAttempt
    ) throws -> Response {
        try provider.checkIssuer(Self.only("iss", in: visit))
        if let code = Self.only("error", in: visit) { throw OpenIDFailure.refusal(code) }
        guard let code = Self.only("code", in: visit), code.utf8.count <= 4096 else {
            throw OpenIDFailure.invalid("no code")
        }
        let person = try provider.person(code: code, attempt: attempt, at: gate.now())
        guard let grant = provider.grant(of: person) else {
            try gate.sessions.dismiss(person, of: provider.issuer.text, requestID: visit.request.id)
            return refused(
                visit, provider, .noRole(mail: person.mail), "no rule of oidc_roles matches", next: attempt.next)
        }
        let admission = try gate.sessions.admit(
            person, by: grant, browser: visit.request.head.value(of: .userAgent), replacing: visit.replaceable,
            requestID: visit.request.id)
        switch admission {
        case .admitted(let secret):
            return ConsoleResponse.seeOther(
                attempt.next ?? "/console", cookies: visit.beginning(secret) + [visit.cookies.endOpenID])
        case .revoked: return refused(visit, provider, .revoked, "the person's token was revoked", next: attempt.next)
        case .unknownRole:
            return refused(
                visit, provider, .unknownRole(grant.role), "oidc_roles names a role that does not exist",
                next: attempt.next)
        }
    }

    /// The value of a parameter that occurs once.
    private static func only(_ name: String, in visit: ConsoleVisit) -> String? {
        let values = visit.query.filter { $0.name == name }
        return values.count == 1 ? values[0].value : nil
    }

    // MARK: Refusals

    private func refused(
        _ visit: ConsoleVisit, _ provider: OpenIDProvider, _ failure: OpenIDFailure, next: String?
    ) -> Response {
        switch failure {
        case .unreachable(let detail):
            refused(visit, provider, .unreachable, "provider unreachable: \(detail)", next: next)
        case .refused(code: "access_denied"): refused(visit, provider, .denied, "access_denied", next: next)
        case .refused(let code): refused(visit, provider, .refused(code: code), code, next: next)
        case .invalid(let detail): refused(visit, provider, .invalid, detail, next: next)
        }
    }

    /// Counts the failure as one of the sign-in with a token is counted.
    private func refused(
        _ visit: ConsoleVisit, _ provider: OpenIDProvider, _ refusal: OpenIDRefusal, _ reason: String, next: String?
    ) -> Response {
        let seconds = gate.countFailure(of: visit.request, "oidc: \(reason)")
        return page(visit, provider, seconds.map { .tooMany(seconds: $0) } ?? refusal, next: next)
    }

    private func page(
        _ visit: ConsoleVisit, _ provider: OpenIDProvider, _ refusal: OpenIDRefusal, next: String?
    ) -> Response {
        // Without the query: the page links to itself in the other language, and what came back is used up.
        let frame = ConsoleFrame(
            words: visit.words, viewer: nil, path: ["console", "login"],
            query: next.map { [(name: "next", value: $0)] } ?? [])
        let page = SignInPage.openIDRefused(frame, refusal, provider: provider.name, next: next)
        let status: HTTPResponse.Status =
            switch refusal {
            case .unreachable: .serviceUnavailable
            case .tooMany: .tooManyRequests
            default: .forbidden
            }
        var response = ConsoleResponse.page(page, status, cookies: [visit.cookies.endOpenID])
        if case .tooMany(let seconds) = refusal { response.fields[.retryAfter] = "\(seconds)" }
        return response
    }
}
