import JSONWire
import SubGuardAPI
import TestKit
import Testing

@Suite struct ConditionalTests {
    private static let cacheable = [
        "/api/v1/catalogue", "/api/v1/catalogue/search?q=net", "/api/v1/openapi.json", "/problems/conflict",
    ]

    @Test func tellsWhoHasItAlready() throws {
        let server = try TestServer()
        defer { server.end() }
        for target in Self.cacheable {
            let whole = try server.get(target)
            let tag = try whole.etag()
            #expect(tag.hasPrefix("\"") && tag.hasSuffix("\""), "strong")
            #expect(whole["Vary"] == "Accept-Encoding")
            for value in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
                let same = try server.get(target, "If-None-Match: \(value)")
                #expect(same.status == 304 && same.body.isEmpty, "\(target) \(value)")
                #expect(same["ETag"] == tag && same["Cache-Control"] == whole["Cache-Control"])
                #expect(same["Content-Length"] == nil)
            }
            #expect(try server.get(target, "If-None-Match: \"other\"").status == 200)
        }
    }

    @Test func hasATagForEachCoding() throws {
        let server = try TestServer()
        defer { server.end() }
        let plain = try server.get("/api/v1/catalogue")
        let coded = try server.get("/api/v1/catalogue", "Accept-Encoding: br;q=1.0, gzip;q=0.5")
        #expect(coded["Content-Encoding"] == "gzip")
        #expect(try coded.decodedBody() == plain.body)
        #expect(try coded.etag() != plain.etag())
        #expect(try server.get("/api/v1/catalogue", "Accept-Encoding: gzip;q=0")["Content-Encoding"] == nil)
        let same = try server.get("/api/v1/catalogue", "Accept-Encoding: gzip", "If-None-Match: \(try coded.etag())")
        #expect(same.status == 304)
        #expect(try same.etag() == coded.etag())
    }

    @Test func answersHeadAsGetWithoutTheBody() throws {
        let server = try TestServer()
        defer { server.end() }
        for target in Self.cacheable + ["/healthz", "/readyz"] {
            let get = try server.get(target)
            let head = try server.connect().exchange(HTTPCall("HEAD", target).bytes)
            #expect(head.status == get.status && head.body.isEmpty)
            for field in ["Content-Length", "ETag", "Content-Type", "Cache-Control"] {
                #expect(head[field] == get[field], "\(target) \(field)")
            }
        }
    }

    @Test func takesOrMakesARequestID() throws {
        let server = try TestServer()
        defer { server.end() }
        #expect(try server.get("/healthz", "X-Request-Id: mine")["X-Request-Id"] == "mine")
        let long = String(repeating: "x", count: 128)
        #expect(try server.get("/healthz", "X-Request-Id: \(long)")["X-Request-Id"] == long)
        for bad in [long + "x", "two words", ""] {
            let made = try #require(try server.get("/healthz", "X-Request-Id: \(bad)")["X-Request-Id"])
            #expect(made != bad && made.count == 32)
        }
        let unreadable = try server.connect().exchange("GET /healthz HTTP/1.1\r\nX-Request-Id: leap\r\n\r\n")
        #expect(unreadable.status == 400 && unreadable["X-Request-Id"] == "leap")
        #expect(try server.logs { $0["request_id"]?.stringValue == "mine" })
    }
}
