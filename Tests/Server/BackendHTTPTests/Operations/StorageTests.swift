import Foundation
import HTTPServer
import HTTPTypes
import JSONWire
import SQLDatabase
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@testable import BackendHTTP

/// A full database, and one that cannot be written.
@Suite struct StorageTests {
    private func setup(_ settings: [String: String]) -> TestServer.Setup {
        var setup = TestServer.Setup()
        // An unreachable target, so that deliveries end as dead.
        setup.settings = [
            "alerts_webhook_url": "http://127.0.0.1:9/hook", "alerts_webhook_secret": "wh-s3cret",
            "ingest_posthog_key": "phc_key", "ingest_sentry_key": "sentrykey",
        ].merging(settings) { $1 }
        return setup
    }

    /// Fills the database with this many MiB of incompressible data.
    private func fill(_ server: TestServer, mebibytes: Int) throws {
        try server.outside.context.store.write { transaction in
            let type = server.outside.context.store.dialect == .postgres ? "BYTEA" : "BLOB"
            try transaction.execute("CREATE TABLE filler (number INTEGER PRIMARY KEY, contents \(type))")
            var random = SeededRandom(seed: 1)
            for number in 0..<mebibytes {
                var bytes: [UInt8] = []
                for _ in 0..<1 << 17 { withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) } }
                try transaction.execute(
                    "INSERT INTO filler VALUES (?, ?)", [.integer(Int64(number)), .blob(bytes)])
            }
        }
    }

    private func empty(_ server: TestServer) throws {
        try server.outside.context.store.write { _ = try $0.execute("DROP TABLE filler") }
    }

    private func level(_ server: TestServer) throws -> String? {
        try server.get("/readyz").json()["checks"]?["storage"]?.stringValue
    }

    private func alerts(_ server: TestServer) throws -> [String] {
        try server.admin(.owner, "GET", "/api/v1/admin/alerts").json()["items"]?.arrayValue?.strings("kind") ?? []
    }

    @Test func takesNothingFromDevicesOnceItIsFull() throws {
        let server = try TestServer(setup(["maximum_store_mebibytes": "64"]))
        defer { server.end() }
        let events = [EventText(1)].text
        #expect(try server.post("/api/v1/analytics", events).status == 202)
        try fill(server, mebibytes: 70)
        #expect(try eventually(timeoutSeconds: 20) { try level(server) == "full" })
        for (target, body) in [
            ("/api/v1/analytics", events), ("/batch/", "{}"), ("/api/v1/crashes", "{}"), ("/api/v1/suggestions", "{}"),
            ("/ingest/api/1/envelope/", "{}"), ("/api/v1/auth/apple", "{}"),
        ] {
            let answer = try server.post(target, body)
            #expect(answer.status == 503, "\(target)")
            #expect(try answer.json()["code"]?.stringValue == "storage_full", "\(target)")
            #expect(answer["Retry-After"] == "30")
        }
        try server.expectProblem(try server.post("/api/v1/analytics", events), .storageFull)
        // Anyone can be refused, so a refusal adds no row.
        #expect(try ConsoleBrowser(server).post("/console/login", "token=sgt_x").status == 422)
        #expect(try server.admin(.owner, "GET", "/api/v1/admin/audit?action=console.sign_in_refused").items().isEmpty)
        #expect(try server.get("/api/v1/catalogue").status == 200)
        #expect(try server.get("/readyz").status == 200, "reading goes on, so a balancer has no reason to leave")
        let created = try server.admin(
            .owner, "POST", "/api/v1/admin/alerts/test", json: "{}")
        #expect(created.status < 300, "\(created.text)")
        expect(
            try server.get("/metrics").text,
            contains: ["subguard_store_limit_bytes 67108864\n", "subguard_store_level{level=\"full\"} 1\n"])
        #expect(try eventually(timeoutSeconds: 20) { try alerts(server).contains("storage") })
        #expect(
            try server.logs { $0["message"]?.stringValue == "storage level" && $0["storage"]?.stringValue == "full" })

        try empty(server)
        #expect(try eventually(timeoutSeconds: 20) { try level(server) == "ok" })
        #expect(try server.post("/api/v1/analytics", events).text == #"{"accepted":0,"duplicates":1,"rejected":[]}"#)
        // One alert each time the level is reached, not one per measurement.
        try fill(server, mebibytes: 70)
        #expect(try eventually(timeoutSeconds: 20) { try alerts(server).count { $0 == "storage" } == 2 })
        #expect(try alerts(server).count { $0 == "storage" } == 2)
    }

    @Test func warnsBeforeItIsFull() throws {
        let server = try TestServer(setup(["maximum_store_mebibytes": "64"]))
        defer { server.end() }
        #expect(try level(server) == "ok")
        #expect(try server.get("/metrics").text.contains("subguard_store_level{level=\"nearly_full\"} 0\n"))
        // What is there already depends on the database: PostgreSQL keeps tables of its own in each.
        let used = try #require(server.get("/metrics").text.firstMatch(of: /(?m)^subguard_store_bytes (\d+)$/)).1
        try fill(server, mebibytes: 56 - (try #require(Int(used)) >> 20))
        #expect(try eventually(timeoutSeconds: 20) { try level(server) == "nearly_full" })
        #expect(try server.post("/api/v1/analytics", [EventText(1)].text).status == 202)
        #expect(try eventually(timeoutSeconds: 20) { try alerts(server) == ["storage"] })
    }

    @Test(.enabled(if: TestDatabase.chosen == .sqlite, "about the disk of an SQLite file"))
    func keepsTheDiskFromBeingFilled() throws {
        // More free space than any disk has.
        let server = try TestServer(setup(["minimum_free_disk_mebibytes": "1073741824"]))
        defer { server.end() }
        try server.expectProblem(try server.post("/api/v1/analytics", [EventText(1)].text), .storageFull)
        #expect(try level(server) == "full")
        #expect(try eventually(timeoutSeconds: 20) { try alerts(server) == ["storage"] })
    }

    /// The database has become read-only, as when PostgreSQL fails over.
    @Test(.enabled(if: TestDatabase.chosen == .postgres, "SQLite has no such switch"))
    func aReadOnlyDatabaseIsNoFaultOfTheServer() throws {
        var setup = setup([:])
        setup.logsErrors = true
        let server = try TestServer(setup)
        defer { server.end() }
        func setReadOnly(_ isReadOnly: Bool) throws {
            try server.outside.context.store.write { transaction in
                try transaction.execute("SET TRANSACTION READ WRITE")
                let name = try transaction.first("SELECT current_database()") { try $0.text(0) } ?? ""
                try transaction.execute(
                    "ALTER DATABASE \(name) SET default_transaction_read_only = \(isReadOnly ? "on" : "off")")
            }
            // Only once that is committed: a connection made before keeps the former setting.
            try server.outside.context.store.write { transaction in
                try transaction.execute("SET TRANSACTION READ WRITE")
                _ = try transaction.first(
                    """
                    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid()
                    """
                ) { try $0.integer(0) }
            }
        }
        // Slowly, so that the rate limit is not reached, and a new event each time: one that is known needs no writing.
        var (last, number): (String, UInt64) = ("", 0)
        func post() throws -> RawResponse {
            Thread.sleep(forTimeInterval: 0.1)
            number += 1
            let response = try server.post("/api/v1/analytics", [EventText(number)].text)
            last = "\(response.status) \(response.text)"
            return response
        }
        try setReadOnly(true)
        #expect(
            try eventually(timeoutSeconds: 60) { try post().json()["code"]?.stringValue == "storage_unavailable" },
            "\(last)")
        #expect(try server.get("/api/v1/catalogue").status == 200)
        try setReadOnly(false)
        #expect(try eventually(timeoutSeconds: 60) { try post().status == 202 }, "\(last)")
    }

    @Test(arguments: [
        (SQLError.Code.diskFull, ProblemCode.storageFull), (.readOnly, .storageUnavailable),
        (.inputOutput, .storageUnavailable),
    ])
    func aStorageThatFailsAsksToComeBackLater(_ cause: SQLError.Code, _ code: ProblemCode) throws {
        let failure = try #require(HTTPFailure(SQLError(code: cause, number: 1, context: "write")))
        #expect(failure.code == code && code.status == 503)
        #expect(failure.fields[.retryAfter] == "30")
    }
}
