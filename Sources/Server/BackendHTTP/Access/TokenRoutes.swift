import Backend
import Foundation
import HTTPServer
import HTTPTypes
import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain

/// The tokens that open the administration.
struct TokenRoutes: Sendable {
    let gate: AdminGate
    let store: AccessTokenStore
    let now: @Sendable () -> UTCInstant

    func bindings() -> [RouteBinding] {
        [
            gate.binding(ofOwnToken: .ownToken) { request, token in try Self.own(token, request) },
            gate.binding(.accessTokens) { request, _ in try list(request) },
            gate.binding(.createAccessToken) { request, actor in try create(request, actor) },
            gate.binding(.revokeAccessToken) { request, actor in
                try store.revoke(try request.parameters.uuid(), by: actor, keepsAnOwner: true)
                return Response(status: .noContent)
            },
        ]
    }

    /// What a program needs to show only what its token may do.
    private static func own(_ token: AccessToken, _ request: Request) throws -> Response {
        try QueryReader(request, known: []).requireValid()
        var writer = JSONWriter(capacity: 512)
        writer.beginObject()
        writer.field("id", token.id.lowercased)
        writer.field("name", token.name)
        writer.field("role", token.role.name)
        writer.field(
            "permissions", .array(Permission.allCases.filter(token.role.allows).map { .string($0.rawValue) }))
        writer.field("expires_at", token.expiresAt?.rfc3339)
        writer.endObject()
        return try RenderedDocument(body: writer.bytes, contentType: "application/json").response(for: request)
    }

    private func list(_ request: Request) throws -> Response {
        var query = try QueryReader(request, known: ["limit", "cursor"])
        let limit = query.integer("limit", in: 1...500, default: 50)
        let list = PageCursor.List("tokens", ids: 1)
        let last = query.cursor(of: list)?.ids.first
        try query.requireValid()
        // A few dozen at most: the page is cut out of all of them. Tokens are never removed, so the cursor's is there.
        var tokens = try store.list()[...]
        if let last { tokens = tokens.drop { $0.id != last }.dropFirst() }
        let page = Array(tokens.prefix(limit))
        let next = tokens.count > limit ? page.last.map { PageCursor(ids: [$0.id]).encoded(for: list) } : nil
        let instant = now()
        return try JSONPage.response(page, next: next, to: request) { token, writer in
            writer.beginObject()
            Self.write(token, at: instant, to: &writer)
            writer.endObject()
        }
    }

    private func create(_ request: Request, _ actor: Actor) throws -> Response {
        var body = try BodyReader(request, known: ["name", "role", "expires_at"])
        let name = body.string("name")
        let role = body.string("role")
        let expiresAt = body.optionalInstant("expires_at")
        try body.requireValid()
        let created = try store.create(role: role ?? "", name: name ?? "", expiresAt: expiresAt, by: actor)
        var writer = JSONWriter(capacity: 512)
        writer.beginObject()
        Self.write(created.record, at: now(), to: &writer)
        writer.field("token", created.token)
        writer.endObject()
        return Response(
            status: .created, fields: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .bytes(writer.bytes))
    }

    private static func write(_ token: AccessToken, at instant: UTCInstant, to writer: inout JSONWriter) {
        writer.field("id", token.id.lowercased)
        writer.field("name", token.name)
        writer.field("role", token.role.name)
        writer.field(
            "permissions", .array(Permission.allCases.filter(token.role.allows).map { .string($0.rawValue) }))
        writer.field("begins", token.hint)
        writer.field(
            "status", token.revokedAt != nil ? "revoked" : token.isValid(at: instant) ? "valid" : "expired")
        writer.field("created_at", token.createdAt.rfc3339)
        writer.field("expires_at", token.expiresAt?.rfc3339)
        writer.field("last_used_at", token.lastUsedAt?.rfc3339)
        writer.field("revoked_at", token.revokedAt?.rfc3339)
    }
}
