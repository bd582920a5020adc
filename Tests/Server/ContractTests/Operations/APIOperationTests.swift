import SubGuardContract
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
    func asksForATokenExactlyInTheAdminPart(_ route: APIRoute) {
        #expect(route.needsToken == route.path.hasPrefix("/api/v1/admin/"))
        let isForEveryToken = [APIRoute.ownToken, .categories].contains(route)
        #expect((route.permission != nil) == (route.needsToken && !isForEveryToken))
        #expect(["GET", "POST", "PATCH", "PUT", "DELETE"].contains(route.method))
    }

    /// Another server's protocol has the say at two doors, which act with nobody's rights.
    @Test(arguments: APIRoute.all)
    func takesNoBodyThatAFormCanSend(_ route: APIRoute) {
        guard route.bodyTypes != .any else {
            #expect(!route.needsCredentials || route.method == "PUT", "forms send GET and POST alone")
            return
        }
        for type in ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain", ""] {
            #expect(!route.bodyTypes.accepts(type), "\(type)")
        }
    }

    @Test func tellsMediaTypesApart() {
        for (types, type, isAccepted) in [
            (BodyTypes.json, "application/json", true), (.json, "application/vnd.example.v1+json", true),
            (.json, "application/+json", false), (.json, "text/x+json", false), (.json, "application/jsonx", false),
            (.json, "application/", false), (.json, "application/json, text/plain", false),
            (.json, "application/json/x", false), (.json, "applicationX/json", false),
            (.catalogueFile, "text/csv", true),
            (.catalogueFile, "text/csv2", false), (.any, "", true),
        ] {
            #expect(types.accepts(type) == isAccepted, "\(type)")
        }
    }

    @Test(arguments: APIRoute.all)
    func asksForAWritePermissionWhereItChangesSomething(_ route: APIRoute) throws {
        guard let permission = route.permission else { return }
        // Two areas have one permission for both: what may be moderated or managed may be seen.
        let isOfBoth = ["suggestions.moderate", "access.manage"].contains(permission)
        #expect(isOfBoth || permission.hasSuffix(".read") == (route.method == "GET"))
    }
}
