import BackendHTTP
import Foundation
import JSONWire
import ServerAccess
import ServerContract
import SubGuardContract
import SubGuardDomain
import Telemetry
import TestKit
import Testing
import ZlibCoding

@Suite struct SymbolRouteTests {
    private static let list = "/api/v1/admin/crashes/symbols"
    private static let id = "5f3a1c9e-7b42-3d8a-9c01-2e4f6a8b0d13"
    private static let symbols = "0000000100000000 T __mh_execute_header\n0000000100002000 T _total\n"

    private func put(
        _ server: TestServer, _ target: String, _ body: [UInt8], _ fields: String..., role: Role = .owner
    ) throws -> RawResponse {
        try server.exchange(
            HTTPCall("PUT", target, [try server.authorization(role), "Content-Type: text/plain"] + fields, body: body))
    }

    private func report(_ server: TestServer, number: UInt64, offset: String) throws {
        let event = """
            {"event_id":"\(SentryID.text(makeID(number)))","timestamp":"\(server.now)","platform":"cocoa",
            "exception":{"values":[{"type":"SIGTRAP","stacktrace":{"frames":[{"function":"<redacted>",
            "package":"/a/Shop","image_addr":"0x100","instruction_addr":"\(offset)"}]}}]},
            "debug_meta":{"images":[{"debug_id":"\(Self.id)","image_addr":"0x100","image_size":65536,
            "code_file":"/a/Shop","arch":"arm64"}]}}
            """
        let response = try server.exchange(
            HTTPCall("POST", "/ingest/api/1/store/", ["X-Sentry-Auth: Sentry sentry_key=k1"], json: event))
        #expect(response.status == 200)
    }

    private func server() throws -> TestServer {
        try TestServer(settings: ["ingest_sentry_key": "k1", "ingest_project_id": "1"])
    }

    @Test func namesMergesAndParts() throws {
        let server = try server()
        defer { server.end() }
        try report(server, number: 1, offset: "0x2110")
        try report(server, number: 2, offset: "0x2120")
        let target = "\(Self.list)/\(Self.id.uppercased())"
        let answer = try put(server, target, Array(Self.symbols.utf8))
        #expect(answer.status == 200)
        let uploaded = try answer.json()
        #expect(uploaded["debug_id"]?.stringValue == Self.id)
        #expect(uploaded["groups_named"]?.integerValue == 2)
        #expect(uploaded["groups_merged"]?.integerValue == 1)
        #expect(uploaded["replaced"]?.boolValue == false)
        let groups = try server.admin(.analyst, "GET", "/api/v1/admin/crashes").items()
        #expect(groups.map { $0["culprit"]?.stringValue } == ["Shop in total"])
        let group = "/api/v1/admin/crashes/\(try #require(groups.first?["id"]?.stringValue))"
        let details = try server.admin(.analyst, "GET", group)
        let places = try details.json()["parts"]?.arrayValue?.map { $0.objectValue?["place"]?.stringValue }
        #expect(places == ["Shop +0x2010", "Shop +0x2020"])
        let files = try server.admin(.analyst, "GET", Self.list).items()
        #expect(files.map { $0["functions"]?.integerValue } == [1])
        #expect(files.first?["uploaded_by"]?.stringValue == "Zoë, owner")

        let stale = try server.admin(.owner, "POST", "\(group)/undo", "If-Match: \"0\"")
        try server.expectProblem(stale, .preconditionFailed)
        let tag = try #require(details["ETag"])
        #expect(try server.admin(.owner, "POST", "\(group)/undo", "If-Match: \(tag)").status == 200)
        try server.expectProblem(try server.admin(.owner, "POST", "\(group)/undo"), .conflict)
        #expect(try server.admin(.analyst, "GET", "/api/v1/admin/crashes").items().count == 2)

        #expect(try server.admin(.owner, "DELETE", target).status == 204)
        try server.expectProblem(try server.admin(.owner, "DELETE", target), .notFound)
    }

    @Test func takesWhatIsNeededAndNothingElse() throws {
        let server = try server()
        defer { server.end() }
        let target = "\(Self.list)/\(Self.id)"
        for role in [Role.analyst, .editor, .moderator] {
            try server.expectProblem(
                try put(server, target, Array(Self.symbols.utf8), role: role), .forbidden)
        }
        for (path, body, pointer) in [
            ("\(Self.list)/nonsense", Self.symbols, "debug_id"), ("\(target)?base=12", Self.symbols, "base"),
            (target, "nonsense\n", "#"), (target, "", "#"), (target, "{}", "#"),
            (target, "UUID: 00000000-0000-3000-8000-000000000001 (arm64) a\n" + Self.symbols, "#/debug_id"),
        ] {
            let problem = try server.expectProblem(try put(server, path, Array(body.utf8)), .validationFailed)
            #expect(problem["errors"]?.arrayValue?.strings("pointer") == [pointer], "\(path) \(body)")
        }
        #expect(try server.admin(.analyst, "GET", Self.list).items().isEmpty)
        let audit = try server.admin(.owner, "GET", "/api/v1/admin/audit").items()
        #expect(!audit.contains { $0["action"]?.stringValue?.hasPrefix("crash.") == true })
    }

