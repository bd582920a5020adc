import BackendHTTP
import Console
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import HTTPWire
import JSONWire
import ServerAccess
import ServerContract
import SubGuardContract
import SubGuardDomain

/// Tokens and roles. Changes are calls of the API.
extension ConsoleRoutes {
    func accessBindings() -> [RouteBinding] {
        [
            gate.page("/console/access", of: [.accessTokens, .roles]) { visit in
                let query = try visit.read(TokensPage.Query.self, correcting: ["q"])
                return try tokenList(query, visit)
            },
            gate.action(
                "/console/access", of: .createAccessToken,
                form: FormShape(["idempotency_key", "name", "role"], optional: ["expires_at"]), createToken),
            gate.page("/console/access/tokens/{id:uuid}", of: [.accessTokens]) { visit in
                let (token, sessions) = try token(visit)
                return SimplePage.token(token, sessions: sessions, now: gate.now())
            },
            gate.page("/console/access/tokens/{id:uuid}/revoke", of: [.accessTokens]) { try revocation($0) },
            gate.action(
                "/console/access/tokens/{id:uuid}/revoke", of: .revokeAccessToken, form: FormShape(), revokeToken),
            gate.page("/console/access/roles", of: [.roles]) { _ in
                let all = try roles.list()
                return RolesPage(current: all, tag: Self.tag(of: all))
            },
            gate.action(
                "/console/access/roles", of: .replaceRoles,
                form: FormShape(
                    ["tag"], repeated: ["permissions"], numbered: ["name", "was", "had", "remove", "permissions"]),
                saveRoles),
        ]
    }

    // MARK: Tokens

    private func tokenList(
        _ query: TokensPage.Query, _ visit: ConsoleVisit, values: FormValues = FormValues(),
        faults: FormFaults = FormFaults()
    ) throws -> TokensPage {
        TokensPage(
            all: try gate.tokens.list(), roles: try roles.list(), query: query, values: values, faults: faults,
            now: gate.now(), latestExpiry: visit.session?.token.expiresAt)
    }

    private func createToken(_ visit: ConsoleVisit) throws -> Response {
        let form = try visit.form()
        let outcome = try attempt(.createAccessToken, for: visit) { call in
            try features.access.create(NewAccessToken(TokensPage.form.json(form)), call)
        }
        switch outcome {
        case .done(let created): return visit.show(SimplePage.secret(created.token, of: created.record))
        case .refused(let faults, let status):
            return visit.show(
                try tokenList(TokensPage.Query(), visit, values: FormValues(form), faults: faults), status)
        case .lostRace: throw HTTPFailure.notFound
        }
    }

    /// The failure to show beside the form; nil for one that gets a page of its own.
    static func refusal(_ error: any Error) -> HTTPFailure? {
        guard let failure = HTTPFailure(error), (400..<500).contains(failure.code.status),
            ![.notFound, .unauthorized, .requestRunning].contains(failure.code)
        else { return nil }
        return failure
    }

    /// The token of the path, and how many sessions it has.
    private func token(_ visit: ConsoleVisit) throws -> (AccessToken, sessions: Int) {
        let id = try visit.request.parameters.uuid()
        let token = try gate.tokens.find(id).orNotFound("token")
        return (token, try gate.sessions.list(ofToken: id).count)
    }

    private func revocation(_ visit: ConsoleVisit, refusals: [Refusal] = []) throws -> SimplePage {
        let (token, sessions) = try token(visit)
        return .revocation(
            of: token, sessions: sessions, isOwn: visit.session?.token.id == token.id, refusals: refusals)
    }

    private func revokeToken(_ visit: ConsoleVisit) throws -> Response {
        let id = try visit.request.parameters.uuid().lowercased
        return try submit(.revokeAccessToken, for: visit, features.access.revoke) {
            HTMLLink("console", "access", "tokens", id, query: [("notice", "revoked")])
        } refused: { faults in
            try revocation(visit, refusals: faults.refusals)
        }
    }

    // MARK: Roles

    private static func tag(of roles: [Role]) -> String { WholeList(items: roles).document().tag.opaque }

