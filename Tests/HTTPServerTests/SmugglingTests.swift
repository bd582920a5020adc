import HTTPServer
import TestKit
import Testing

/// Messages that two programs could read differently. Each comes with a body that would be right in one of the readings
/// and with a further request behind it, the canary: the answer must be the parser's refusal, the connection must end,
/// and the canary must not be answered.
@Suite struct SmugglingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let section: String
        let what: String
        let request: String
        let status: Int

        init(_ section: String, _ what: String, _ request: String, _ status: Int = 400) {
            self.section = section
            self.what = what
            self.request = request
            self.status = status
        }

        /// A POST with these field lines and a body.
        static func post(_ section: String, _ lines: String, _ body: String, _ status: Int = 400) -> Case {
            let fields = lines.replacing("|", with: "\r\n")
            return Case(section, lines, "POST /echo HTTP/1.1\r\nHost: h\r\n\(fields)\r\n\r\n\(body)", status)
        }

        /// A chunked POST with this body.
        static func chunked(_ section: String, _ body: String, _ status: Int = 400) -> Case {
            Case(
                section, body.debugDescription,
                "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n\(body)", status)
        }

        /// A GET whose whole head is given.
        static func head(_ section: String, _ head: String, _ status: Int = 400) -> Case {
            Case(section, head.debugDescription, head, status)
        }

        var testDescription: String { "\(section) \(what)" }
        /// One octet for each scalar, so that `\u{A0}` is the octet 0xA0.
        var octets: [UInt8] { request.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }
    }

    private static let canary = Array("GET /canary HTTP/1.1\r\nHost: h\r\n\r\n".utf8)

    @Test(arguments: lengthCases + codingCases + chunkCases + lineCases + hostCases)
    func refusesAndAnswersNothingBehind(_ smuggled: Case) throws {
        let server = try TestServer { $0.loops = 1 }
        let client = try server.connect()
        try client.send(smuggled.octets + Self.canary)
        let response = try client.readResponse()
        #expect(response.status == smuggled.status)
        #expect(response.announcesClose)
        #expect(try client.readToEnd().isEmpty)
        #expect(server.application.timesAsked("/canary") == 0)
        #expect(server.application.observed.allSatisfy { $0.status == smuggled.status })
        // One answer, and the server lives.
        #expect(server.application.observed.count == 1)
        #expect(try server.get("/hello").text == "hello")
    }

    /// The same message in pieces: a refusal must not depend on what a packet holds.
    @Test(arguments: lengthCases + codingCases + chunkCases + lineCases + hostCases)
    func refusesTheSameByteByByte(_ smuggled: Case) throws {
        let server = try TestServer { $0.loops = 1 }
        let client = try server.connect()
        // The server may have answered and closed before the last byte is sent.
        for octet in smuggled.octets + Self.canary where (try? client.send([octet])) == nil { break }
        #expect(try client.readResponse().status == smuggled.status)
        #expect(try client.readToEnd(resetIsEnd: true).isEmpty)
        #expect(server.application.timesAsked("/canary") == 0)
    }

    private static let valid = "5\r\n12.34\r\n0\r\n\r\n"

    private static let lengthCases: [Case] = [
        .post("9112 6.3", "Content-Length: 5|Content-Length: 5", "12.34"),
        .post("9112 6.3", "Content-Length: 5|Content-Length: 0", "12.34"),
        .post("9112 6.3", "Content-Length: 0|Content-Length: 5", "12.34"),
        .post("9112 6.2", "Content-Length: 5, 5", "12.34"),
        .post("9112 6.2", "Content-Length: +5", "12.34"),
        .post("9112 6.2", "Content-Length: -5", "12.34"),
        .post("9112 6.2", "Content-Length: 0x5", "12.34"),
        .post("9112 6.2", "Content-Length: 5_0", "12.34"),
        .post("9112 6.2", "Content-Length: 5 0", "12.34"),
        .post("9112 6.2", "Content-Length: 5\u{0B}", "12.34"),
        .post("9112 6.2", "Content-Length: \u{A0}5", "12.34"),
        .post("9112 6.2", "Content-Length:", ""),
        .post("9112 6.2", "Content-Length: 18446744073709551621", "12.34", 413),
        .post("9112 5.1", "Content-Length : 5", "12.34"),
        .post("9112 5.2", "Content-Length: 0|  5", "12.34"),
        .post("9112 5.1", "Content-Length\0: 5", "12.34"),
    ]

    private static let codingCases: [Case] = [
        .post("9112 6.1", "Content-Length: 5|Transfer-Encoding: chunked", valid),
        .post("9112 6.1", "Transfer-Encoding: chunked|Content-Length: 15", valid),
        .post("9112 6.1", "Content-Length: 0|Transfer-Encoding: chunked", valid),
        .post("9112 6.1", "Content-Length: 15|Transfer-Encoding: identity", valid),
        .post("9112 6.1", "Content-Length: 15|Transfer-Encoding: xchunked", valid),
        .post("9112 6.1", "Content-Length: 15|Transfer-Encoding:", valid),
        .post("9112 6.1", "Transfer-Encoding: chunked|Transfer-Encoding: chunked", valid),
        .post("9112 6.1", "Transfer-Encoding: chunked|Transfer-Encoding: x", valid),
        .post("9112 6.1", "Transfer-Encoding: x|Transfer-Encoding: chunked", valid),
        .post("9112 6.1", "Transfer-Encoding: chunked, identity", valid),
        .post("9112 6.1", "Transfer-Encoding: chunked, chunked", valid),
        .post("9112 6.1", "Transfer-Encoding: gzip, chunked", valid, 501),
        .post("9112 6.1", "Transfer-Encoding: , chunked", valid),
        .post("9112 6.1", "Transfer-Encoding: chunked,", valid),
        .post("9112 6.1", "Transfer-Encoding: chunked;x=y", valid),
        .post("9112 6.1", "Transfer-Encoding: \"chunked\"", valid),
        .post("9112 6.1", "Transfer-Encoding: \u{A0}chunked", valid),
        .post("9112 6.1", "Transfer-Encoding: chunked\u{85}", valid),
        .post("9110 5.5", "Transfer-Encoding: \u{0B}chunked", valid),
        .post("9110 5.5", "Transfer-Encoding: chunked\0", valid),
        .post("9112 5.1", "Transfer-Encoding : chunked", valid),
        .post("9112 5.1", "Transfer-Encoding\t: chunked", valid),
        .post("9112 5.2", "Transfer-Encoding:| chunked", valid),
        .post("9112 5.2", "X: y| Transfer-Encoding: chunked", valid),
        .post("9112 2.2", "X: y\rTransfer-Encoding: chunked", valid),
        .post("9112 2.2", "X: y\nTransfer-Encoding: chunked", valid),
        .head("9112 6.1", "POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n\(valid)"),
        .head(
            "9112 6.1",
            "POST /echo HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n\(valid)"
        ),
    ]

    private static let chunkCases: [Case] = [
        .chunked("9112 7.1", "+5\r\n12.34\r\n0\r\n\r\n"),
        .chunked("9112 7.1", "-5\r\n12.34\r\n0\r\n\r\n"),
        .chunked("9112 7.1", "0x5\r\n12.34\r\n0\r\n\r\n"),
        .chunked("9112 7.1", "5_\r\n12.34\r\n0\r\n\r\n"),
        .chunked("9112 7.1", " 5\r\n12.34\r\n0\r\n\r\n"),
        .chunked("9112 7.1", "5 \r\n12.34\r\n0\r\n\r\n"),
        .chunked("9112 7.1", "5\n12.34\r\n0\r\n\r\n"),
        .chunked("9112 7.1", "5\r12.34\r\n0\r\n\r\n"),
        .chunked("9112 7.1", "5\r\n12.34\n0\r\n\r\n"),
        .chunked("9112 7.1", "5\r\n12.34XX0\r\n\r\n"),
        .chunked("9112 7.1", "4\r\n12.34\r\n0\r\n\r\n"),
        .chunked("9112 7.1", "6\r\n12.34\r\n0\r\n\r\n"),
        .chunked("9112 7.1", "10000000000000005\r\n12.34\r\n0\r\n\r\n", 400),
        .chunked("9112 7.1", "fffffffffffffffb\r\n12.34\r\n0\r\n\r\n", 413),
        .chunked("9112 7.1.1", "5;x\n12.34\r\n0\r\n\r\n"),
        .chunked("9112 7.1.1", "5;x\ry\r\n12.34\r\n0\r\n\r\n"),
        .chunked("9112 7.1.1", "5;\0\r\n12.34\r\n0\r\n\r\n"),
        .chunked("9112 7.1.1", "5;\(String(repeating: "x", count: 5000))\r\n12.34\r\n0\r\n\r\n"),
        .chunked("9112 7.1.2", "0\r\nX : y\r\n\r\n"),
        .chunked("9112 7.1.2", "0\r\nX\r\n\r\n"),
        .chunked("9112 7.1", "0\r\n\n"),
        .chunked("9112 7.1", "0\r\n\rX"),
        .chunked("9112 7.1", "0\n\r\n"),
    ]

    private static let lineCases: [Case] = [
        .head("9112 2.2", "GET /hello HTTP/1.1\nHost: h\n\n"),
        .head("9112 2.2", "GET /hello HTTP/1.1\r\nHost: h\n\r\n"),
        .head("9112 2.2", "GET /hello HTTP/1.1\r\nHost: h\r\n\n"),
        .head("9112 2.2", "GET /hello HTTP/1.1\rHost: h\r\r"),
        .head("9112 2.2", "\r\n\r\nGET /hello HTTP/1.1\r\nHost: h\r\n\r\n"),
        .head("9112 2.2", "\nGET /hello HTTP/1.1\r\nHost: h\r\n\r\n"),
        .head("9112 2.2", "GET /hello HTTP/1.1\r\n Host: h\r\n\r\n"),
        .head("9112 5", "GET /hello HTTP/1.1\r\nHost: h\r\nno colon\r\n\r\n"),
        .head("9112 5.1", "GET /hello HTTP/1.1\r\nHost: h\r\n: no name\r\n\r\n"),
        .head("9112 5.1", "GET /hello HTTP/1.1\r\nHost: h\r\nX Y: z\r\n\r\n"),
        .head("9112 5.2", "GET /hello HTTP/1.1\r\nHost: h\r\nX: y\r\n\tz\r\n\r\n"),
        .head("9110 5.5", "GET /hello HTTP/1.1\r\nHost: h\r\nX: y\0z\r\n\r\n"),
        .head("9110 5.5", "GET /hello HTTP/1.1\r\nHost: h\r\nX: y\rz\r\n\r\n"),
        .head("9112 3", "GET  /hello HTTP/1.1\r\nHost: h\r\n\r\n"),
        .head("9112 3", "GET /hello  HTTP/1.1\r\nHost: h\r\n\r\n"),
        .head("9112 3", "GET\t/hello HTTP/1.1\r\nHost: h\r\n\r\n"),
        .head("9112 3", "GET /hello HTTP/1.1 \r\nHost: h\r\n\r\n"),
        .head("9112 3", "GET /hello\0 HTTP/1.1\r\nHost: h\r\n\r\n"),
        .head("9112 3", "GET /hel lo HTTP/1.1\r\nHost: h\r\n\r\n"),
        .head("9112 3", "GET /hello\r\n"),
        .head("9112 2.3", "GET /hello http/1.1\r\nHost: h\r\n\r\n"),
        .head("9112 2.3", "GET /hello HTTP/1.01\r\nHost: h\r\n\r\n"),
        .head("9110 15.6.6", "GET /hello HTTP/2.0\r\nHost: h\r\n\r\n", 505),
        .head("9113 3.4", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
        .head("9110 9.1", "get /hello HTTP/1.1\r\nHost: h\r\n\r\n", 501),
        .head("9110 9.1", "BREW /hello HTTP/1.1\r\nHost: h\r\n\r\n", 501),
        .head("9110 9.3.6", "CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n", 501),
        .head("9112 3.2.4", "GET * HTTP/1.1\r\nHost: h\r\n\r\n"),
        .head("9112 3.2", "GET hello HTTP/1.1\r\nHost: h\r\n\r\n"),
        .head("9112 3.2.2", "GET http://u@h/hello HTTP/1.1\r\nHost: h\r\n\r\n"),
        .head("3986 2", "GET /hello\\x HTTP/1.1\r\nHost: h\r\n\r\n"),
        .head("3986 3.5", "GET /hello#x HTTP/1.1\r\nHost: h\r\n\r\n"),
        .head("3986 2.1", "GET /hello%0 HTTP/1.1\r\nHost: h\r\n\r\n"),
        .head("9110 10.1.1", "GET /hello HTTP/1.1\r\nHost: h\r\nExpect: x\r\n\r\n", 417),
        .head("9112 3", "GET /\(String(repeating: "a", count: 8192)) HTTP/1.1\r\nHost: h\r\n\r\n", 414),
        .head(
            "6585 5",
            "GET /hello HTTP/1.1\r\nHost: h\r\nX: \(String(repeating: "a", count: 32_768))\r\n\r\n", 431),
        .head(
            "6585 5",
            "GET /hello HTTP/1.1\r\nHost: h\r\n\(String(repeating: "X: y\r\n", count: 100))\r\n", 431),
    ]

    private static let hostCases: [Case] = [
        .head("9112 3.2", "GET /hello HTTP/1.1\r\n\r\n"),
        .head("9112 3.2", "GET /hello HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n"),
        .head("9112 3.2", "GET /hello HTTP/1.1\r\nHost: h\r\nhost: i\r\n\r\n"),
        .head("9112 3.2", "GET /hello HTTP/1.1\r\nHost:\r\n\r\n"),
        .head("9112 3.2", "GET /hello HTTP/1.1\r\nHost: a b\r\n\r\n"),
        .head("9112 3.2", "GET /hello HTTP/1.1\r\nHost: h/x\r\n\r\n"),
        .head("9112 3.2", "GET /hello HTTP/1.1\r\nHost: u@h\r\n\r\n"),
        .head("9112 3.2", "GET /hello HTTP/1.1\r\nHost: h:8o\r\n\r\n"),
        .head("9112 3.2", "GET http://h/hello HTTP/1.1\r\n\r\n"),
        .head("9112 5.1", "GET /hello HTTP/1.1\r\nHost : h\r\n\r\n"),
    ]
}
