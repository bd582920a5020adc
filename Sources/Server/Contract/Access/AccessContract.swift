package import Foundation
import JSONWire
package import ServerAccess
package import SubGuardContract
package import SubGuardDomain

/// Calls on access tokens and roles.
extension APIOperation {
    package static let ownToken = APIOperation(
        .get, "/api/v1/admin/me", "readOwnToken", tag: .administration, access: .token,
        summary: "Show the token of this request",
        "Its name, role and permissions, so that a program can offer only permitted actions. Any token may call this.",
        answers: [.json(AccessToken.self, "The token of this request.")])

    package static let rotateOwnToken = APIOperation(
        .post, "/api/v1/admin/me/rotate", "rotateOwnToken", tag: .administration, access: .token,
        summary: "Replace the token of this request",
        """
        Any token may call this. The new token has the same name and role, and is returned once. The old one stays \
        valid for `grace_seconds`, so that a script whose response was lost can try again. The new token lasts as long \
        as the old one was made for, but not beyond the expiry of the token that created it, unless `expires_at` asks \
        for less. Passkeys of the console move to the new token.
        """, body: .json(TokenRotation.self, "Expiry and grace. Default: see the fields.", required: false),
        answers: [.json(CreatedAccessToken.self, "The token is valid now; keep `token`.", status: 201)],
        problems: [.conflict])

    package static let accessTokens = APIOperation(
        .get, "/api/v1/admin/tokens", "listAccessTokens", tag: .administration, access: .permission(.accessManage),
        summary: "List the tokens",
        "Every token ever created, oldest first, without its secret. `last_used_at` is exact to the minute.",
        query: .object(AccessTokenQuery.self), answers: [.json(ListPage<ListedAccessToken>.self, "A page of tokens.")])

    package static let createAccessToken = APIOperation(
        .post, "/api/v1/admin/tokens", "createAccessToken", tag: .administration, access: .permission(.accessManage),
        summary: "Create a token",
        """
        The token is returned once; only its hash is stored. It cannot have permissions that the creating token lacks, \
        or expire later than the creating token.
        """, body: .json(NewAccessToken.self, "Name, role and expiry."),
        answers: [.json(CreatedAccessToken.self, "The token is valid now; keep `token`.", status: 201)])

    package static let revokeAccessToken = APIOperation(
        .delete, "/api/v1/admin/tokens/{id:uuid}", "revokeAccessToken", tag: .administration,
        access: .permission(.accessManage), summary: "Revoke a token",
        """
        Takes effect at once, in other processes too. Revoking a revoked token changes nothing. The last owner token \
        can only be revoked on the command line.
        """, holes: [.id("The token's id.")], answers: [.empty(204, "The token is revoked.")], problems: [.lastOwner])

    package static let roles = APIOperation(
        .get, "/api/v1/admin/roles", "listRoles", tag: .administration, access: .permission(.accessManage),
        summary: "List the roles", "The built-in roles, then the custom ones by name.",
        answers: [.json(WholeList<Role>.self, "All roles.")])

    package static let replaceRoles = APIOperation(
        .put, "/api/v1/admin/roles", "replaceRoles", tag: .administration, access: .permission(.accessManage),
        summary: "Replace the custom roles",
        """
        The list replaces the custom roles. Built-in roles may be listed unchanged, so that the response of GET can be \
        sent back; they cannot be changed. A role with valid tokens cannot be removed. A list without a role that \
        exists removes it only with an `If-Match` that names the list it replaces; otherwise 409, so that no script \
        removes what it does not know.
        """, body: .json(RoleListChange.self, "The whole list."),
        answers: [.json(WholeList<Role>.self, "The roles as they are now.", headers: [.etag, .vary])],
        problems: [.roleInUse, .conflict],
        traits: .ifMatch)

    static let ofAccess: [APIOperation] = [
        ownToken, rotateOwnToken, accessTokens, createAccessToken, revokeAccessToken, roles, replaceRoles, audit,
    ]
}

