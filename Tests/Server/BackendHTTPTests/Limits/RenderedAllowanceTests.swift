import BackendHTTP
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

/// The first request for a URL costs rendering and compression, so the rendered bytes are limited.
@Suite struct RenderedAllowanceTests {
    /// One MiB per minute, and a catalogue of which a page of 500 items exceeds 150 KB.
    private func server() throws -> TestServer {
        var setup = TestServer.Setup()
        setup.tune = { _, quotas in quotas.renderedBytes = 1 << 20 }
        let server = try TestServer(setup)
        let rows = (0..<600).map { "Dienst Nº \($0),dienst-\($0),press,12.34,EUR,monthly," }
        let file = "name,slug,category,typical_amount,currency,billing_cycle,aliases\n" + rows.joined(separator: "\n")
        let answer = try server.exchange(
            HTTPCall(
                "POST", "/api/v1/admin/catalogue/import",
                [try server.authorization(.editor), "Content-Type: text/csv"],
                body: Array(file.utf8)))
        #expect(answer.status == 200, "\(answer.text)")
        return server
    }

    @Test func countsPagesThatHaveToBeMade() throws {
        let server = try server()
        defer { server.end() }
        var sent = 0
        var refused: RawResponse?
        for limit in 400...500 {
            let answer = try server.get("/api/v1/catalogue?limit=\(limit)")
            guard answer.status == 200 else {
                refused = answer
                break
            }
            sent += answer.body.count
        }
        let answer = try #require(refused)
        try server.expectProblem(answer, .rateLimited)
        #expect(answer["RateLimit-Policy"] == #""rendered_bytes";q=1048576;w=60"#)
        #expect(sent >= 1 << 20, "the last page may exceed the allowance, none before it does")
        #expect(sent < 3 << 19)
        // Cached responses, and responses that need no rendering, remain available.
        #expect(try server.get("/api/v1/catalogue?limit=400").status == 200)
        #expect(try server.get("/healthz").status == 200)
        server.clock.advance(by: .seconds(60))
        #expect(try server.get("/api/v1/catalogue?limit=499").status == 200)
    }

    @Test func countsSearchesAndNotTheirRepetition() throws {
        let server = try server()
        defer { server.end() }
        for _ in 0..<40 { #expect(try server.get("/api/v1/catalogue/search?q=dienst&limit=500").status == 200) }
        let statuses = try (1...40).map {
            try server.get("/api/v1/catalogue/search?q=dienst&limit=\(500 - $0)").status
        }
        #expect(Set(statuses) == [200, 429])
    }
}
