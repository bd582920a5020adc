import BackendHTTP
import HTTPServer
import JSONWire
import SQLDatabase
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

/// Large administrative bodies are read only if their token is valid.
@Suite struct LargeBodyTests {
    private static let target = "/api/v1/admin/catalogue/import?dry_run=true"

    /// Rows of about 60 bytes; 5,000 rows exceed what is read without a valid token.
    private static func file(rows: Int) -> String {
        "name,slug,category,typical_amount,currency,billing_cycle\n"
            + (0..<rows).map { "Ciné \($0),cine-\($0),streaming,12.34,EUR,monthly\n" }.joined()
    }

    private static func head(_ token: String, _ framing: String) -> String {
        """
        POST \(target) HTTP/1.1\r\nHost: h\r\nContent-Type: text/csv\r\nAuthorization: Bearer \(token)\r\n\
        \(framing)\r\n\r\n
        """
    }

    /// Well-formed but unknown.
    private static let unknownToken = "sgt_" + String(repeating: "A", count: 43)

    @Test func keepsNothingOfCallersWithAnUnknownToken() throws {
        var setup = TestServer.Setup()
        setup.settings = ["maximum_body_memory_mebibytes": "1"]
        setup.tune = { server, _ in server.deadlines.bodyIdle = .seconds(300) }
        let server = try TestServer(setup)
        defer { server.end() }
        let file = Self.file(rows: 5000)
        // Each body would take nearly a fifth of the memory budget.
        let dribbling = try (0..<9).map { _ in
            let client = try server.connect()
            try client.send(Self.head(Self.unknownToken, "Content-Length: \(file.utf8.count)") + file.dropLast(1))
            return client
        }
        for client in dribbling { #expect(try client.staysSilent(milliseconds: 20)) }
        #expect(
            try server.logs { $0["reason"]?.stringValue == "unknown, expired or revoked token" }, "looked up before")
        for _ in 0..<3 {
            let token = try #require(server.tokens[.editor])
            let client = try server.connect()
            try client.send(Self.head(token, "Content-Length: \(file.utf8.count)") + file)
            #expect(try client.readResponse().status == 200)
        }
        for client in dribbling {
            try client.send("\n")
            let refusal = try client.readResponse()
            #expect(refusal.status == 401)
            #expect(refusal["WWW-Authenticate"] == "Bearer realm=\"subguard\", error=\"invalid_token\"")
        }
        expect(try server.get("/metrics").text, contains: [#"memory_refusals_total{limit="bodies"} 0"#])
    }

    @Test(arguments: [Role.analyst, .moderator])
    func refusesARoleWithoutThePermissionBeforeTheBody(_ role: Role) throws {
        let server = try TestServer()
        defer { server.end() }
        let client = try server.connect()
        let token = try #require(server.tokens[role])
        try client.send(Self.head(token, "Transfer-Encoding: chunked\r\nExpect: 100-continue"))
        let refusal = try client.readResponse()
        try server.expectProblem(refusal, .forbidden)
        #expect(refusal.announcesClose)
    }

    @Test func continuesForWhoMay() throws {
        let server = try TestServer()
        defer { server.end() }
        let file = Self.file(rows: 3000)
        let token = try #require(server.tokens[.owner])
        let client = try server.connect()
        try client.send(Self.head(token, "Content-Length: \(file.utf8.count)\r\nExpect: 100-continue"))
        #expect(try client.readResponse().status == 100)
        try client.send(file)
        #expect(try client.readResponse().status == 200)
    }

    /// The token is revoked after the admission and before the end of the body.
    @Test func looksAgainWhenTheBodyIsThere() throws {
        let server = try TestServer()
        defer { server.end() }
        let access = AccessTokenStore(context: server.outside.context)
        let created = try access.create(role: .owner, name: "leaver", expiresAt: nil, by: .setup)
        let file = Self.file(rows: 3000)
        let client = try server.connect()
        try client.send(Self.head(created.token, "Content-Length: \(file.utf8.count)\r\nExpect: 100-continue"))
        #expect(try client.readResponse().status == 100)
        try access.revoke(created.record.id, by: .setup)
        try client.send(file)
        #expect(try client.readResponse().status == 401)
    }
}
