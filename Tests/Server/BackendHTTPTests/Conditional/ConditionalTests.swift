import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
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

    /// A cache that stores one representation must not get 304 for another.
    @Test func comparesATagWithTheFormThatWouldBeSent() throws {
        let server = try TestServer()
        defer { server.end() }
        for target in ["/api/v1/catalogue", "/api/v1/openapi.json", "/api/v1/admin/catalogue"] {
            let token = try server.authorization(.owner)
            let plain = try server.get(target, token)
            let coded = try server.get(target, token, "Accept-Encoding: gzip")
            #expect(coded["Content-Encoding"] == "gzip")
            let tags = (plain: try plain.etag(), coded: try coded.etag())
            for (held, coding, status) in [
                (tags.plain, "identity", 304), (tags.coded, "gzip", 304), (tags.plain, "gzip", 200),
                (tags.coded, "identity", 200), ("\(tags.plain), \(tags.coded)", "gzip", 304),
                ("\"x\", W/\(tags.coded), \"y\"", "gzip", 304), ("W/\(tags.plain)", "gzip", 200), ("*", "gzip", 304),
            ] {
                for method in ["GET", "HEAD"] {
                    let answer = try server.exchange(
                        HTTPCall(method, target, [token, "Accept-Encoding: \(coding)", "If-None-Match: \(held)"]))
                    #expect(answer.status == status, "\(method) \(target) \(held) \(coding)")
                    #expect(try answer.etag() == (coding == "gzip" ? tags.coded : tags.plain))
                    #expect(answer["Vary"] == "Accept-Encoding")
                }
            }
        }
    }

    /// A body too small to compress has one representation and one tag, whatever codings the client accepts.
    @Test func givesASmallBodyOneTag() throws {
        let server = try TestServer()
        defer { server.end() }
        let target = "/api/v1/catalogue/\(try server.item("netflix").id.lowercased)"
        let tag = try server.get(target).etag()
        let same = try server.get(target, "Accept-Encoding: gzip", "If-None-Match: \(tag)")
        #expect(same.status == 304)
        #expect(try same.etag() == tag)
        #expect(try server.get(target, "Accept-Encoding: gzip").etag() == tag)
    }

    /// For a write, the tag of either representation identifies the revision.
    @Test func takesTheTagOfEitherFormForARevision() throws {
        let server = try TestServer()
        defer { server.end() }
        let target = "/api/v1/admin/roles"
        let coded = try server.admin(.owner, "GET", target, "Accept-Encoding: gzip")
        let opaque = try coded.etag().dropFirst().prefix { $0 != "-" && $0 != "\"" }
        let roles = #"{"items":[]}"#
        // nginx makes the tag weak when it compresses the response.
        for tag in ["\"\(opaque)\"", "\"\(opaque)-gzip\"", "W/\"\(opaque)\"", "W/\"\(opaque)-gzip\""] {
            #expect(try server.admin(.owner, "PUT", target, json: roles, "If-Match: \(tag)").status == 200, "\(tag)")
            try server.expectProblem(
                try server.admin(.owner, "PUT", target, json: roles, "If-None-Match: \(tag)"), .preconditionFailed)
        }
        try server.expectProblem(
            try server.admin(.owner, "PUT", target, json: roles, "If-Match: \"\(opaque)-br\""), .preconditionFailed)
    }

    @Test(arguments: [
        "catalogue/export?format=csv", "audit?format=csv", "crashes?format=csv", "dashboard?format=csv",
        "ranking?format=csv", "funnel?format=csv", "cohorts?format=csv", "series?figure=users&format=csv",
        "events/export?format=csv",
    ])
    func givesATableAByteOrderMarkOnDemand(_ target: String) throws {
        let server = try TestServer()
        defer { server.end() }
        func get(_ query: String) throws -> RawResponse {
            try server.admin(.owner, "GET", "/api/v1/admin/\(target)\(query)")
        }
        let (plain, marked) = (try get(""), try get("&bom=true"))
        #expect(plain.status == 200 && plain["Content-Type"]?.hasPrefix("text/csv") == true)
        #expect(marked.body == [0xEF, 0xBB, 0xBF] + plain.body)
        #expect(marked["ETag"] == nil || marked["ETag"] != plain["ETag"])
        #expect(try get("&bom=false").body == plain.body)
        #expect(try get("&bom=yes").status == 422)
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

    /// By slug, for scripts that know no ids.
    @Test func changesAnItemByItsSlugBehindAProxyThatMakesTagsWeak() throws {
        let server = try TestServer()
        defer { server.end() }
        let made = try server.admin(
            .editor, "POST", "/api/v1/admin/catalogue",
            json:
                #"""
                {"name":"Écho","slug":"echo","category":"news","typical_amount":"9.00","currency":"EUR",\#
                "billing_cycle":"monthly"}
                """#
        )
        #expect(made.status == 201)
        let target = "/api/v1/admin/catalogue/by-slug/echo"
        let tag = try server.admin(.editor, "GET", target).etag()
        let weak = "W/" + tag
        #expect(try server.admin(.editor, "GET", target, "If-Match: \(weak)").status == 200)
        let body = #"{"typical_amount":"29.00"}"#
        let changed = try server.admin(.editor, "PATCH", target, json: body, "If-Match: \(weak)")
        #expect(try changed.status == 200 && changed.json()["typical_amount"]?.stringValue == "29.00")
        try server.expectProblem(
            try server.admin(.editor, "PATCH", target, json: body, "If-Match: \(weak)"), .preconditionFailed)
        try server.expectProblem(try server.admin(.editor, "GET", target + "-2"), .notFound)
        #expect(try server.admin(.editor, "DELETE", target).status == 204)
        try server.expectProblem(try server.admin(.editor, "DELETE", target), .notFound)
    }
}
