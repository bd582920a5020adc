import Accounts
import BackendHTTP
import Catalogue
import Console
import EventLog
import HTML
import HTTPServer
import HTTPTypes
import HTTPWire
import ServerAccess
import ServerContract
import SubGuardContract
import SubGuardDomain
import Telemetry

/// The console: pages for operators at `/console`. Reads call the stores that the API calls, after checking the
/// permissions that its operations declare.
struct ConsoleRoutes: Sendable {
    let gate: ConsoleGate
    let passkeys: PasskeyStore
    let insights: InsightStore
    let ranking: RankingStore
    let explorer: EventExplorer
    let features: AdminFeatures
    /// Each verification of the audit log reads all of it.
    let verifications = Slots()
    let operations: ConsoleOperations
    let notices: ConsoleNotices

    // What pages read is what the calls read.
    var suggestions: SuggestionStore { features.suggestions.store }
    var catalogue: CatalogueStore { features.catalogue.store }
    var publisher: CataloguePublisher { features.catalogue.publisher }
    var nearestItems: NearestItems { features.suggestions.nearestItems }
    var roles: RoleStore { features.access.roles }
    var auditLog: AuditLog { features.access.log }
    var crashes: CrashStore { features.crashes.store }
    var symbols: SymbolStore { features.symbols.store }
    var alerts: AlertStore { features.alertRules.store }
    var alertRules: AlertRuleEvaluator { features.alertRules.evaluator }
    var premium: PremiumStore { features.customers.store }
    /// Settled before thresholds are read, as in ``AlertRoutes``.
    var log: EventLog { features.alerts.log }
}

// MARK: Sign-in

extension ConsoleRoutes {
    func signInBindings() -> [RouteBinding] {
        [
            gate.open("/console/login") { visit in
                if try gate.session(of: visit) != nil { return ConsoleResponse.seeOther("/console") }
                guard gate.origin.mayCarrySecrets(visit.request) else {
                    return ConsoleResponse.page(SignInPage.needsHTTPS(visit.frame), .forbidden)
                }
                let notice: SignInPage.Notice? =
                    switch visit.notice?.code {
                    case "ended": .sessionEnded
                    case "unsaved": .notSaved
                    case "out": .signedOut
                    default: nil
                    }
                let next = visit.parameter("next").flatMap(gate.places.next)
                return ConsoleResponse.page(signInForm(visit, notice, next: next))
            },
            gate.signInForm("/console/login", FormShape(["token"], optional: ["next"])) { try signIn($0) },
            gate.form("/console/logout", for: .open, FormShape()) { visit in
                // One that another port has set is no session, or not to be used here.
                try gate.sessions.end(visit.secrets, requestID: visit.request.id)
                return ConsoleResponse.seeOther(
                    "/console/login?notice=out", cookies: visit.cookies.end(visit.request.head))
            },
            gate.page("/console/keys", of: []) { _ in KeysPage() },
            gate.open("/console/link/{code}") { visit in
                let code = try visit.request.parameters.text()
                guard let token = try gate.sessions.token(ofLink: code) else { return unusableLink(visit) }
                return ConsoleResponse.page(
                    SignInPage.link(visit.frame, code: code, name: token.name, role: token.role.name))
            },
            gate.signInForm("/console/link/{code}", FormShape()) { visit in
                let code = try visit.request.parameters.text()
                let secret = try gate.sessions.redeem(
                    link: code, browser: visit.request.head.value(of: .userAgent), replacing: visit.replaceable,
                    requestID: visit.request.id)
                guard let secret else { return unusableLink(visit) }
                return ConsoleResponse.seeOther("/console", cookies: visit.beginning(secret))
            },
        ]
    }

    func signInForm(_ visit: ConsoleVisit, _ notice: SignInPage.Notice?, next: String?) -> [UInt8] {
        SignInPage.form(
            visit.frame, notice: notice, next: next, provider: gate.openID?.name,
            hasPasskeys: gate.origin.relyingParty(visit.request) != nil)
    }

    private func signIn(_ visit: ConsoleVisit) throws -> Response {
        let form = try visit.form()
        let next = form["next"].flatMap(gate.places.next)
        let text = (form["token"] ?? "").filter { !$0.isWhitespace }
        guard !text.isEmpty else {
            return ConsoleResponse.page(signInForm(visit, .tokenMissing, next: next), .unprocessableContent)
        }
        guard let token = try gate.tokens.authenticate(text) else {
            if let seconds = gate.countFailure(of: visit.request, "unknown, expired or revoked token") {
                return ConsoleResponse.tooMany(
                    signInForm(visit, .tooManyFailures(seconds: seconds), next: next), seconds: seconds)
            }
            return ConsoleResponse.page(signInForm(visit, .tokenWrong, next: next), .unprocessableContent)
        }
        let secret = try gate.sessions.begin(
            tokenID: token.id, browser: visit.request.head.value(of: .userAgent), replacing: visit.replaceable,
            requestID: visit.request.id)
        return ConsoleResponse.seeOther(next ?? "/console", cookies: visit.beginning(secret))
    }

    private func unusableLink(_ visit: ConsoleVisit) -> Response {
        let reason = "unknown, used or expired link"
        if !gate.origin.isOwnPage(visit.request) {
            // A page of another site, which the user only looks at, is no attempt of theirs.
            gate.logRefusal(of: visit.request, reason)
        } else if let seconds = gate.countFailure(of: visit.request, reason) {
            return ConsoleResponse.tooMany(SignInPage.linkUnusable(visit.frame), seconds: seconds)
        }
        return ConsoleResponse.page(SignInPage.linkUnusable(visit.frame), .notFound)
    }
}
