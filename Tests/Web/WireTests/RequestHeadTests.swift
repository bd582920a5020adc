import HTTPTypes
import Testing

@testable import HTTPWire

@Suite struct RequestHeadTests {
    private static let request = """
        GET /caf%C3%A9?q=12.34 HTTP/1.1\r
        Host: h\r
        If-None-Match: "a"\r
        Accept: text/html\r
        if-none-match: "b"\r
        X-Own: \u{E9}\r
        \r\n
        """

    private static func parse(_ request: String, into head: inout RequestHead) throws {
        var parser = RequestParser(limits: HTTPLimits())
        let (event, _) = try Array(request.utf8).withUnsafeBytes { try parser.next($0, head: &head) }
        #expect(event == .head)
    }

    @Test func findsFieldsByName() throws {
        var head = RequestHead()
        try Self.parse(Self.request, into: &head)
        #expect(head.contains(.accept))
        #expect(!head.contains(.authorization))
        #expect(head.value(of: .ifNoneMatch) == "\"a\"")
        #expect(head.values(of: .ifNoneMatch) == ["\"a\"", "\"b\""])
        #expect(head.value(of: .authorization) == nil)
        #expect(head.values(of: .authorization) == [])
        #expect(head.withValue(of: .accept) { $0.count } == 9)
        #expect(head.withValue(of: .authorization) { $0.count } == nil)
    }

    @Test func givesAllFieldsInOrder() throws {
        var head = RequestHead()
        try Self.parse(Self.request, into: &head)
        let fields = head.httpFields
        #expect(fields.map(\.name.rawName) == ["Host", "If-None-Match", "Accept", "if-none-match", "X-Own"])
        #expect(fields[values: .ifNoneMatch] == ["\"a\"", "\"b\""])
    }

    @Test func aCopyKeepsItsBytesWhenTheStorageIsUsedAgain() throws {
        var head = RequestHead()
        try Self.parse(Self.request, into: &head)
        let kept = head
        head.reset()
        try Self.parse("POST /other HTTP/1.0\r\n\r\n", into: &head)
        #expect(head.path == "/other")
        #expect(head.query.isEmpty)
        #expect(head.fields.isEmpty)
        #expect(kept.path == "/caf%C3%A9")
        #expect(kept.query == "q=12.34")
        #expect(kept.value(of: .accept) == "text/html")
    }

    @Test func resetForgetsEverything() throws {
        var head = RequestHead()
        try Self.parse(
            "POST /a?b HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\n", into: &head)
        head.reset()
        #expect(head.method == .get)
        #expect(head.minorVersion == 1)
        #expect(head.framing == .none)
        #expect(head.keepsAlive)
        #expect(head.path.isEmpty)
        #expect(head.query.isEmpty)
        #expect(!head.contains(.connection))
    }
}
