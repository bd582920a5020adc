import BackendHTTP
import Catalogue
import JSONWire
import ServerAccess
import ServerContract
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

/// Requests that a page of another site could make a browser send, to every route.
@Suite struct ForeignPageTests {
    /// The types that a form, or a script without a preflight request, can send; an empty string means no type.
    private static let formTypes = [
        "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain",
        "text/plain; application/json", "TEXT/PLAIN", "",
    ]
    private static let writes = APIOperation.all.filter(\.isWrite)

    /// A form can send this JSON body, because it contains `=`.
    private static func call(_ route: APIOperation, _ fields: [String], type: String) -> HTTPCall {
        var call = HTTPCall(
            route.method.rawValue, AddressAndMethodTests.target(route.path), fields,
            body: Array(#"{"ids":[],"name":"é =","x=":1}"#.utf8))
        call.declaresJSON = false
        if !type.isEmpty { call.fields.append("Content-Type: \(type)") }
        return call
    }

    @Test func refusesAFormAtEveryRouteThatTakesABody() throws {
        let world = try AppleWorld()
        defer { world.end() }
        let session = "Authorization: Bearer \(try world.signIn(nonce: "n-1").access)"
        let owner = try world.server.authorization(.owner)
        let before = try Self.state(world.server)
        #expect(Self.writes.count > 25)
        for route in Self.writes {
            let fields = route.needsSession ? [session] : route.needsToken ? [owner] : []
            for type in Self.formTypes {
                let response = try world.server.exchange(Self.call(route, fields, type: type))
                if route.bodyTypes == .any {
                    // The content determines the type of a logo; this content is not an image.
                    #expect((response.status == 415) == (route == .putCatalogueLogo), "\(route) \(type)")
                } else {
                    try world.server.expectProblem(response, .unsupportedMediaType)
                    expect(response["Accept"] ?? "", contains: [route.bodyTypes.names[0]])
                }
            }
        }
        #expect(try Self.state(world.server) == before)
        // The session still exists: neither signing out nor erasing was carried out.
        #expect(try world.server.get("/api/v1/premium", session).status == 200)
    }

    @Test func refusesPagesOfOtherOrigins() throws {
        let world = try AppleWorld()
        defer { world.end() }
        let session = "Authorization: Bearer \(try world.signIn(nonce: "n-1").access)"
        let owner = try world.server.authorization(.owner)
        let before = try Self.state(world.server)
        for route in Self.writes where route.needsCredentials {
            let credentials = route.needsSession ? session : owner
            for site in ["cross-site", "same-site", "Cross-Site", "", "none, cross-site", "x"] {
                let call = HTTPCall(
                    route.method.rawValue, AddressAndMethodTests.target(route.path),
                    [credentials, "Sec-Fetch-Site: \(site)"])
                try world.server.expectProblem(try world.server.exchange(call), .crossSite)
            }
        }
        #expect(try Self.state(world.server) == before)
        #expect(try world.server.get("/api/v1/premium", session, "Sec-Fetch-Site: cross-site").status == 200)
        for site in ["same-origin", "none", "Same-Origin"] {
            let target = "/api/v1/admin/suggestions/\(makeID(404).lowercased)/reject"
            try world.server.expectProblem(
                try world.server.admin(.owner, "POST", target, "Sec-Fetch-Site: \(site)"), .notFound)
        }
    }

    /// Preflight requests are not granted, so the browser of another site's page sends nothing. The doors of SDKs are
    /// for the pages of the operator's apps (CrossOriginTests).
    @Test func grantsNoPreflightRequest() throws {
        let server = try TestServer()
        defer { server.end() }
        for route in APIOperation.all where ![.sentryEnvelope, .sentryStore, .postHogBatch].contains(route) {
            let answer = try server.exchange(
                HTTPCall(
                    "OPTIONS", AddressAndMethodTests.target(route.path),
                    [
                        "Origin: https://example.com", "Access-Control-Request-Method: \(route.method.rawValue)",
                        "Access-Control-Request-Headers: authorization, content-type",
                    ]))
            #expect(answer.status == 204)
            let names = answer.fields.map { $0.name.lowercased() }.filter { $0.hasPrefix("access-control-") }
            #expect(names == [], "\(route)")
        }
    }

    /// A script may call without a body, as with `curl --request POST`, because no page can add the token.
    @Test func takesACallWithoutABodyUnderAToken() throws {
        let server = try TestServer()
        defer { server.end() }
        let item = "/api/v1/admin/catalogue/\(try server.item("netflix").id.lowercased)"
        #expect(try server.admin(.owner, "PATCH", item, json: #"{"notice_days":30}"#).status == 200)
        for fields in [[], ["Content-Length: 0"], ["Content-Type: text/plain", "Content-Length: 0"]] {
            let call = HTTPCall("POST", item + "/undo", fields + [try server.authorization(.owner)])
            #expect(try server.exchange(call).status == 200, "\(fields)")
        }
        #expect(try server.admin(.owner, "POST", "/api/v1/admin/alerts/test").status != 415)
        #expect(try server.admin(.owner, "DELETE", item).status == 204)
    }

    /// Success, 304 and every kind of error.
    @Test func letsNoCacheKeepAndNoBrowserGuessAnAnswerWithCredentials() throws {
        let world = try AppleWorld()
        defer { world.end() }
        let server = world.server
        let session = "Authorization: Bearer \(try world.signIn(nonce: "n-1").access)"
        var statuses: Set<Int> = []
        func expectConfidential(_ response: RawResponse, _ route: APIOperation) {
            statuses.insert(response.status)
            #expect(response.values(of: "X-Content-Type-Options") == ["nosniff"], "\(route) \(response.status)")
            #expect(response.values(of: "Cache-Control") == ["no-store"], "\(route) \(response.status)")
        }
        for route in APIOperation.all where route.needsCredentials {
            let target = AddressAndMethodTests.target(route.path)
            let credentials = route.needsSession ? session : try server.authorization(.owner)
            let body = route.refusesBody ? "{}" : route.isWrite ? #"{"name":"Été"}"# : nil
            for fields in [[credentials], [], [credentials, credentials], ["Authorization: Bearer x"]] {
                expectConfidential(
                    try server.exchange(HTTPCall(route.method.rawValue, target, fields, json: body)), route)
            }
            expectConfidential(try server.exchange(HTTPCall("BREW", target, [credentials])), route)
            guard !route.isWrite else { continue }
            let whole = try server.get(target, credentials, "Accept-Encoding: gzip")
            expectConfidential(whole, route)
            expectConfidential(try server.exchange(HTTPCall("HEAD", target, [credentials])), route)
            expectConfidential(try server.get(target + "?no=such", credentials), route)
            guard let tag = whole["ETag"] else { continue }
            let same = try server.get(target, credentials, "Accept-Encoding: gzip", "If-None-Match: \(tag)")
            #expect(same.status == 304, "a script with the tag need not read it again: \(route)")
            expectConfidential(same, route)
        }
        let target = "/api/v1/admin/catalogue"
        for format in ["csv", "json"] {
            expectConfidential(try server.admin(.owner, "GET", "\(target)/export?format=\(format)"), .exportCatalogue)
        }
        let merged = try server.item("disney-plus").id.lowercased
        let merge = "\(target)/\(try server.item("netflix").id.lowercased)/merge"
        expectConfidential(
            try server.admin(.owner, "POST", merge, json: #"{"duplicate_ids":["\#(merged)"]}"#), .mergeCatalogueItems)
        expectConfidential(try server.admin(.owner, "GET", "\(target)/\(merged)"), .adminCatalogueItem)
        for replay in [nil, "true"] {
            let item = #""category":"press","typical_amount":"12.34","currency":"EUR","billing_cycle":"monthly""#
            let made = try server.admin(
                .owner, "POST", target, json: #"{"name":"Été 29",\#(item)}"#, "Idempotency-Key: once")
            #expect(made["Idempotency-Replayed"] == replay)
            expectConfidential(made, .createCatalogueItem)
        }
        #expect(statuses.isSuperset(of: [200, 201, 204, 301, 304, 400, 401, 404, 422, 501]), "\(statuses.sorted())")
    }

    /// Responses that devices may cache are unchanged.
    @Test func leavesPublicAnswersToCaches() throws {
        let server = try TestServer()
        defer { server.end() }
        for target in ["/api/v1/catalogue", "/api/v1/catalogue/search?q=net", "/api/v1/openapi.json"] {
            let answer = try server.get(target)
            #expect(answer.values(of: "Cache-Control").count == 1)
            expect(answer["Cache-Control"] ?? "", contains: ["public"])
        }
    }

    private static func state(_ server: TestServer) throws -> [Int64] {
        let rows = try AuditLog(context: server.outside.context).list(after: nil, limit: 1)
        return [try CatalogueStore(context: server.outside.context).currentRevision(), rows.first?.sequence ?? 0]
    }
}
