import Foundation
import HTTPServer
import HTTPTypes
import HTTPWire
package import ServerAccess
package import ServerContract
import SubGuardContract
import SubGuardDomain

/// Routes of access tokens, roles and the audit log.
package struct AccessRoutes: Sendable {
    let gate: AdminGate
    let tokens: AccessTokenStore
    package let roles: RoleStore
    package let log: AuditLog
    let now: @Sendable () -> UTCInstant

    func bindings() -> [RouteBinding] {
        [
            gate.binding(ofOwnToken: .ownToken) { request, token in
                try token.document().response(for: request)
            },
            gate.binding(.rotateOwnToken, created) { (wanted: TokenRotation, call) in
                try tokens.rotate(expiresAt: wanted.expiresAt, graceSeconds: wanted.graceSeconds, by: call.actor)
            },
            gate.binding(.accessTokens) { request, _ in
                try page(of: try AccessTokenQuery(query: request)).response(to: request)
            },
            gate.binding(.createAccessToken, created, create),
            gate.binding(.revokeAccessToken, .empty, revoke),
            gate.binding(.roles) { request, _ in
                try WholeList(items: try roles.list()).document().response(for: request)
            },
            gate.binding(.replaceRoles, .document { WholeList(items: $0).document() }, replaceRoles),
            gate.binding(.audit) { request, _ in
                let query = try AuditQuery(query: request)
                let rows = try log.list(matching: query.filter, after: query.after, limit: query.limit + 1)
                let page = query.page(rows)
                switch query.format {
                case .csv:
                    return try Self.csv(page.items, PageLink.fields(request, next: page.nextCursor))
                        .response(for: request)
                case .json: return try page.response(to: request)
                case .jsonl:
                    return try RenderedDocument(
                        body: page.items.flatMap { $0.json(capacity: 512) + [UInt8(ascii: "\n")] },
                        contentType: "application/jsonl", more: PageLink.fields(request, next: page.nextCursor)
                    ).response(for: request)
                }
            },
        ]
    }

    /// A token with its secret, which is shown once.
    package typealias Created = (token: String, record: AccessToken)

    private var created: AnswerForm<Created> {
        .object(.created) { CreatedAccessToken(ListedAccessToken($0.record, at: now()), secret: $0.token) }
    }

    package func create(_ new: NewAccessToken, _ call: AdminCall) throws -> Created {
        try tokens.create(role: new.role, name: new.name, expiresAt: new.expiresAt, by: call.actor)
    }

    package func revoke(_ call: AdminCall) throws {
        try tokens.revoke(try call.id(), by: call.actor, keepsAnOwner: true)
    }

    package func replaceRoles(_ change: RoleListChange, _ call: AdminCall) throws -> [Role] {
        try roles.replace(with: change.roles, by: call.actor) { present in
            try call.requireMatch(WholeList(items: present).document().tag)
            try requireMention(of: present, in: change.roles, call)
        }
    }

    package static func csv(_ rows: [AuditEntry], _ more: [(String, String)] = []) -> RenderedDocument {
        RenderedDocument(
            body: AuditCSV.write(rows), contentType: "text/csv; charset=utf-8; header=present",
            more: [("Content-Disposition", "attachment; filename=\"audit.csv\"")] + more)
    }

    /// Pages are cut from the full list: there are a few dozen tokens. Tokens are never deleted, so the cursor's
    /// exists.
    private func page(of query: AccessTokenQuery) throws -> ListPage<ListedAccessToken> {
        var all = try tokens.list()[...]
        if let last = query.cursor { all = all.drop { $0.id != last }.dropFirst() }
        let instant = now()
        return ListPage(all, limit: query.limit, of: .accessTokens) {
            PageCursor(ids: [$0.id])
        } item: {
            ListedAccessToken($0, at: instant)
        }
    }

    /// A list that removes a role must name the list it replaces; otherwise a script with fewer roles would
    /// remove the others.
    private func requireMention(of present: [Role], in list: [Role], _ call: AdminCall) throws {
        guard !call.namesVersion else { return }
        let missing = present.filter { role in !role.isBuiltIn && !list.contains { $0.name == role.name } }
        guard missing.isEmpty else {
            throw BackendError.conflict(
                detail: "The list would remove \(missing.map(\.name).joined(separator: ", ")). "
                    + "To remove a role, send If-Match with the ETag of the list that you replace.")
        }
    }
}
