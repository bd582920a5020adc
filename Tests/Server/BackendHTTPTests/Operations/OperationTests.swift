import BackendHTTP
import Foundation
import JSONWire
import SQLDatabase
import ServerAccess
import ServerContract
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@Suite struct OperationTests {
    @Test func servesTheDocumentOfTheRepository() throws {
        let server = try TestServer()
        defer { server.end() }
        let file = try RepositoryFile.bytes("docs/openapi.json")
        #expect(try server.get("/api/v1/openapi.json").json() == JSONValue.parse(file))
    }

    /// Every call of the contract has a handler; none returns the 404 of an unknown path.
    @Test func answersEveryCallOfTheContract() throws {
        let server = try TestServer()
        defer { server.end() }
        let id = try server.item("netflix").id.lowercased
        for route in APIOperation.all {
            let target = route.template.replacing("{id}", with: id).replacing("{code}", with: "conflict")
                .replacing("{project_id}", with: "1").replacing("{file}", with: "none.png")
                .replacing("{slug}", with: "netflix").replacing("{debug_id}", with: id)
            let response = try server.exchange(HTTPCall("OPTIONS", target))
            #expect(response.status == 204, "\(target)")
            #expect(
                response["Allow"]?.split(separator: ", ").contains(Substring(route.method.rawValue)) == true,
                "\(target)")
        }
    }

    @Test func measuresByTemplateNeverByPath() throws {
        let server = try TestServer()
        defer { server.end() }
        let id = try server.item("netflix").id.lowercased
        _ = try server.get("/api/v1/catalogue/\(id)?secret=12.34")
        _ = try server.get("/nowhere/\(id)")
        let page = try server.get("/metrics")
        #expect(page["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
        expect(
            page.text,
            contains: [
                #"subguard_http_requests_total{route="/api/v1/catalogue/{id}",method="GET",status="422"} 1"#,
                #"subguard_http_requests_total{route="none",method="GET",status="404"} 1"#,
                #"subguard_build_info{version=""#,
            ].filter { !$0.contains("422") }, lacks: [id, "secret"])
        #expect(page.text.hasSuffix("\n"))
        let helps = page.text.split(separator: "\n").filter { $0.hasPrefix("# HELP ") }.map {
            $0.split(separator: " ")[2]
        }
        #expect(helps.count == Set(helps).count, "each name once")
    }

    @Test func saysWhichCheckFails() throws {
        var setup = TestServer.Setup()
        setup.logsErrors = false
        let server = try TestServer(setup)
        defer { server.end() }
        #expect(
            try server.get("/readyz").text
                == #"{"status":"ready","checks":{"migrations":"ok","store":"ok","storage":"ok"}}"#)
        // The schema as left by the first server of the next release, with a migration that lets this one run.
        _ = try server.outside.context.store.write {
            try $0.execute(
                """
                INSERT INTO schema_migrations (number, slug, checksum, applied_at, oldest_reader)
                SELECT max(number) + 1, 'expand', 'x', max(applied_at), max(number) FROM schema_migrations
                """)
        }
        #expect(try server.get("/readyz").json()["checks"]?["migrations"]?.stringValue == "newer")
        _ = try server.outside.context.store.write { try $0.execute("DROP TABLE health_probe") }
        let problem = try server.expectProblem(try server.get("/readyz"), .notReady)
        #expect(problem["detail"]?.stringValue == "Failing check: store. A write to the database failed.")
        _ = try server.outside.context.store.write {
            try $0.execute(
                """
                INSERT INTO schema_migrations (number, slug, checksum, applied_at)
                SELECT 9999, 'future', checksum, applied_at FROM schema_migrations WHERE number = 1
                """)
        }
        let newer = try server.expectProblem(try server.get("/readyz"), .notReady)
        #expect(newer["detail"]?.stringValue == "Failing check: migrations. A newer version has migrated the database.")
        _ = try server.outside.context.store.write {
            try $0.execute("UPDATE schema_migrations SET slug = 'store-metadata' WHERE number = 1")
        }
        let older = try server.expectProblem(try server.get("/readyz"), .notReady)
        #expect(older["detail"]?.stringValue == "Failing check: migrations. A build before 0.1.0 made the database.")
    }

    /// A machine without a battery starts with a clock of the past.
    @Test func aServerWhoseClockIsBehindLosesNothing() throws {
        var setup = TestServer.Setup()
        setup.settings = ["ingest_posthog_key": "phc_key", "ingest_sentry_key": "sentrykey"]
        let server = try TestServer(setup)
        defer { server.end() }
        try PurgeClock(context: server.outside.context).advance()
        // Its look at the clock, each minute, would log an error.
        server.stop()
        let right = server.clock.now
        server.clock.now = right - 1_100 * 86_400_000
        defer { server.clock.now = right }
        try server.withNeighbour { port in
            func send(_ call: HTTPCall) throws -> RawResponse {
                try RawClient(port: port, timeoutSeconds: 20).exchange(call.bytes)
            }
            let ready = try server.expectProblem(try send(HTTPCall("GET", "/readyz")), .notReady)
            #expect(ready["detail"]?.stringValue == "Failing check: clock. The server's clock is behind.")
            let events = HTTPCall("POST", "/api/v1/analytics", json: [EventText(1)].text)
            for call in [
                events, HTTPCall("POST", "/batch/", json: "{}"), HTTPCall("POST", "/api/v1/crashes", json: "{}"),
            ] {
                let response = try send(call)
                try server.expectProblem(response, .storageUnavailable)
                #expect(response["Retry-After"] == "30")
            }
            #expect(try send(HTTPCall("GET", "/api/v1/catalogue")).status == 200)
            server.clock.now = right
            #expect(try send(HTTPCall("GET", "/readyz")).status == 200)
            #expect(try send(events).json()["accepted"]?.integerValue == 1)
        }
    }

    @Test func countsLinesThatTheLogHasNoRoomFor() throws {
        let server = try TestServer()
        defer { server.end() }
        try server.withNeighbour(log: "/dev/full") { port in
            let client = try RawClient(port: port, timeoutSeconds: 20)
            #expect(
                try eventually {
                    let page = try client.exchange(HTTPCall("GET", "/metrics").bytes).text
                    return page.split(separator: "\n").contains {
                        $0.hasPrefix("subguard_log_lines_dropped_total ") && !$0.hasSuffix(" 0")
                    }
                })
        }
    }

    /// Internal details are not in the response but in the log, under the request's id.
    @Test func hidesWhatFailedInside() throws {
        var setup = TestServer.Setup()
        setup.logsErrors = true
        let server = try TestServer(setup)
        defer { server.end() }
        _ = try server.outside.context.store.write { try $0.execute("DROP TABLE suggestions") }
        let response = try server.post(
            "/api/v1/suggestions", #"{"id":"\#(makeID(1).lowercased)","name":"Été"}"#, "X-Request-Id: find-me")
        try server.expectProblem(response, .internalError)
        #expect(
            try server.logs { $0["level"]?.stringValue == "error" && $0["request_id"]?.stringValue == "find-me" })
    }
}
