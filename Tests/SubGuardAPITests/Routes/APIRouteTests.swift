import SubGuardAPI
import Testing

@Suite struct APIRouteTests {
    @Test func writesHolesWithoutTheirTypes() {
        #expect(APIRoute.catalogueItem.path == "/api/v1/catalogue/{id:uuid}")
        #expect(APIRoute.catalogueItem.template == "/api/v1/catalogue/{id}")
        #expect(APIRoute.problem.template == "/problems/{code}")
        #expect(APIRoute.health.template == "/healthz")
    }

    @Test func namesEachCallOnce() {
        let calls = APIRoute.all.map { "\($0.method) \($0.template)" }
        #expect(Set(calls).count == calls.count)
    }

    @Test(arguments: APIRoute.all)
    func asksForAPermissionExactlyInTheAdminPart(_ route: APIRoute) {
        #expect((route.permission != nil) == route.path.hasPrefix("/api/v1/admin/"))
        #expect(["GET", "POST", "PATCH", "PUT", "DELETE"].contains(route.method))
    }

    @Test(arguments: APIRoute.all)
    func asksForAWritePermissionWhereItChangesSomething(_ route: APIRoute) throws {
        guard let permission = route.permission else { return }
        // Two areas have one permission for both: what may be moderated or managed may be seen.
        let isOfBoth = ["suggestions.moderate", "access.manage"].contains(permission)
        #expect(isOfBoth || permission.hasSuffix(".read") == (route.method == "GET"))
    }
}
