import BackendHTTP
import Catalogue
import Foundation
import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

/// Import, export and logos.
@Suite struct CatalogueFileTests {
    private static let admin = "/api/v1/admin/catalogue"
    private static let csv = """
        name,slug,category,typical_amount,currency,billing_cycle,aliases
        "Ciné, “29”",cine-29,streaming,12.34,EUR,monthly,A|B\\|C
        Netflix,netflix,streaming,14.99,EUR,monthly,
        """

    private func send(_ server: TestServer, _ query: String, _ type: String, _ body: String) throws -> RawResponse {
        try server.exchange(
            HTTPCall(
                "POST", Self.admin + "/import" + query, [try server.authorization(.editor), "Content-Type: \(type)"],
                body: Array(body.utf8)))
    }

    @Test func importsCSVAfterADryRun() throws {
        let server = try TestServer()
        defer { server.end() }
        let dry = try send(server, "?dry_run=true", "text/csv", Self.csv).json()
        #expect(dry["applied"]?.boolValue == false)
        #expect((dry["inserted"]?.integerValue, dry["updated"]?.integerValue) == (1, 1))
        #expect(try server.get("/api/v1/catalogue?q=cine-29").items().isEmpty)
        let done = try send(server, "", "text/csv; charset=utf-8", Self.csv).json()
        #expect(done["applied"]?.boolValue == true)
        #expect(try server.get("/api/v1/catalogue?q=cine-29").items().first?["aliases"]?[1]?.stringValue == "B|C")
        let again = try send(server, "", "application/octet-stream", Self.csv).json()
        #expect(again["unchanged"]?.integerValue == 2)
        let imports = try server.admin(.moderator, "GET", Self.admin + "/imports").items()
        #expect(imports.strings("state") == ["done", "done", "done"])
        #expect(imports.allSatisfy { $0["percent"]?.integerValue == 100 })
    }

    @Test func readsNoFurtherThanTheRowsThatItTakes() throws {
        let server = try TestServer()
        defer { server.end() }
        let header = "name,slug,category,typical_amount,currency,billing_cycle,aliases\n"
        // A CSV file with too many rows is rejected as a whole, like JSON, not row by row.
        let file = header + String(repeating: "a\n", count: 100_001) + "\"never closed"
        try server.expectInvalid(try send(server, "?dry_run=true", "text/csv", file), [("#", "out_of_range")])
        let short = header + String(repeating: "a\n", count: 300)
        let problem = try send(server, "", "text/csv", short).json()
        #expect(problem["errors"]?.arrayValue?.count == 100)
        #expect(problem["errors_omitted"]?.integerValue == 200)
        #expect(try server.admin(.editor, "GET", Self.admin + "/imports").items().count == 1, "the other was no import")
    }

