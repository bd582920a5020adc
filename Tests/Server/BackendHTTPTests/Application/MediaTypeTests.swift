import HTTPServer
import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing
import ZlibCoding

/// 415, and the accepted types and codings.
@Suite struct MediaTypeTests {
    private static let refusedTypes = [
        "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonx",
        "application/problem", "text/json", "json", "text/x+json",
        "application/json; charset=latin1", "application/json;v=1; Charset = \"utf-16\"",
        "application/vnd.subguard.v1+json; charset=utf-8; charset=ascii", "application/json; charset=",
    ]
    private static let acceptedTypes = [
        "application/json", "Application/JSON; Charset=\"utf-8\"", "application/vnd.subguard.v1+json",
        "application/json;charset=utf-8", "application/json; v=1; charset = UTF-8 ; profile=\"x\"",
        "application/json; v",
    ]

    @Test func refusesOtherMediaTypes() throws {
        let server = try TestServer()
        defer { server.end() }
        for (call, _) in try Self.calls(server) {
            for type in Self.refusedTypes {
                var refused = call
                refused.fields.append("Content-Type: \(type)")
                try server.expectProblem(try server.exchange(refused), .unsupportedMediaType)
            }
        }
    }

    @Test func takesJSONUnderItsNames() throws {
        let server = try TestServer()
        defer { server.end() }
        for (call, status) in try Self.calls(server) {
            #expect(try server.exchange(call).status == status)
        }
        for type in Self.acceptedTypes {
            var call = try Self.calls(server)[0].call
            call.fields.append("Content-Type: \(type)")
            #expect(try server.exchange(call).status == 202, "\(type)")
        }
        var latin = try Self.calls(server)[0].call
        latin.fields.append("Content-Type: application/json; charset=latin1")
        let refused = try server.exchange(latin)
        expect(try refused.json()["detail"]?.stringValue ?? "", contains: ["charset", "utf-8"])
        #expect(refused["Accept"] == "application/json")
    }

    /// A page of another site can omit the type in a request without a preflight.
    @Test func refusesABodyOfNoTypeOrOfTwo() throws {
        let server = try TestServer()
        defer { server.end() }
        for (call, _) in try Self.calls(server) {
            var bare = call
            bare.declaresJSON = false
            let refused = try server.exchange(bare)
            let problem = try server.expectProblem(refused, .unsupportedMediaType)
            expect(problem["detail"]?.stringValue ?? "", contains: ["application/json"])
            #expect(refused["Accept"] == "application/json")
            bare.fields += ["Content-Type: application/json", "Content-Type: text/plain"]
            try server.expectProblem(try server.exchange(bare), .unsupportedMediaType)
            bare.fields = call.fields + ["Content-Type: application/json, text/plain"]
            try server.expectProblem(try server.exchange(bare), .unsupportedMediaType)
        }
    }

    @Test func refusesOtherCodings() throws {
        let server = try TestServer()
        defer { server.end() }
        for (call, _) in try Self.calls(server) {
            for coding in ["zstd", "br, br", "compress", "gzip, gzip", "gzip, deflate", "gzipp"] {
                let refused = try server.exchange(call.coded(as: coding) { Gzip.compress($0) })
                try server.expectProblem(refused, .unsupportedContentCoding)
                #expect(refused["Accept-Encoding"] == "gzip, deflate, br")
            }
        }
    }

    @Test func undoesGzipDeflateAndBrotli() throws {
        let server = try TestServer()
        defer { server.end() }
        for (coding, code) in [
            ("gzip", { Gzip.compress($0) }), ("x-gzip", { Gzip.compress($0) }), ("GZIP", { Gzip.compress($0) }),
            ("deflate", { StoredDeflate.zlib($0) }), ("deflate", { StoredDeflate.raw($0) }), ("identity", { $0 }),
            ("br", { $0.isEmpty ? [3] : $0.storedBrotli }),
            ("identity, gzip", { Gzip.compress($0) }),
        ] as [(String, ([UInt8]) -> [UInt8]?)] {
            for (call, status) in try Self.calls(server) {
                let response = try server.exchange(call.coded(as: coding, code))
                // A second insert of the same slug is accepted as a body and fails with a conflict.
                #expect([status, 409].contains(response.status), "\(coding): \(response.text)")
            }
        }
    }

    @Test func refusesBodiesThatAreNotInTheirCoding() throws {
        let server = try TestServer()
        defer { server.end() }
        for (call, _) in try Self.calls(server) {
            let zipped = try #require(Gzip.compress(call.body ?? []))
            for (coding, body) in [
                ("gzip", call.body ?? []), ("gzip", Array(zipped.dropLast())), ("gzip", zipped + [0]),
                ("gzip", zipped + zipped), ("deflate", [0x78, 0x9C]), ("gzip", []), ("br", zipped), ("br", []),
                ("br", Array((call.body ?? [1]).storedBrotli.dropLast())),
            ] {
                var broken = call.coded(as: coding) { _ in body }
                broken.fields.append("Content-Type: application/json")
                try server.expectProblem(try server.exchange(broken), .malformedRequest)
            }
        }
    }

    /// A valid request for each call with a body, without a media type, and its status.
    private static func calls(_ server: TestServer) throws -> [(call: HTTPCall, status: Int)] {
        let admin = [try server.authorization(.owner)]
        let event = EventText(1).text
        return [
            (bare("POST", "/api/v1/suggestions", [], #"{"id":"\#(makeID(1).lowercased)","name":"Ciné"}"#), 202),
            (bare("POST", "/api/v1/analytics", [], "[\(event)]"), 202),
            (
                bare(
                    "POST", "/api/v1/admin/catalogue", admin,
                    """
                    {"name":"Été","category":"press","typical_amount":"12.34","currency":"EUR",\
                    "billing_cycle":"monthly"}
                    """), 201
            ),
            (
                bare(
                    "PATCH", "/api/v1/admin/catalogue/\(try server.item("netflix").id.lowercased)", admin,
                    #"{"name":"Netflix é"}"#), 200
            ),
        ]
    }

    private static func bare(_ method: String, _ target: String, _ fields: [String], _ text: String) -> HTTPCall {
        HTTPCall(method, target, fields, body: Array(text.utf8))
    }
}
