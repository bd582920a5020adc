import BackendHTTP
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

/// Access to `/metrics` on the main listener and the metrics listener.
@Suite struct MetricsAccessTests {
    @Test func asksForTheTokenWhereOneIsSet() throws {
        let server = try TestServer(settings: ["metrics_token": "scrape-12.34"])
        defer { server.end() }
        #expect(try server.get("/metrics", "Authorization: bearer scrape-12.34").status == 200)
        let missing = try server.get("/metrics")
        try server.expectProblem(missing, .unauthorized)
        #expect(missing["WWW-Authenticate"] == "Bearer realm=\"subguard metrics\"")
        let owner = try server.authorization(.owner)
        for line in [
            "Authorization: Bearer scrape-12.35", "Authorization: Bearer scrape-12.3",
            "Authorization: Bearer scrape-12.345", "Authorization: Basic scrape-12.34", "Authorization: Bearer", owner,
        ] {
            let refusal = try server.get("/metrics", line)
            try server.expectProblem(refusal, .unauthorized)
            expect(refusal.text, lacks: ["subguard_http", "scrape"])
        }
        let twice = ["Authorization: Bearer scrape-12.34", "Authorization: Bearer scrape-12.34"]
        #expect(try server.exchange(HTTPCall("GET", "/metrics", twice)).status == 400)
        #expect(try server.get("/readyz").status == 200)
        #expect(try server.get("/healthz").status == 200)
    }

    @Test func limitsGuesses() throws {
        let server = try TestServer(settings: ["metrics_token": "scrape"])
        defer { server.end() }
        for _ in 0..<30 { #expect(try server.get("/metrics", "Authorization: Bearer guess").status == 401) }
        #expect(try server.get("/metrics", "Authorization: Bearer guess").status == 429)
        #expect(try server.get("/metrics", "Authorization: Bearer scrape").status == 200)
    }

    @Test func servesItOnAListenerOfItsOwn() throws {
        let port = try FreePort.find()
        let server = try TestServer(settings: ["metrics_port": "\(port)", "metrics_token": "scrape"])
        defer { server.end() }
        #expect(server.metricsPort == port)
        func get(_ target: String, _ fields: String...) throws -> RawResponse {
            try RawClient(port: port, timeoutSeconds: 10).exchange(HTTPCall("GET", target, fields).bytes)
        }
        #expect(try server.get("/metrics", "Authorization: Bearer scrape").status == 404)
        #expect(try server.exchange(HTTPCall("OPTIONS", "/metrics")).status == 404)
        #expect(try server.get("/readyz").status == 200)
        #expect(try get("/metrics").status == 401)
        for target in ["/healthz", "/readyz"] { #expect(try get(target).status == 200) }
        for target in ["/api/v1/catalogue", "/api/v1/openapi.json", "/api/v1/admin/me", "/logos/none.png"] {
            #expect(try get(target).status == 404)
        }
        // Both listeners share the metrics; each request counts under its own route.
        let page = try get("/metrics", "Authorization: Bearer scrape").text
        expect(
            page,
            contains: [
                #"subguard_http_requests_total{route="/healthz",method="GET",status="200"} 1"#,
                #"subguard_http_requests_total{route="/readyz",method="GET",status="200"} 2"#,
                #"subguard_http_requests_total{route="none",method="GET",status="404"} 5"#,
                "subguard_http_memory_refusals_total{limit=\"answers_of_client\"} 0",
            ])
    }

    @Test func hasNoSuchListenerByDefault() throws {
        let server = try TestServer()
        defer { server.end() }
        #expect(server.metricsPort == nil)
        #expect(try server.get("/metrics").status == 200)
    }
}