    private func saveRoles(_ visit: ConsoleVisit) throws -> Response {
        let form = try visit.form()
        var columns = try Self.columns(form)
        let kept = columns.indices.filter { index in
            let column = columns[index]
            return !column.isRemoved && !(column.name.isEmpty && column.permissions.isEmpty)
        }
        let items = kept.map { index -> JSONValue in
            let names = Permission.allCases.filter(columns[index].permissions.contains).map(\.rawValue)
            return .object(
                JSONObject([
                    ("name", .string(columns[index].name)), ("permissions", .array(names.map { .string($0) })),
                ]))
        }
        let saved = ConsoleResponse.seeOther("/console/access/roles?notice=saved")
        let outcome = try attempt(.replaceRoles, version: .tag(form["tag"] ?? ""), for: visit) { call in
            try features.access.replaceRoles(RoleListChange(["items": .array(items)]), call)
        }
        let current = try roles.list()
        switch outcome {
        case .done: return saved
        case .lostRace:
            let wanted = kept.map { Role(name: columns[$0].name, permissions: columns[$0].permissions) }
            // The same form, sent twice, has nothing left to change.
            if Set(current.filter { !$0.isBuiltIn }) == Set(wanted) { return saved }
            let race = RolesPage.Race(mine: columns, current: current)
            return visit.show(RolesPage(current: current, tag: Self.tag(of: current), race: race), .preconditionFailed)
        case .refused(let refused, let status):
            var refusals = refused.faults.isEmpty ? refused.refusals : []
            for fault in refused.faults {
                let parts = fault.pointer.split(separator: "/")
                if parts.count >= 3, parts[1] == "items", let place = Int(parts[2]), kept.indices.contains(place) {
                    columns[kept[place]].faults.append(fault)
                } else {
                    refusals.append(.fault(fault))
                }
            }
            // A fault does not take the version that the form began with.
            let page = RolesPage(current: current, columns: columns, tag: form["tag"] ?? "", refusals: refusals)
            return visit.show(page, status)
        }
    }

    /// Throws 422 for columns whose numbers have gaps: a role of the form would be left out.
    private static func columns(_ form: FormFields) throws(HTTPFailure) -> [RolesPage.Column] {
        var columns: [RolesPage.Column] = []
        while columns.count <= RoleStore.maximumCount, let name = form["name_\(columns.count)"] {
            let index = columns.count
            let permissions = form.values("permissions_\(index)").compactMap { Permission(rawValue: $0) }
            let had = (form["had_\(index)"] ?? "").split(separator: " ")
                .compactMap { Permission(rawValue: String($0)) }
            columns.append(
                RolesPage.Column(
                    name: name.filter { !$0.isWhitespace }, permissions: Set(permissions),
                    isRemoved: form["remove_\(index)"] != nil,
                    base: form["was_\(index)"].map { Role(name: $0, permissions: Set(had)) }))
        }
        let numbered = form.fields.compactMap { field -> Int? in
            field.name.split(separator: "_").last.flatMap { Int($0) }
        }
        guard numbered.allSatisfy(columns.indices.contains), columns.count <= RoleStore.maximumCount + 1 else {
            throw HTTPFailure(
                .validationFailed,
                "The form lacks the field name_\(columns.count). Open its page again and send it from there."
            )
        }
        return columns
    }
}

extension TokensPage.Query: WireObject {
    static let wire = WireSchema<TokensPage.Query>(
        nil, make: TokensPage.Query.init, Field("q", \.text, optional: .text(1...200), "A part of the name."),
        Field("status", \.status, .choice, "Which tokens.", default: .valid),
        Field("sort", \.sort, .choice, "The order.", default: .created),
        Field("page", \.page, .integer(1...1000), "The page.", default: 1))
}

/// The sessions of the console: one's own, or all with the permission to manage access.
extension ConsoleRoutes {
    func sessionBindings() -> [RouteBinding] {
        [
            gate.page("/console/sessions", for: .session) { visit in
                let page = try sessionPage(visit)
                let seesAll = visit.mayCall(.revokeAccessToken)
                let section: ConsoleSection? = seesAll ? .access : nil
                switch visit.parameter("end") {
                case "own": return page.confirmation(ofAll: false, in: section)
                case "all" where seesAll: return page.confirmation(ofAll: true, in: section)
                default: return page
                }
            },
            gate.form(
                "/console/sessions", for: .session,
                FormShape(optional: ["end", "others"], choosing: ["end", "others"]), endSessions),
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
