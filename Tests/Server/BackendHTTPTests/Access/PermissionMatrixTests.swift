import BackendHTTP
import Catalogue
import JSONWire
import ServerAccess
import ServerContract
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

/// 403: each role with each admin call of the contract.
@Suite struct PermissionMatrixTests {
    private static let routes = APIOperation.all.filter(\.needsToken)

    @Test func asksForATokenExactlyWhereThePathIsAnAdministrators() {
        #expect(!Self.routes.isEmpty)
        for route in APIOperation.all {
            #expect(route.needsToken == route.path.hasPrefix("/api/v1/admin/"), "\(route)")
        }
    }

    @Test(arguments: Role.builtIn) func letsARoleDoWhatItMayAndNothingElse(_ role: Role) throws {
        let server = try TestServer()
        defer { server.end() }
        let before = try Self.state(server)
        // OwnTokenTests lets every role replace its token, which changes the state.
        for route in Self.routes where route != .rotateOwnToken {
            let response = try server.exchange(try Self.call(route, [server.authorization(role)]))
            guard let permission = route.permission else {
                #expect(response.status == 200, "\(role) \(route): every token may")
                continue
            }
            if role.permissions.contains(permission) {
                #expect(![401, 403].contains(response.status), "\(role) \(route)")
            } else {
                let problem = try server.expectProblem(response, .forbidden)
                expect(problem["detail"]?.stringValue ?? "", contains: [role.name, permission.rawValue])
                #expect(response["WWW-Authenticate"] == nil)
                #expect(response["ETag"] == nil)
            }
        }
        if !role.permissions.contains(.catalogueWrite) { #expect(try Self.state(server) == before) }
    }

    @Test func letsNobodyInWithoutAToken() throws {
        let server = try TestServer()
        defer { server.end() }
        let before = try Self.state(server)
        for route in Self.routes {
            let response = try server.exchange(try Self.call(route, []))
            try server.expectProblem(response, .unauthorized)
            #expect(response["WWW-Authenticate"] != nil)
        }
        #expect(try Self.state(server) == before)
    }

    /// The role is checked before the body, so that forbidden calls do not disclose validation rules.
    @Test func refusesTheRoleBeforeTheBody() throws {
        let server = try TestServer()
        defer { server.end() }
        let response = try server.admin(.analyst, "POST", "/api/v1/admin/catalogue", json: "{")
        try server.expectProblem(response, .forbidden)
    }

    /// A valid request for an item that does not exist, so that only inserts change anything.
    private static func call(_ route: APIOperation, _ fields: [String]) throws -> HTTPCall {
        let body: String? =
            switch route.method {
            case .post where route == .rotateOwnToken: "{}"
            case .post:
                """
                {"name":"Été","category":"press","typical_amount":"12.34","currency":"EUR","billing_cycle":"monthly"}
                """
            case .patch: #"{"name":"Été"}"#
            default: nil
            }
        return HTTPCall(route.method.rawValue, AddressAndMethodTests.target(route.path), fields, json: body)
    }

    private static func state(_ server: TestServer) throws -> [Int64] {
        let rows = try AuditLog(context: server.outside.context).list(after: nil, limit: 1)
        return [try CatalogueStore(context: server.outside.context).currentRevision(), rows.first?.sequence ?? 0]
    }
}
