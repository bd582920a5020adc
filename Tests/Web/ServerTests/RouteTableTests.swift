import HTTPTypes
import HTTPWire
import Testing

@testable import HTTPServer

@Suite struct RouteTableTests {
    private static func route(_ method: RequestMethod, _ pattern: String) -> Route {
        Route(method, pattern) { _ in Response(status: .ok) }
    }

    private static func match(_ method: String, _ path: String, in table: RouteTable) throws -> String {
        var parser = RequestParser(limits: HTTPLimits())
        var head = RequestHead()
        let request = "\(method) \(path) HTTP/1.1\r\nHost: h\r\n\r\n"
        _ = try Array(request.utf8).withUnsafeBytes { try parser.next($0, head: &head) }
        switch table.match(head) {
        case .route(let index, let parameters):
            return "\(table.routes[index].pattern) with \(parameters.values.count)"
        case .otherMethods(let allow): return "only \(allow)"
        case .none: return "none"
        case .malformed: return "malformed"
        }
    }

    @Test func writesPatternsWithoutTheirTypes() {
        #expect(RoutePattern("/").description == "/")
        #expect(RoutePattern("/a/{id:uuid}/{file}").description == "/a/{id}/{file}")
    }

    @Test func prefersLiteralsWhateverTheOrder() throws {
        let patterns = ["/a/{x}/{y}", "/a/{x}/c", "/a/b/c", "/a/b/{y}"]
        for table in [
            RouteTable(patterns.map { Self.route(.get, $0) }),
            RouteTable(patterns.reversed().map { Self.route(.get, $0) }),
        ] {
            #expect(try Self.match("GET", "/a/b/c", in: table) == "/a/b/c with 0")
            #expect(try Self.match("GET", "/a/1/c", in: table) == "/a/{x}/c with 1")
            #expect(try Self.match("GET", "/a/b/2", in: table) == "/a/b/{y} with 1")
            #expect(try Self.match("GET", "/a/1/2", in: table) == "/a/{x}/{y} with 2")
        }
    }

    @Test func namesEachAllowedMethodOnce() throws {
        let table = RouteTable([
            Self.route(.get, "/a/b"), Self.route(.get, "/a/{x}"), Self.route(.post, "/a/{x}"),
            Self.route(.options, "/a/b"),
        ])
        #expect(try Self.match("DELETE", "/a/b", in: table) == "only GET, HEAD, OPTIONS, POST")
    }

    @Test func findsTheMethodBehindAnotherPattern() throws {
        let table = RouteTable([Self.route(.get, "/a/b"), Self.route(.post, "/a/{x}")])
        #expect(try Self.match("POST", "/a/b", in: table) == "/a/{x} with 1")
        #expect(try Self.match("HEAD", "/a/b", in: table) == "/a/b with 0")
    }

    /// Foundation accepts signs and blanks in an id.
    @Test(arguments: [
        "0190b5d2-7c1e-7abc-+def-0123456789ab", "0190b5d2-7c1e-7abc-8def-0123456789-b",
        "0190b5d2-7c1e-7abc-8def-01234567-+-4", "0190b5d27c1e-7abc--8def-0123456789ab",
        "0190b5d2-7c1e-7abc-8def-0123456789ag", "0x90b5d2-7c1e-7abc-8def-0123456789ab",
    ])
    func takesNothingButHexadecimalDigitsInAnID(_ id: String) throws {
        let table = RouteTable([Self.route(.get, "/a/{id:uuid}")])
        #expect(try Self.match("GET", "/a/0190b5d2-7c1e-7abc-8DEF-0123456789ab", in: table) == "/a/{id} with 1")
        #expect(try Self.match("GET", "/a/\(id)", in: table) == "none")
    }

    @Test func findsNothingInAnEmptyTable() throws {
        #expect(try Self.match("GET", "/", in: RouteTable([])) == "none")
        #expect(try Self.match("GET", "/a/b", in: RouteTable([])) == "none")
    }

    @Test func parametersOfAnotherKindAreAnError() throws {
        var parameters = PathParameters()
        #expect(throws: RoutingError.self) { try parameters.text() }
        parameters.values = [.text("a")]
        #expect(try parameters.text() == "a")
        #expect(throws: RoutingError.self) { try parameters.uuid() }
        #expect(throws: RoutingError.self) { try parameters.text(1) }
        #expect(throws: RoutingError.self) { try parameters.text(-1) }
    }
}
