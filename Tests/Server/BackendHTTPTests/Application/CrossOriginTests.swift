import BackendHTTP
import TestKit
import Testing

/// Pages of other origins: what a browser asks before it sends, and what it may read.
@Suite struct CrossOriginTests {
    private static let page = "Origin: https://app.example.org"

    private func server(_ origins: String = "") throws -> TestServer {
        try TestServer(settings: [
            "ingest_sentry_key": "k1", "ingest_project_id": "7", "ingest_posthog_key": "phc_mine",
            "cors_origins": origins,
        ])
    }

    private func preflight(_ server: TestServer, _ method: String, _ path: String, _ more: String...) throws
        -> RawResponse
    {
        try server.exchange(HTTPCall("OPTIONS", path, [Self.page, "Access-Control-Request-Method: \(method)"] + more))
    }

    @Test(arguments: ["/ingest/api/7/envelope/", "/ingest/api/7/envelope", "/ingest/api/7/store/", "/batch", "/batch/"])
    func opensTheDoorsOfSDKsToEveryPage(_ path: String) throws {
        let server = try server()
        defer { server.end() }
        let asked = try preflight(server, "POST", path, "Access-Control-Request-Headers: content-type,x-sentry-auth")
        #expect(asked.status == 204)
        #expect(asked["Access-Control-Allow-Origin"] == "*" && asked["Access-Control-Allow-Methods"] == "POST")
        #expect(asked["Access-Control-Allow-Headers"]?.contains("X-Sentry-Auth") == true)
        #expect(asked["Access-Control-Allow-Credentials"] == nil)
        let refused = try server.exchange(HTTPCall("POST", path, [Self.page], body: Array("x".utf8)))
        #expect(refused.status >= 400 && refused["Access-Control-Allow-Origin"] == "*")
        #expect(refused["Access-Control-Expose-Headers"]?.contains("Retry-After") == true)
        #expect(try preflight(server, "GET", path)["Access-Control-Allow-Origin"] == nil)
    }

    @Test func opensNothingElseByItself() throws {
        let server = try server()
        defer { server.end() }
        for (method, path) in [
            ("POST", "/api/v1/analytics"), ("GET", "/api/v1/catalogue"), ("GET", "/api/v1/admin/me"),
            ("GET", "/metrics"), ("POST", "/console/login"), ("GET", "/nowhere"),
        ] {
            let asked = try preflight(server, method, path)
            #expect(
                asked["Access-Control-Allow-Origin"] == nil && asked["Access-Control-Allow-Methods"] == nil, "\(path)")
        }
    }

    @Test func opensDeviceCallsToListedOriginsAndAdministrationToNobody() throws {
        let server = try server("https://App.example.org, capacitor://localhost")
        defer { server.end() }
        let asked = try preflight(server, "POST", "/api/v1/analytics")
        #expect(asked["Access-Control-Allow-Origin"] == "https://app.example.org")
        #expect(asked["Vary"]?.contains("Origin") == true)
        let list = try server.exchange(HTTPCall("GET", "/api/v1/catalogue", [Self.page, "Accept-Encoding: gzip"]))
        #expect(list.status == 200 && list["Access-Control-Allow-Origin"] == "https://app.example.org")
        let foreign = try server.exchange(HTTPCall("GET", "/api/v1/catalogue", ["Origin: https://evil.example"]))
        #expect(foreign.status == 200 && foreign["Access-Control-Allow-Origin"] == nil)
        // The doors of SDKs are restricted too, once there is a list.
        let door = try server.exchange(
            HTTPCall("POST", "/batch", ["Origin: https://evil.example"], body: Array("{}".utf8)))
        #expect(door["Access-Control-Allow-Origin"] == nil)
        for path in ["/api/v1/admin/me", "/api/v1/admin/catalogue", "/metrics", "/console/login"] {
            #expect(try preflight(server, "GET", path)["Access-Control-Allow-Origin"] == nil, "\(path)")
            let read = try server.exchange(HTTPCall("GET", path, [Self.page]))
            #expect(read["Access-Control-Allow-Origin"] == nil, "\(path)")
        }
        // A session's call of a listed page passes the rule against other sites; one of another page does not.
        let out = ["Sec-Fetch-Site: cross-site", "Authorization: Bearer sga_\(String(repeating: "a", count: 43))"]
        #expect(try server.exchange(HTTPCall("POST", "/api/v1/auth/sign_out", out + [Self.page])).status == 401)
        #expect(
            try server.exchange(HTTPCall("POST", "/api/v1/auth/sign_out", out + ["Origin: https://evil.example"]))
                .status == 403)
    }

    @Test func opensEverythingForDevicesOnDemand() throws {
        let server = try server("*")
        defer { server.end() }
        #expect(try preflight(server, "GET", "/api/v1/catalogue")["Access-Control-Allow-Origin"] == "*")
        #expect(try preflight(server, "GET", "/api/v1/admin/me")["Access-Control-Allow-Origin"] == nil)
    }

    @Test(arguments: ["app.example.org", "https://", "https://a/b", "https://a?b", "://a", "https://ä.example", "null"])
    func refusesWhatIsNoOrigin(_ text: String) {
        #expect(throws: SettingsError.self) {
            try Settings(flags: [("cors_origins", text)], environment: [:], file: nil)
        }
    }
}
