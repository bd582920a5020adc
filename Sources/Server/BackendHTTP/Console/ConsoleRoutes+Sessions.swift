import Backend
import Console
import Foundation
import HTML
import HTTPServer
import HTTPWire
import ServerContract
import SubGuardContract
import SubGuardDomain

/// The sessions of the console: one's own, or all with the permission to manage access.
extension ConsoleRoutes {
    func sessionBindings() -> [RouteBinding] {
        [
            gate.page("/console/sessions", for: .session) { visit in
                let page = try sessionPage(visit)
                switch visit.parameter("end") {
                case "own": return ConsoleResponse.page(page.confirmation(visit.frame, ofAll: false))
                case "all" where visit.mayCall(.revokeAccessToken):
                    return ConsoleResponse.page(page.confirmation(visit.frame, ofAll: true))
                default: return visit.show(page)
                }
            },
            gate.form(
                "/console/sessions", for: .session,
                FormShape(optional: ["end", "others"], choosing: ["end", "others"])
            ) { visit in try endSessions(visit) },
        ]
    }

    private func sessionPage(_ visit: ConsoleVisit) throws -> SessionsPage {
        guard let session = visit.session else { throw HTTPFailure.notFound }
        let seesAll = visit.mayCall(.revokeAccessToken)
        return SessionsPage(
            try gate.sessions.list(ofToken: seesAll ? nil : session.token.id), currentID: session.id,
            tokenID: session.token.id)
    }

    private func endSessions(_ visit: ConsoleVisit) throws -> Response {
        guard let session = visit.session else { throw HTTPFailure.notFound }
        let form = try visit.form()
        let seesAll = visit.mayCall(.revokeAccessToken)
        if let text = form["end"] {
            guard let id = UUID(strict: text) else { throw HTTPFailure.notFound }
            let isOwn = try gate.sessions.list(ofToken: session.token.id).contains { $0.session.id == id }
            let end: (ConsoleVisit) throws -> Response = { visit in
                // Ended meanwhile, or by the same form sent twice: the result is the same.
                try gate.sessions.end(id, ofToken: seesAll ? nil : session.token.id, by: try visit.actor())
                return ConsoleResponse.seeOther("/console/sessions?notice=one")
            }
            return isOwn || !seesAll ? try end(visit) : try gate.confirmed(visit, end)
        }
        switch form["others"] {
        case "own":
            try gate.sessions.endAll(except: session.id, ofToken: session.token.id, by: try visit.actor())
        case "all":
            guard seesAll else { throw HTTPFailure(.forbidden, "Only sessions of the own token can be ended.") }
            return try gate.confirmed(visit) { visit in
                try gate.sessions.endAll(except: session.id, ofToken: nil, by: try visit.actor())
                return ConsoleResponse.seeOther("/console/sessions?notice=others")
            }
        default:
            throw HTTPFailure.invalid("form", .required, "The form does not say which session to end.")
        }
        return ConsoleResponse.seeOther("/console/sessions?notice=others")
    }
}