/// A token as shown to its holder.
extension AccessToken: WireObject {
    package static let wire = WireSchema<AccessToken>("OwnToken", "The token of a request.") {
        Field("id", \.id, .id)
        Field("name", \.name, .name, example: "Zoë")
        Field("role", \.role.name, .roleName, example: "moderator")
        Field(
            "permissions", \.role.permissions, .permissions(), example: [.catalogueRead, .suggestionsModerate])
        Field("expires_at", \.expiresAt, nullable: .instant, example: nil)
    }
}

/// The query of the token list.
package struct AccessTokenQuery: WireObject {
    package let limit: Int
    /// The last id of the previous page.
    package let cursor: UUID?

    package static let wire = WireSchema<AccessTokenQuery>(
        nil, make: AccessTokenQuery.init,
        Field("limit", \.limit, .pageLimit, "Tokens on a page.", default: 50),
        Field("cursor", \.cursor, optional: .cursor(of: .accessTokens), "`next_cursor` of the page before. Opaque."))
}

/// A token in the list, with its state at the time of the request.
package struct ListedAccessToken: WireObject {
    private let token: AccessToken
    private let status: AccessToken.Status

    package init(_ token: AccessToken, at instant: UTCInstant) {
        self.token = token
        status = token.status(at: instant)
    }

    package static let wire = WireSchema<ListedAccessToken>("AccessToken", "A token without its secret.") {
        Field("id", \.token.id, .id)
        Field("name", \.token.name, .name, example: "weekly report")
        Field("role", \.token.role.name, .roleName, example: "analyst")
        Field(
            "permissions", \.token.role.permissions, .permissions(), example: [.metricsRead, .alertsRead])
        Field(
            "begins", \.token.hint, .text(pattern: "^sgt_[A-Za-z0-9_-]{4}$"),
            "Its first characters, to distinguish it from others.", example: "sgt_j4Cb")
        Field("status", \.status, .choice)
        Field("created_at", \.token.createdAt, .instant)
        Field("expires_at", \.token.expiresAt, nullable: .instant, "Null when it never expires.")
        Field("last_used_at", \.token.lastUsedAt, nullable: .instant, example: nil)
        Field(
            "revoked_at", \.token.revokedAt, nullable: .instant,
            "Ahead while a token that was replaced is valid for its grace.", example: nil)
    }
}

/// The request to create a token.
package struct NewAccessToken: WireObject {
    package let name: String
    package let role: String
    package let expiresAt: UTCInstant?

    package static let wire = WireSchema<NewAccessToken>(
        "NewAccessToken", make: NewAccessToken.init, Field("name", \.name, .givenName, example: "weekly report"),
        Field("role", \.role, .roleName, example: "analyst"),
        Field(
            "expires_at", \.expiresAt, optional: .givenInstant, orNull: true,
            "Default: the expiry of the token that creates it.", example: UTCInstant(rfc3339: "2027-02-28T10:00:00Z")))
}

/// The request to replace the own token.
package struct TokenRotation: WireObject {
    package let expiresAt: UTCInstant?
    package let graceSeconds: Int64?

    package static let wire = WireSchema<TokenRotation>(
        "TokenRotation", make: TokenRotation.init,
        Field(
            "expires_at", \.expiresAt, optional: .givenInstant, orNull: true,
            "Default: as long from now as the old token was made for, at most until its creator's expiry.",
            example: UTCInstant(rfc3339: "2027-02-28T10:00:00Z")),
        Field(
            "grace_seconds", \.graceSeconds, optional: .integer(0...AccessTokenStore.maximumGraceSeconds), orNull: true,
            "How long the old token stays valid. Default: \(AccessTokenStore.defaultGraceSeconds).", example: 300))
}

/// A new token with its secret.
package struct CreatedAccessToken: WireObject {
    private let listed: ListedAccessToken
    private let secret: String

    package init(_ listed: ListedAccessToken, secret: String) {
        self.listed = listed
        self.secret = secret
    }

    package static let wire = WireSchema<CreatedAccessToken>("CreatedAccessToken") {
        Field(flattening: \.listed)
        Field(
            "token", \.secret, .text(pattern: "^sgt_[A-Za-z0-9_-]{43}$"), "The secret, returned only once.",
            example: "sgt_j4CbWq0dXr3uY8nLk5tZpA1sVfGh2JmE7oBiCxDyQ6w")
    }
}