    /// A body that passes through the sieve in many pieces, as sent and compressed.
    @Test(arguments: [false, true]) func takesLongLists(_ isCompressed: Bool) throws {
        let server = try server()
        defer { server.end() }
        var text = ""
        for number in 0..<60_000 {
            let address = String(0x1_0000_2000 + number * 16, radix: 16)
            text += "0000000\(address) T _function_\(number * 7919 % 60_000)\n"
        }
        let target = "\(Self.list)/\(Self.id)?name=Shop"
        let body = Array(text.utf8)
        let answer =
            isCompressed
            ? try put(server, target, try #require(Gzip.compress(body)), "Content-Encoding: gzip")
            : try put(server, target, body)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(try answer.json()["functions"]?.integerValue == 60_000)
        #expect(try answer.json()["bytes"]?.integerValue == Int64(body.count))
        try report(server, number: 1, offset: "0x" + String(0x100 + 0x2000 + 16 * 4321 + 5, radix: 16))
        let groups = try server.admin(.analyst, "GET", "/api/v1/admin/crashes").items()
        #expect(groups.first?["culprit"]?.stringValue == "Shop in function_\(4321 * 7919 % 60_000)")
        // A truncated body and one that fails at its end leave what is there.
        let bad = Array((text + "nonsense").utf8)
        try server.expectProblem(try put(server, target, bad), .validationFailed)
        let cut = Array(try #require(Gzip.compress(body)).dropLast(20))
        #expect(try put(server, target, cut, "Content-Encoding: gzip").status == 400)
        #expect(try server.admin(.analyst, "GET", Self.list).items().map { $0["functions"]?.integerValue } == [60_000])
    }

    /// Each upload holds memory for as long as its client sends, so there are few at a time.
    @Test func boundsUploadsAtATime() throws {
        let slots = UploadSlots()
        let tokens = (1...3).map { makeID($0) }
        var held = [try slots.take(for: tokens[0]), try slots.take(for: tokens[0]), try slots.take(for: tokens[1])]
        #expect(throws: (any Error).self) { try slots.take(for: tokens[0]) }
        held.append(try slots.take(for: tokens[2]))
        #expect(throws: (any Error).self) { try slots.take(for: tokens[1]) }
        held.removeFirst()
        held.append(try slots.take(for: tokens[0]))
        #expect(throws: (any Error).self) { try slots.take(for: nil) }
        held = []
        #expect(throws: Never.self) { try slots.take(for: nil) }
    }

    @Test func pagesShowNamesPartsAndSymbols() throws {
        let server = try server()
        defer { server.end() }
        try report(server, number: 1, offset: "0x2110")
        try report(server, number: 2, offset: "0x2120")
        let browser = ConsoleBrowser(server)
        try browser.signIn(try #require(server.tokens[.owner]))
        let page = "/console/crashes/symbols"
        #expect(try browser.get(page).text.contains("No symbols yet"))
        let target = "\(Self.list)/\(Self.id)?name=%3Cb%3EShop%26"
        #expect(try put(server, target, Array(Self.symbols.utf8)).status == 200)
        expect(try browser.get(page).text, contains: ["&lt;b&gt;Shop&amp;", Self.id, "\(page)/\(Self.id)/delete"])

        let listed = try server.admin(.owner, "GET", "/api/v1/admin/crashes").items()
        let group = "/console/crashes/\(try #require(listed.first?["id"]?.stringValue))"
        let shown = try browser.get(group).text
        expect(shown, contains: ["Shop in total", "Shop +0x2010", "Shop +0x2020", "Part them"])
        let revision = try #require(
            shown.components(separatedBy: "name=\"revision\" value=\"").last?.prefix { $0 != "\"" })
        let form = "idempotency_key=k&revision=\(revision)"
        #expect(try browser.post("\(group)/undo", "idempotency_key=k&revision=0").status == 412)
        #expect(try browser.submit("\(group)/undo", form).text.contains("The groups are parted."))
        #expect(!(try browser.get(group).text.contains("Part them")))

        #expect(try browser.get("\(page)/\(Self.id)/delete").text.contains("Remove these symbols?"))
        let removed = try browser.submit("\(page)/\(Self.id)/delete", "idempotency_key=r")
        #expect(removed.text.contains("The symbols of \(Self.id) are removed."))
        #expect(try browser.get(page + "?notice=removed.%3Cb%3E").text.contains("are removed") == false)
        #expect(try browser.get("\(page)/\(Self.id)/delete").status == 404)

        let reader = ConsoleBrowser(server)
        try reader.signIn(try #require(server.tokens[.analyst]))
        #expect(try reader.get(page).status == 200)
        #expect(try reader.get("\(page)/\(Self.id)/delete").status == 403)
        #expect(try reader.post("\(group)/undo", form).status == 403)
    }

    /// Devices get no name: neither in the answer to a report nor anywhere else.
    @Test func namesAreForAdministratorsOnly() throws {
        let server = try server()
        defer { server.end() }
        let symbols = "0000000100002000 T _quattordici\n"
        #expect(try put(server, "\(Self.list)/\(Self.id)", Array(symbols.utf8)).status == 200)
        try report(server, number: 1, offset: "0x2110")
        for operation in APIOperation.all where operation.method == .get && operation.permission == nil {
            let response = try server.exchange(HTTPCall("GET", AddressAndMethodTests.target(operation.path)))
            #expect(!response.text.contains("quattordici"), "\(operation)")
        }
    }
}
