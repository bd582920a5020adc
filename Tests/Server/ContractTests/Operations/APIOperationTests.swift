import ServerContract
import SubGuardContract
import SubGuardDomain
import Testing

@Suite struct APIOperationTests {
    @Test func writesHolesWithoutTheirTypes() {
        #expect(APIOperation.catalogueItem.path == "/api/v1/catalogue/{id:uuid}")
        #expect(APIOperation.catalogueItem.template == "/api/v1/catalogue/{id}")
        #expect(APIOperation.problem.template == "/problems/{code}")
        #expect(APIOperation.health.template == "/healthz")
    }

    @Test func namesEachCallOnce() {
        let calls = APIOperation.all.map { "\($0.method.rawValue) \($0.template)" }
        #expect(Set(calls).count == calls.count)
    }

    @Test(arguments: APIOperation.all)
    func asksForATokenExactlyInTheAdminPart(_ route: APIOperation) {
        #expect(route.needsToken == route.path.hasPrefix("/api/v1/admin/"))
        let isForEveryToken = [APIOperation.ownToken, .rotateOwnToken, .categories].contains(route)
        #expect((route.permission != nil) == (route.needsToken && !isForEveryToken))
    }

    /// Two calls implement third-party protocols and need no permission.
    @Test(arguments: APIOperation.all)
    func takesNoBodyThatAFormCanSend(_ route: APIOperation) {
        guard route.bodyTypes != .any else {
            #expect(!route.needsCredentials || route.method == .put, "forms send GET and POST alone")
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

    @Test(arguments: APIOperation.all)
    func asksForAWritePermissionWhereItChangesSomething(_ route: APIOperation) throws {
        guard let permission = route.permission else { return }
        // In three areas, one permission covers reading and writing.
        let isOfBoth = [.suggestionsModerate, .accountsManage, .accessManage].contains(permission)
        let isForReading = permission.rawValue.hasSuffix(".read") || permission == .eventsExport
        #expect(isOfBoth || isForReading == (route.method == .get))
    }
}