extension Role: WireObject {
    package static let wire = WireSchema<Role>("Role") {
        Field("name", \.name, .roleName, example: "support")
        Field("permissions", \.permissions, .permissions(), example: [.catalogueRead])
        Field("built_in", \.isBuiltIn, .boolean, "Whether it can be neither changed nor removed.", example: false)
    }
}

/// The list that replaces all custom roles.
package struct RoleListChange: WireObject {
    package let roles: [Role]

    package static let wire = WireSchema<RoleListChange>(
        "RoleListChange", make: { roles, _ in RoleListChange(roles: roles) },
        Field("items", \.roles, .array(of: .object(newRole), count: 0...RoleStore.maximumCount, called: "roles"))
            .checking(noteRepeatedNames),
        Field("next_cursor", { _ in nil }, optional: .onePage, "As GET returns it."))

    /// Requests may contain `built_in` as returned by GET; it is ignored.
    private static let newRole = WireSchema<Role>(
        "NewRole", make: { name, permissions, _ in Role(name: name, permissions: permissions) },
        Field("name", \.name, .roleName, example: "support"),
        Field(
            "permissions", \.permissions, .permissions(count: 1...Permission.allCases.count),
            example: [.catalogueRead]
        ).checking(noteChangedBuiltIn), Field("built_in", { $0.isBuiltIn }, optional: .boolean, "Ignored."))

    // Both rules read the JSON, so that their faults are listed beside those of unreadable roles.

    private static func noteRepeatedNames(_ list: JSONObject, _ reading: WireReading) {
        guard let items = list["items"]?.arrayValue, items.count <= RoleStore.maximumCount else { return }
        var seen: Set<String> = []
        for (index, item) in items.enumerated() {
            guard let name = item.objectValue?["name"]?.stringValue, Role.isName(name), !seen.insert(name).inserted
            else { continue }
            reading.at("items") {
                reading.at(index) { reading.at("name") { reading.note(.duplicate, "Must stand in the list once.") } }
            }
        }
    }

    private static func noteChangedBuiltIn(_ role: JSONObject, _ reading: WireReading) {
        guard let builtIn = Role.builtIn.first(where: { $0.name == role["name"]?.stringValue }),
            let permissions = role["permissions"]?.arrayValue,
            Set(permissions.compactMap(\.stringValue)) != Set(builtIn.permissions.map(\.rawValue))
        else { return }
        reading.at("permissions") { reading.note(.builtIn, "A built-in role cannot be changed.") }
    }
}

extension PageCursor.List {
    package static let accessTokens = PageCursor.List("tokens", ids: 1)
}

extension WireType where Value == String {
    fileprivate static var roleName: WireType {
        text(1...Int.max, pattern: "^[a-z][a-z0-9_]{0,39}$", example: "analyst").checking {
            Role.isName($0)
                ? nil
                : (.invalidFormat, "Must be 1 to 40 lower-case letters, digits and _, the first one a letter.")
        }.named("RoleName")
    }
}

extension WireType where Value == Set<Permission> {
    /// The permissions of a role, in the order of ``Permission``.
    fileprivate static func permissions(count: ClosedRange<Int>? = nil) -> WireType {
        let list: WireType<[Permission]> =
            count.map { .set(of: .permission, count: $0, called: "permissions") } ?? .array(of: .permission)
        return .converted(list, else: .unknownValue, "") { permissions in
            Permission.allCases.filter(permissions.contains)
        } decode: {
            Set($0)
        }
    }
}

extension WireType where Value == Permission {
    fileprivate static var permission: WireType { WireType.choice.named("Permission") }
}

extension WireType where Value == String? {
    /// The `next_cursor` of a list that always has one page.
    fileprivate static var onePage: WireType {
        WireType(hasNull: true) { _ in
            ["type": "null"]
        } example: {
            .null
        } write: {
            $1.null()
        } read: { json, reading in
            if json.isNull { return .some(nil) }
            reading.note(.invalidType, "Must be null: the list has one page.")
            return nil
        }
    }
}
