import HTTPServer
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

/// 413, 414 and 431: oversized requests, with every framing.
@Suite struct BodyLimitTests {
    private static let limits: [(method: String, target: String, bytes: Int)] = [
        ("POST", "/api/v1/suggestions", 256 << 10), ("POST", "/api/v1/analytics", 1 << 20),
        ("POST", "/api/v1/admin/catalogue", 64 << 10),
        ("PATCH", "/api/v1/admin/catalogue/\(makeID(404).lowercased)", 64 << 10),
    ]

    /// Well-formed, because the body of an admin call is otherwise not read.
    private static let token =
        "Authorization: Bearer sgt_" + String(repeating: "A", count: 43) + "\r\nContent-Type: application/json\r\n"

    @Test func refusesADeclaredLengthBeforeTheBodyIsSent() throws {
        let server = try TestServer()
        defer { server.end() }
        for (method, target, bytes) in Self.limits {
            let client = try server.connect()
            let response = try client.exchange(
                "\(method) \(target) HTTP/1.1\r\nHost: h\r\n\(Self.token)Content-Length: \(bytes + 1)\r\n\r\n")
            try server.expectProblem(response, .bodyTooLarge)
            #expect(response.text.contains("larger than the \(bytes) bytes that this"), "\(target)")
            #expect(response.announcesClose)
        }
    }

    @Test func refusesChunksThatAddUp() throws {
        let server = try TestServer()
        defer { server.end() }
        for (method, target, bytes) in Self.limits {
            let client = try server.connect()
            try client.send(
                "\(method) \(target) HTTP/1.1\r\nHost: h\r\n\(Self.token)Transfer-Encoding: chunked\r\n\r\n")
            let chunk = "4000\r\n" + String(repeating: " ", count: 0x4000) + "\r\n"
            for _ in 0..<(bytes / 0x4000) { try client.send(chunk) }
            #expect(try client.staysSilent(milliseconds: 20), "refused at the limit, not above it")
            try client.send("1\r\n \r\n0\r\n\r\n")
            let response = try client.readResponse()
            try server.expectProblem(response, .bodyTooLarge)
            #expect(response.text.contains("larger than the \(bytes) bytes that this"), "\(target)")
        }
    }

    @Test(arguments: ["", "Authorization: Bearer hunter2\r\n"])
    func readsNoBodyOfACallerWhoHasNothingLikeAToken(field: String) throws {
        let server = try TestServer()
        defer { server.end() }
        let client = try server.connect()
        let response = try client.exchange(
            "POST /api/v1/admin/catalogue/import HTTP/1.1\r\nHost: h\r\n\(field)Content-Length: 30000000\r\n"
                + "Expect: 100-continue\r\n\r\n")
        try server.expectProblem(response, .unauthorized)
        #expect(response.announcesClose)
    }

    @Test func takesABodyOfExactlyTheLimit() throws {
        let server = try TestServer()
        defer { server.end() }
        for (method, target, bytes) in Self.limits {
            let body = [UInt8](repeating: UInt8(ascii: " "), count: bytes - 2) + Array("{}".utf8)
            let fields = [try server.authorization(.owner)]
            // Read to the end and rejected because it is empty.
            try server.expectProblem(
                try server.exchange(HTTPCall(method, target, fields, body: body)), .validationFailed)
        }
    }

    /// 5 MB of spaces compress to 5 KB of gzip, so the limit applies to the decompressed size.
    @Test func refusesWhatInflatesBeyondTheLimit() throws {
        let bomb = [UInt8](repeating: UInt8(ascii: " "), count: 5 << 20) + Array("{}".utf8)
        let server = try TestServer()
        defer { server.end() }
        for (method, target, _) in Self.limits {
            let call = HTTPCall(method, target, [try server.authorization(.owner)], body: bomb).gzipped()
            #expect(call.body?.count ?? .max < 16_384)
            try server.expectProblem(try server.exchange(call), .bodyTooLarge)
        }
    }

    @Test func takesWhatInflatesToTheLimit() throws {
        // Spaces with occasional line feeds, which compress to a twentieth, like a client's JSON.
        var random = SeededRandom(seed: 1502)
        let blanks = random.bytes((4 << 20) - 2).map { $0 < 12 ? UInt8(ascii: "\n") : UInt8(ascii: " ") }
        let body = blanks + Array("[]".utf8)
        let server = try TestServer()
        defer { server.end() }
        let call = HTTPCall("POST", "/api/v1/analytics", body: body).gzipped()
        try server.expectInvalid(try server.exchange(call), [("#", "out_of_range")])
        let more = HTTPCall("POST", "/api/v1/analytics", body: [UInt8(ascii: " ")] + body).gzipped()
        try server.expectProblem(try server.exchange(more), .bodyTooLarge)
    }

    @Test func refusesALongRequestLine() throws {
        let server = try TestServer()
        defer { server.end() }
        let long = "/api/v1/catalogue?q=" + String(repeating: "a", count: 8200)
        try server.expectProblem(try server.get(long), .uriTooLong)
    }

    @Test func refusesManyAndLongFields() throws {
        let server = try TestServer()
        defer { server.end() }
        let many = (0..<101).map { "X-\($0): 1" }
        try server.expectProblem(try server.exchange(HTTPCall("GET", "/healthz", many)), .headerFieldsTooLarge)
        let long = "X-Long: " + String(repeating: "a", count: 33_000)
        try server.expectProblem(try server.get("/healthz", long), .headerFieldsTooLarge)
    }
}
