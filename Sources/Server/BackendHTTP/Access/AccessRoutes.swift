import Backend
import Foundation
import HTTPServer
import HTTPTypes
import HTTPWire
import ServerContract
import SubGuardContract
import SubGuardDomain

/// Routes of access tokens, roles and the audit log.
struct AccessRoutes: Sendable {
    let gate: AdminGate
    let tokens: AccessTokenStore
    let roles: RoleStore
    let log: AuditLog
    let now: @Sendable () -> UTCInstant

    func bindings() -> [RouteBinding] {
        [
            gate.binding(ofOwnToken: .ownToken) { request, token in
                try token.document().response(for: request)
            },
            gate.binding(.rotateOwnToken) { request, actor in
                let wanted = request.body.isEmpty ? nil : try TokenRotation(body: request)
                let created = try tokens.rotate(
                    expiresAt: wanted?.expiresAt, graceSeconds: wanted?.graceSeconds, by: actor)
                return CreatedAccessToken(ListedAccessToken(created.record, at: now()), secret: created.token)
                    .response(.created)
            },
            gate.binding(.accessTokens) { request, _ in
                try page(of: try AccessTokenQuery(query: request)).response(to: request)
            },
            gate.binding(.createAccessToken) { request, actor in
                let new = try NewAccessToken(body: request)
                let created = try tokens.create(role: new.role, name: new.name, expiresAt: new.expiresAt, by: actor)
                return CreatedAccessToken(ListedAccessToken(created.record, at: now()), secret: created.token)
                    .response(.created)
            },
            gate.binding(.revokeAccessToken) { request, actor in
                try tokens.revoke(try request.parameters.uuid(), by: actor, keepsAnOwner: true)
                return Response(status: .noContent)
            },
            gate.binding(.roles) { request, _ in
                try WholeList(items: try roles.list()).document().response(for: request)
            },
            gate.binding(.replaceRoles) { request, actor in
                let change = try RoleListChange(body: request)
                let all = try roles.replace(with: change.roles, by: actor) { present in
                    try requireMatch(present, request.head)
                    try requireMention(of: present, in: change.roles, request.head)
                }
                return WholeList(items: all).document().wholeResponse(for: request)
            },
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

    static func csv(_ rows: [AuditEntry], _ more: [(String, String)] = []) -> RenderedDocument {
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

    /// A list that removes a role must name the list it replaces; otherwise a script that knows of fewer roles would
    /// remove the others.
    private func requireMention(of present: [Role], in list: [Role], _ head: RequestHead) throws {
        guard !head.contains(.ifMatch) else { return }
        let missing = present.filter { role in !role.isBuiltIn && !list.contains { $0.name == role.name } }
        guard missing.isEmpty else {
            throw BackendError.conflict(
                code: .conflict,
                detail: "The list would remove \(missing.map(\.name).joined(separator: ", ")). "
                    + "To remove a role, send If-Match with the ETag of the list that you replace.")
        }
    }

    /// Checks `If-Match` and `If-None-Match` against the current roles. Throws 412.
    private func requireMatch(_ present: [Role], _ head: RequestHead) throws {
        let tag = WholeList(items: present).document().tag
        guard tag.satisfiesMatch(of: head, isWrite: true), !head.contains(.ifNoneMatch) || !tag.matchesNone(of: head)
        else {
            throw BackendError.preconditionFailed(currentRevision: nil)
        }
    }
}
