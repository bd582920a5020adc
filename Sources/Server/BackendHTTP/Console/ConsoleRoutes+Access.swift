import Backend
import Console
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain

/// Tokens and roles. Changes are calls of the API.
extension ConsoleRoutes {
    func accessBindings() -> [RouteBinding] {
        [
            gate.page("/console/access", of: [.accessTokens, .roles]) { visit in
                var visit = visit
                let query = try visit.read(TokenListQuery.self, correcting: ["q"])
                return ConsoleResponse.page(try tokenList(query, visit).page(visit.frame), visit.status)
            },
            gate.action(
                "/console/access", of: .createAccessToken,
                form: FormShape(["idempotency_key", "name", "role"], optional: ["expires_at"])
            ) { visit in try createToken(visit) },
            gate.page("/console/access/tokens/{id:uuid}", of: [.accessTokens]) { visit in
                let isRevoked = visit.notice?.code == "revoked"
                return ConsoleResponse.page(try tokenPage(visit, isJustRevoked: isRevoked).page(visit.frame))
            },
            gate.page("/console/access/tokens/{id:uuid}/revoke", of: [.accessTokens]) { visit in
                ConsoleResponse.page(try tokenPage(visit).revocation(visit.frame))
            },
            gate.action(
                "/console/access/tokens/{id:uuid}/revoke", of: .revokeAccessToken, form: FormShape()
            ) { visit in
                try revokeToken(visit)
            },
            gate.page("/console/access/roles", of: [.roles]) { visit in
                let isSaved = visit.notice?.code == "saved"
                let all = try roles.list()
                return ConsoleResponse.page(
                    RolesPage(current: all, tag: Self.tag(of: all), isSaved: isSaved).page(visit.frame))
            },
            gate.action(
                "/console/access/roles", of: .replaceRoles,
                form: FormShape(
                    ["tag"], repeated: ["permissions"], numbered: ["name", "was", "had", "remove", "permissions"])
            ) { visit in try saveRoles(visit) },
        ]
    }

    // MARK: Tokens

    private func tokenList(
        _ query: TokenListQuery, _ visit: ConsoleVisit, draft: TokensPage.Draft = TokensPage.Draft()
    ) throws -> TokensPage {
        var shown = TokensPage.Query()
        shown.text = query.text ?? ""
        shown.filter = query.status
        shown.sort = query.sort
        shown.page = query.page
        return TokensPage(
            all: try gate.tokens.list(), roles: try roles.list(), query: shown, draft: draft, now: gate.now(),
            idempotencyKey: UUID().uuidString.lowercased(), latestExpiry: visit.session?.token.expiresAt)
    }

    private func createToken(_ visit: ConsoleVisit) throws -> Response {
        let form = try visit.form()
        var draft = TokensPage.Draft()
        draft.name = form["name"] ?? ""
        draft.role = form["role"] ?? ""
        draft.expiry = form["expires_at"] ?? ""
        var json = JSONObject([("name", .string(draft.name)), ("role", .string(draft.role))])
        if !draft.expiry.isEmpty { json.members.append(("expires_at", .string(draft.expiry))) }
        do {
            let created = try features.access.create(
                NewAccessToken(json), try gate.call(.createAccessToken, for: visit))
            return ConsoleResponse.page(
                TokenPage.created(
                    visit.frame, name: created.record.name, role: created.record.role.name, secret: created.token))
        } catch let error where Self.refusal(error) != nil {
            let refusal = try Self.refusal(error) ?? { throw error }()
            for fault in refusal.faults {
                let field = String(fault.pointer.drop { $0 == "#" || $0 == "/" })
                if ["name", "role", "expires_at"].contains(field) {
                    draft.faults.append((field, fault))
                } else {
                    draft.refusals.append(.fault(fault))
                }
            }
            if refusal.faults.isEmpty { draft.refusals = refusal.refusals }
            return ConsoleResponse.page(
                try tokenList(TokenListQuery.standard, visit, draft: draft).page(visit.frame), .of(refusal.code))
        }
    }

    /// The failure to show beside the form; nil for one that gets a page of its own.
    static func refusal(_ error: any Error) -> HTTPFailure? {
        guard let failure = HTTPFailure(error), (400..<500).contains(failure.code.status),
            ![.notFound, .unauthorized, .requestRunning].contains(failure.code)
        else { return nil }
        return failure
    }

    private func tokenPage(_ visit: ConsoleVisit, isJustRevoked: Bool = false) throws -> TokenPage {
        let id = try visit.request.parameters.uuid()
        guard let token = try gate.tokens.find(id) else { throw BackendError.notFound(what: "token") }
        return TokenPage(
            token, sessions: try gate.sessions.list(ofToken: id).count, isOwn: visit.session?.token.id == id,
            now: gate.now(), isJustRevoked: isJustRevoked)
    }

    private func revokeToken(_ visit: ConsoleVisit) throws -> Response {
        let id = try visit.request.parameters.uuid().lowercased
        do {
            try features.access.revoke(try gate.call(.revokeAccessToken, for: visit))
        } catch let error where Self.refusal(error) != nil {
            let refusal = try Self.refusal(error) ?? { throw error }()
            return ConsoleResponse.page(
                try tokenPage(visit).revocation(visit.frame, refusals: refusal.refusals), .of(refusal.code))
        }
        return ConsoleResponse.seeOther("/console/access/tokens/\(id)?notice=revoked")
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
        do {
            _ = try features.access.replaceRoles(
                RoleListChange(["items": .array(items)]),
                try gate.call(.replaceRoles, version: .tag(form["tag"] ?? ""), for: visit))
            return saved
        } catch let error where Self.refusal(error) != nil {
            let refusal = try Self.refusal(error) ?? { throw error }()
            let current = try roles.list()
            let hasLostRace = refusal.code == .preconditionFailed
            let wanted = kept.map { Role(name: columns[$0].name, permissions: columns[$0].permissions) }
            // The same form, sent twice, has nothing left to change.
            if hasLostRace, Set(current.filter { !$0.isBuiltIn }) == Set(wanted) { return saved }
            var refusals = hasLostRace || !refusal.faults.isEmpty ? [] : refusal.refusals
            for fault in refusal.faults {
                let parts = fault.pointer.split(separator: "/")
                if parts.count >= 3, parts[1] == "items", let place = Int(parts[2]), kept.indices.contains(place) {
                    columns[kept[place]].faults.append(fault)
                } else {
                    refusals.append(.fault(fault))
                }
            }
            let race = hasLostRace ? RolesPage.Race(mine: columns, current: current) : nil
            // A fault does not take the version that the form began with.
            let tag = hasLostRace ? Self.tag(of: current) : form["tag"] ?? ""
            return ConsoleResponse.page(
                RolesPage(
                    current: current, columns: hasLostRace ? nil : columns, tag: tag, refusals: refusals, race: race
                ).page(visit.frame), .of(refusal.code))
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

/// The parameters of the list of tokens.
struct TokenListQuery: WireObject {
    let text: String?
    let status: TokensPage.Filter
    let sort: TokensPage.Sort
    let page: Int

    static let standard = TokenListQuery(text: nil, status: .valid, sort: .created, page: 1)

    static let wire = WireSchema<TokenListQuery>(
        nil, make: TokenListQuery.init, Field("q", \.text, optional: .text(1...200), "A part of the name."),
        Field("status", \.status, .choice, "Which tokens.", default: .valid),
        Field("sort", \.sort, .choice, "The order.", default: .created),
        Field("page", \.page, .integer(1...1000), "The page.", default: 1))
}
