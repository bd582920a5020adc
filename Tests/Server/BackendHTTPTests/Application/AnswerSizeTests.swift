import Foundation
import HTTPServer
import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

/// A response lists at most 100 faults and counts the others, so its size stays proportional to the request's.
@Suite struct AnswerSizeTests {
    /// Bytes that any response may have, in addition to ``bytesPerByte`` for each byte of the body as sent.
    private static let freeBytes = 32 << 10
    private static let bytesPerByte = 20

    private static func unknown(_ count: Int, _ value: String = "0") -> String {
        (0..<count).map { #""x\#($0)":\#(value)"# }.joined(separator: ",")
    }

    private static func list(_ count: Int, _ element: (Int) -> String) -> String {
        "[" + (0..<count).map(element).joined(separator: ",") + "]"
    }

    struct Door: CustomStringConvertible {
        var method = "POST"
        let target: String
        let body: String
        /// Total number of faults.
        let faults: Int

        var description: String { target }
    }

    private static let frames = list(40) { _ in "{\(unknown(140))}" }

    static let doors: [Door] = [
        // Without a limit, the response to a few KB of gzip was 54 MB.
        Door(
            target: "/api/v1/crashes",
            body: #"{"crashes":\#(list(20) { _ in #"{"frames":\#(frames)}"# })}"#,
            faults: 20 * (40 * 140 + 4)),
        Door(target: "/api/v1/crashes", body: #"{"sessions":\#(list(101) { _ in "0" })}"#, faults: 101),
        Door(target: "/api/v1/crashes", body: "{\(unknown(5000))}", faults: 5001),
        Door(target: "/api/v1/analytics", body: "{\(unknown(5000))}", faults: 5001),
        Door(
            target: "/api/v1/suggestions", body: #"{"suggestions":\#(list(100) { _ in "{\(unknown(150))}" })}"#,
            faults: 100 * 152),
        Door(target: "/api/v1/suggestions", body: "{\(unknown(300, #""\\u00e9""#))}", faults: 302),
        Door(target: "/api/v1/analytics/erasure", body: "{\(unknown(120))}", faults: 121),
        Door(target: "/api/v1/auth/apple", body: "{\(unknown(1000))}", faults: 1002),
        Door(target: "/api/v1/admin/catalogue", body: "{\(unknown(5000))}", faults: 5005),
        Door(
            target: "/api/v1/admin/catalogue", body: #"{"aliases":\#(list(9000) { _ in "0" })}"#, faults: 9006),
        Door(target: "/api/v1/admin/tokens", body: "{\(unknown(5000))}", faults: 5002),
        Door(
            method: "PUT", target: "/api/v1/admin/roles",
            body: #"{"items":\#(list(300) { #"{"name":"r\#($0)","permissions":\#(list(30) { _ in "0" })}"# })}"#,
            faults: 9000 + 300 + 1),
        Door(
            method: "PUT", target: "/api/v1/admin/roles", body: #"{"items":\#(list(9000) { _ in "0" })}"#,
            faults: 9001),
        Door(
            method: "PUT", target: "/api/v1/admin/alerts/thresholds",
            body: #"{"thresholds":\#(list(9000) { _ in "{}" })}"#,
            faults: 9001),
        Door(target: "/api/v1/admin/alerts/test", body: "{\(unknown(5000))}", faults: 5000),
        Door(
            target: "/api/v1/admin/suggestions/bulk",
            body: #"{"action":"reject","ids":\#(list(500) { _ in "0" })}"#, faults: 500),
        Door(
            target: "/api/v1/admin/catalogue/import", body: #"{"items":\#(list(3000) { _ in "{\(unknown(30))}" })}"#,
            faults: 3000 * 35),
        Door(target: "/api/v1/admin/catalogue/import", body: list(50_000) { _ in "0" }, faults: 50_000),
    ]

    @Test(arguments: doors) func namesAHundredFaultsAndCountsTheOthers(_ door: Door) throws {
        let server = try TestServer()
        defer { server.end() }
        let plain = HTTPCall(
            door.method, door.target, [try server.authorization(.owner)], json: door.body)
        for call in [plain, plain.gzipped()] {
            let sent = call.body?.count ?? 0
            // Skips larger bodies, which would only be rejected for their size.
            guard sent < 1 << 20, door.body.utf8.count < 100 * sent else { continue }
            let response = try server.exchange(call)
            let problem = try response.json()
            #expect(problem["code"]?.stringValue == "validation_failed", "\(response.text.prefix(500))")
            #expect(problem["errors"]?.arrayValue?.count == 100)
            #expect(problem["errors_omitted"]?.integerValue == Int64(door.faults - 100))
            let bound = Self.freeBytes + Self.bytesPerByte * sent
            #expect(response.body.count <= bound, "\(sent) bytes were answered with \(response.body.count)")
        }
    }

    @Test func boundsTheFaultsOfAQuery() throws {
        let server = try TestServer()
        defer { server.end() }
        let query = (0..<1000).map { "x\($0)" }.joined(separator: "&")
        let response = try server.get("/api/v1/catalogue?\(query)")
        let problem = try server.expectProblem(response, .validationFailed)
        #expect(problem["errors"]?.arrayValue?.count == 100)
        #expect(problem["errors_omitted"]?.integerValue == 900)
        // A character with 255 combining marks, and one with more.
        let marks = "a" + String(repeating: "%CC%81", count: 255)
        let error = try server.get("/api/v1/catalogue?\(marks)=1").json()["errors"]?[0]
        #expect((error?["pointer"]?.stringValue?.unicodeScalars.count ?? .max) <= 64)
        #expect(try server.get("/api/v1/catalogue?\(marks)%CC%81=1").status == 400)
    }

    @Test func boundsWhatIsSaidOfRejectedEvents() throws {
        let server = try TestServer()
        defer { server.end() }
        let numbers = Self.list(1000) { _ in "1" }
        let plain = HTTPCall("POST", "/api/v1/analytics", json: numbers)
        for call in [plain, plain.gzipped()] {
            let response = try server.exchange(call)
            #expect(response.status == 202)
            let answer = try response.json()
            let named = Int64(answer["rejected"]?.arrayValue?.count ?? 0)
            #expect(named >= 100)
            #expect(named + (answer["rejected_omitted"]?.integerValue ?? 0) == 1000)
            #expect(response.body.count <= Self.freeBytes + Self.bytesPerByte * (call.body?.count ?? 0))
            // Clients that count the results of their events find all of them.
            let object = try #require(answer.objectValue)
            #expect(try EventReceipt(object).count == 1000)
        }
        // Events of the usual size are all listed, also with gzip.
        let events = (0..<1000).map { number in
            var event = EventText(UInt64(number), "app_uninstalled")
            event.id = UUID().lowercased
            return event
        }
        let answer = try server.exchange(HTTPCall("POST", "/api/v1/analytics", json: events.text).gzipped()).json()
        #expect(answer["rejected"]?.arrayValue?.count == 1000)
        #expect(answer["rejected_omitted"] == nil)
    }

    @Test func boundsTheRowsOfADryRun() throws {
        let server = try TestServer()
        defer { server.end() }
        let fields = [try server.authorization(.editor), "Content-Type: application/json"]
        let rows = Self.list(5000) { _ in "{}" }
        let response = try server.exchange(
            HTTPCall("POST", "/api/v1/admin/catalogue/import?dry_run=true", fields, body: Array(rows.utf8)))
        let report = try response.json()
        #expect(report["rows"]?.integerValue == 5000)
        #expect(report["failed"]?.arrayValue?.count == 20, "five fields must be given")
        #expect(report["failed_omitted"]?.integerValue == 4980)
        #expect(report["errors_omitted"]?.integerValue == 24_900)
    }
}