    @Test func namesWhatIsWrongAroundTheRows() throws {
        let server = try TestServer()
        defer { server.end() }
        for (file, faults) in [
            ("5", [("#", "invalid_type")]), ("[]", [("#", "out_of_range")]), ("{}", [("#/items", "required")]),
            (#"{"items":5}"#, [("#/items", "invalid_type")]), (#"{"items":null}"#, [("#/items", "required")]),
            (#"{"items":[],"x":1}"#, [("#/items", "out_of_range"), ("#/x", "unknown_field")]),
            (#"{"x":1,"sync_token":"a","next_cursor":null}"#, [("#/x", "unknown_field"), ("#/items", "required")]),
        ] {
            try server.expectInvalid(try send(server, "", "application/json", file), faults)
        }
        let rows = try send(server, "", "application/json", "[null,5]").json()["errors"]?.arrayValue ?? []
        #expect(rows.strings("pointer") == ["#/0", "#/1"] && rows.strings("code") == ["required", "invalid_type"])
    }

    @Test func makesAnExportOnceForARevision() throws {
        let server = try TestServer()
        defer { server.end() }
        func export() throws -> RawResponse { try server.admin(.editor, "GET", Self.admin + "/export?format=csv") }
        let first = try export()
        #expect(try export().body == first.body)
        _ = try send(server, "", "text/csv", Self.csv)
        #expect(try export().body != first.body)
        let moderator = try server.admin(.analyst, "GET", Self.admin + "/export?format=csv")
        #expect(moderator.status == 403, "what is remembered is for those alone who may read it")
    }

    @Test func namesEveryRowThatFailsAndWritesNothing() throws {
        let server = try TestServer()
        defer { server.end() }
        let bad = Self.csv + "\nX,x,pr!ss,1.234,EUR,monthly,\nY,y,press,1,EURO,often,\n"
        let revision = try CatalogueStore(context: server.outside.context).currentRevision()
        let refused = try send(server, "", "text/csv", bad)
        #expect(refused.status == 422)
        let problem = try refused.json()
        #expect(problem["code"]?.stringValue == "validation_failed")
        #expect(
            problem["errors"]?.arrayValue?.strings("pointer").prefix(2) == [
                "#/line/4/category", "#/line/4/typical_amount",
            ])
        #expect(problem["failed"]?.arrayValue?.compactMap { $0["row"]?.integerValue } == [4, 5])
        #expect(problem["failed"]?[1]?["errors"]?.arrayValue?.strings("code") == ["unknown_currency", "unknown_cycle"])
        #expect(try CatalogueStore(context: server.outside.context).currentRevision() == revision)
        let skipped = try send(server, "?skip_bad=true", "text/csv", bad).json()
        #expect(skipped["applied"]?.boolValue == true)
        #expect((skipped["inserted"]?.integerValue, skipped["failed"]?.arrayValue?.count) == (1, 2))
        try server.expectInvalid(
            try send(server, "", "text/csv", "name,slugs\n\"x"), [("#/line/1", "required")])
        try server.expectProblem(try send(server, "", "application/json", "[1,"), .malformedJSON)
        try server.expectProblem(try send(server, "", "text/plain", Self.csv), .unsupportedMediaType)
    }

    /// The same faults in the same two rows, sent as CSV, array and object, have the same codes and matching pointers.
    @Test func namesTheSameFaultsWhereTheyStand() throws {
        let server = try TestServer()
        defer { server.end() }
        let good = #"""
            {"name":"A","slug":"a","category":"press","typical_amount":"1","currency":"EUR","billing_cycle":"monthly"}
            """#
        let bad = #"""
            {"name":"B","slug":"B!","category":"press","typical_amount":"1","currency":"EURO","billing_cycle":"often",\#
            "notice_days":"x","aliases":["","b"]}
            """#
        let third = #"""
            {"slug":"c","category":"","typical_amount":"1.234","currency":"EUR","billing_cycle":"monthly",\#
            "aliases":[5,"ok"]}
            """#
        let list = "[\(good),\(bad),\(third)]"
        let csv = """
            name,slug,category,typical_amount,currency,billing_cycle,notice_days,aliases
            A,a,press,1,EUR,monthly,,
            B,B!,press,1,EURO,often,x,|b
            ,c,,1.234,EUR,monthly,,ok
            """
        let codes = [
            "unknown_cycle", "invalid_type", "unknown_currency", "invalid_format", "required", "duplicate", "required",
            "required", "too_many_decimals",
        ]
        let places = [
            "1/billing_cycle", "1/notice_days", "1/currency", "1/slug", "1/aliases/0", "1/aliases/1", "2/name",
            "2/category", "2/typical_amount",
        ]
        let inCSV = places.map { "#/line/" + ($0.hasPrefix("1") ? "3" : "4") + $0.dropFirst() }
        for (type, body, wanted) in [
            ("application/json", list, places.map { "#/" + $0 } + ["#/2/aliases/0"]),
            (
                "application/json", #"{"next_cursor":null,"items":\#(list)}"#,
                places.map { "#/items/" + $0 } + ["#/items/2/aliases/0"]
            ),
            ("text/csv", csv, inCSV),
        ] {
            for query in ["", "?dry_run=true"] {
                let answer = try send(server, query, type, body).json()
                let listed = answer["failed"]?.arrayValue?.flatMap { $0["errors"]?.arrayValue ?? [] } ?? []
                let errors = query.isEmpty ? answer["errors"]?.arrayValue ?? [] : listed
                for member in ["pointer", "code", "detail"] {
                    #expect(errors.strings(member) == listed.strings(member))
                }
                let found = zip(errors.strings("pointer"), errors.strings("code")).map { "\($0) \($1)" }
                let all = codes + (wanted.count > codes.count ? ["invalid_type"] : [])
                #expect(Set(found) == Set(zip(wanted, all).map { "\($0) \($1)" }))
                #expect(found.count == wanted.count)
            }
        }
    }

    /// PostgreSQL stores no NUL, and the slug of a row with few fields is looked up.
    @Test(arguments: ["s\0x", "\0", "netflix\0", "S!", "-"], ["", "?dry_run=true", "?mode=update"])
    func namesASlugThatNoItemCanHave(_ slug: String, _ query: String) throws {
        let server = try TestServer()
        defer { server.end() }
        let escaped = slug.replacing("\0", with: "\\u0000")
        let json = #"[{"slug":"netflix","typical_amount":"9.99"},{"slug":"\#(escaped)","typical_amount":"2.00"}]"#
        let csv = "slug,typical_amount\nnetflix,9.99\n\(slug),2.00\n"
        let wanted = query.contains("update") ? "not_found" : "invalid_format"
        for (type, body, pointer) in [("text/csv", csv, "#/line/3/slug"), ("application/json", json, "#/1/slug")] {
            let answer = try send(server, query, type, body)
            #expect(answer.status == (query.contains("dry") ? 200 : 422))
            let failed = try #require(try answer.json()["failed"]?.arrayValue)
            let faults = failed.first?["errors"]?.arrayValue?.filter { $0["pointer"]?.stringValue == pointer } ?? []
            #expect(failed.count == 1 && faults.strings("code") == [wanted])
            let skipped = try send(server, query.isEmpty ? "?skip_bad=true" : query + "&skip_bad=true", type, body)
            #expect(try skipped.json()["failed"]?.arrayValue?.count == 1)
        }
        let price = try server.get("/api/v1/catalogue?q=netflix").items().first?["typical_amount"]?.stringValue
        #expect((price == "9.99") == !query.contains("dry"))
    }

    @Test func namesASlugThatIsGivenTwice() throws {
        let server = try TestServer()
        defer { server.end() }
        for (rows, wanted) in [
            (["netflix,15,3", "netflix,16,"], ["#/line/3/slug duplicate"]),
            (
                ["netflix,15,3", "netflix,1.234,-1"],
                [
                    "#/line/3/notice_days out_of_range", "#/line/3/slug duplicate",
                    "#/line/3/typical_amount too_many_decimals",
                ]
            ),
        ] {
            let csv = (["slug,typical_amount,notice_days"] + rows).joined(separator: "\n")
            let errors = try send(server, "?mode=update", "text/csv", csv).json()["errors"]?.arrayValue ?? []
            #expect(zip(errors.strings("pointer"), errors.strings("code")).map { "\($0) \($1)" }.sorted() == wanted)
        }
    }

    @Test(arguments: ["csv", "json"]) func readsBackWhatItExports(_ format: String) throws {
        let server = try TestServer()
        defer { server.end() }
        let file = try server.admin(.moderator, "GET", Self.admin + "/export?format=\(format)")
        #expect(file["Content-Disposition"] == "attachment; filename=\"catalogue.\(format)\"")
        let text = String(decoding: try file.decodedBody(), as: UTF8.self)
        let type = format == "csv" ? "text/csv" : "application/json"
        let same = try send(server, "", type, text).json()
        #expect(same["unchanged"]?.integerValue == Int64(CatalogueDraft.starter.count))
        var setup = TestServer.Setup()
        setup.items = []
        let other = try TestServer(setup)
        defer { other.end() }
        #expect(try send(other, "", type, text).json()["inserted"]?.integerValue == Int64(CatalogueDraft.starter.count))
        let copy = try other.admin(.moderator, "GET", Self.admin + "/export?format=\(format)")
        #expect(String(decoding: try copy.decodedBody(), as: UTF8.self) == text)
    }

    @Test func keepsWhatAJSONFileDoesNotSpeakOf() throws {
        let server = try TestServer()
        defer { server.end() }
        let body = """
            {"items":[{"name":"Netflix","slug":"netflix","category":"streaming","typical_amount":"9.99",\
            "currency":"EUR",
            "billing_cycle":"monthly"},{"name":"X","colour":1}]}
            """
        let dry = try send(server, "?dry_run=true", "application/json", body).json()
        #expect(dry["updated"]?.integerValue == 1)
        #expect(dry["failed"]?[0]?["row"]?.integerValue == 2)
        _ = try send(server, "?skip_bad=true", "application/json", body)
        let item = try server.get("/api/v1/catalogue?q=netflix").items().first
        #expect(item?["aliases"]?[0]?.stringValue == "Netflix Premium")
        #expect(item?["typical_amount"]?.stringValue == "9.99")
    }

    // MARK: Logos

    @Test func takesALogoByItsContent() throws {
        let server = try TestServer()
        defer { server.end() }
        let target = "\(Self.admin)/\(try server.item("netflix").id.lowercased)/logo"
        let image = try RepositoryFile.logo(1)
        let fields = [try server.authorization(.editor), "Content-Type: image/x-icon; a=b"]
        let put = try server.exchange(HTTPCall("PUT", target, fields, body: image))
        #expect(put.status == 200)
        let path = try #require(try put.json()["logo_url"]?.stringValue)
        let logo = try server.get(path)
        #expect(try logo.body == ImageFile(image).bytes)
        #expect(image.count > logo.body.count, "its text was removed")
        #expect(logo["Content-Type"] == "image/png")
        #expect(logo["Cache-Control"] == "public, max-age=31536000, immutable")
        #expect(logo["X-Content-Type-Options"] == "nosniff")
        #expect(try server.get(path, "If-None-Match: \(try logo.etag())").status == 304)
        #expect(try server.exchange(HTTPCall("HEAD", path)).status == 200)
        // The same image is the same file and changes nothing.
        let tag = try put.etag()
        #expect(try server.exchange(HTTPCall("PUT", target, fields, body: image)).etag() == tag)
        #expect(try server.admin(.editor, "GET", Self.admin + "?has_logo=true").items().count == 1)
        try server.expectProblem(
            try server.admin(.editor, "DELETE", target, "If-Match: \"r1\""), .preconditionFailed)
        #expect(try server.admin(.editor, "DELETE", target).status == 204)
        #expect(try server.get(path).status == 200, "an undo may need it")
        let undone = try server.admin(
            .editor, "POST", "\(Self.admin)/\(try server.item("netflix").id.lowercased)/undo")
        #expect(try undone.json()["logo_url"]?.stringValue == path)
    }

    /// PostgreSQL stores logos in the database unless a folder is configured.
    @Test(arguments: [false, true])
    func liesWhereTheSettingSays(namesFolder: Bool) throws {
        let folder = try TemporaryFolder()
        let server = try TestServer(settings: namesFolder ? ["logo_folder": folder.file("mine")] : [:])
        defer { server.end() }
        let target = "\(Self.admin)/\(try server.item("netflix").id.lowercased)/logo"
        let put = try server.exchange(
            HTTPCall(
                "PUT", target, [try server.authorization(.editor), "Content-Type: image/png"],
                body: try RepositoryFile.logo(1)))
        let path = try #require(try put.json()["logo_url"]?.stringValue)
        #expect(try server.get(path).body == ImageFile(RepositoryFile.logo(1)).bytes)
        let isInDatabase = TestDatabase.chosen == .postgres && !namesFolder
        #expect(try LogoTable(store: server.outside.context.store).names().count == (isInDatabase ? 1 : 0))
        #expect(try LogoFolder(path: folder.file("mine")).names().count == (namesFolder ? 1 : 0))
    }

    @Test func refusesWhatIsNoLogoAndLeavesNoFile() throws {
        let server = try TestServer()
        defer { server.end() }
        let target = "\(Self.admin)/\(try server.item("netflix").id.lowercased)/logo"
        let fields = [try server.authorization(.editor), "Content-Type: image/png"]
        for number in [16, 17] {
            try server.expectProblem(
                try server.exchange(HTTPCall("PUT", target, fields, body: try RepositoryFile.logo(number))),
                .unsupportedMediaType)
        }
        for (number, code) in [(3, "out_of_range"), (5, "invalid_format"), (10, "invalid_format")] {
            try server.expectInvalid(
                try server.exchange(HTTPCall("PUT", target, fields, body: try RepositoryFile.logo(number))),
                [("#", code)])
        }
        try server.expectProblem(
            try server.exchange(
                HTTPCall("PUT", target, fields, body: [UInt8](repeating: 0x89, count: ImageFile.limitBytes))),
            .bodyTooLarge)
        try server.expectProblem(
            try server.exchange(
                HTTPCall(
                    "PUT", "\(Self.admin)/\(makeID(404).lowercased)/logo", fields, body: try RepositoryFile.logo(0))),
            .notFound)
        #expect(try server.outside.logos.names().isEmpty)
        for name in ["x", "../store.sqlite", "%2e%2e%2fstore.sqlite", String(repeating: "0", count: 64) + ".png"] {
            #expect([400, 404].contains(try server.get("/logos/\(name)").status))
        }
    }

    @Test func collectsAFileThatNobodyShows() throws {
        let server = try TestServer()
        defer { server.end() }
        let target = "\(Self.admin)/\(try server.item("netflix").id.lowercased)/logo"
        let fields = [try server.authorization(.editor), "Content-Type: application/octet-stream"]
        for number in [0, 1] {
            #expect(
                try server.exchange(HTTPCall("PUT", target, fields, body: try RepositoryFile.logo(number))).status
                    == 200)
        }
        let collector = LogoCollector(context: server.outside.context, contents: server.outside.logos)
        #expect(try collector.run() == 0)
        server.clock.advance(by: .seconds(Int64(LogoCollector.graceDays) * 86_400 + 1))
        #expect(try collector.run() == 1)
        #expect(try server.outside.logos.names().count == 1)
        #expect(
            try server.get(
                try #require(try server.get("/api/v1/catalogue?q=netflix").items()[0]["logo_url"]?.stringValue)
            ).status == 200)
    }
}
