import Cryptography
import Foundation
import HTTPServer
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing
import ZlibCoding

@testable import BackendHTTP

@Suite struct IngestSignatureTests {
    private static let target = "/api/v1/analytics"
    private static let old = Array("sixteen bytes ok".utf8)
    private static let new = [UInt8](0..<32)

    private func settings(_ mode: String) -> [String: String] {
        [
            "ingest_signatures": mode, "new_users_per_hour": "37500",
            "ingest_signing_keys":
                "ios-1.3:\(Data(Self.old).base64EncodedString()), ios-1.4:\(Data(Self.new).base64EncodedString())",
        ]
    }

    /// The signature header, computed as documented.
    private func field(
        _ body: [UInt8], key: String = "ios-1.4", secret: [UInt8] = new, seconds: Int64
    ) -> String {
        func hex(_ bytes: some Sequence<UInt8>) -> String { bytes.map { String(format: "%02x", $0) }.joined() }
        let text = "\(seconds).\(hex(SHA256.hash(of: body)))"
        let code = HMACKey(secret).code(for: text.utf8)
        return "SubGuard-Signature: key=\(key), t=\(seconds), v1=\(hex(code))"
    }

    private func post(_ server: TestServer, _ body: [UInt8], _ fields: String...) throws -> RawResponse {
        try server.exchange(
            HTTPCall("POST", Self.target, ["Content-Type: application/json"] + fields, body: body))
    }

    @Test func acceptsSignedAndUnsignedBatchesAndRefusesForgedOnes() throws {
        let server = try TestServer(settings: settings("accept"))
        defer { server.end() }
        let body = Array([EventText(1, user: 7)].text.utf8)
        let now = server.clock.now / 1000
        #expect(try post(server, body).status == 202)
        #expect(try post(server, body, field(body, seconds: now)).status == 202)
        #expect(try post(server, body, field(body, key: "ios-1.3", secret: Self.old, seconds: now)).status == 202)
        #expect(try post(server, body, field(body, seconds: now + 300)).status == 202)
        #expect(try post(server, body, field(body, seconds: now - 300)).status == 202)
        for seconds in [now + 301, now - 301, 0, .max] {
            try server.expectProblem(
                try post(server, body, field(body, seconds: seconds)), .ingestSignatureExpired)
        }
        let good = field(body, seconds: now)
        for bad in [
            field(body, secret: Self.old, seconds: now), field(body + [0x20], seconds: now),
            field(body, key: "ios-1.2", seconds: now), String(good.dropLast()) + "g", String(good.dropLast(2)),
            good + ", v2=1",
            good + ", t=\(now)", good.replacing("t=", with: "t=-"), "SubGuard-Signature:", good.uppercased(),
        ] {
            let answer = try post(server, body, bad)
            try server.expectProblem(answer, .ingestSignatureInvalid)
            #expect(answer["WWW-Authenticate"] == #"SubGuard-Signature realm="subguard""#)
        }
        try server.expectProblem(try post(server, body, good, good), .ingestSignatureInvalid)
    }

    @Test func signsTheBodyAsItIsSent() throws {
        let server = try TestServer(settings: settings("require"))
        defer { server.end() }
        let plain = Array([EventText(1)].text.utf8)
        let coded = try #require(Gzip.compress(plain))
        let now = server.clock.now / 1000
        let coding = "Content-Encoding: gzip"
        #expect(try post(server, coded, coding, field(coded, seconds: now)).status == 202)
        try server.expectProblem(
            try post(server, coded, coding, field(plain, seconds: now)), .ingestSignatureInvalid)
        try server.expectProblem(try post(server, coded, coding), .ingestSignatureRequired)
        // Rejected before the body is read: the client sends none of it.
        let client = try server.connect()
        try client.send(
            "POST \(Self.target) HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 900\r\n"
                + "Expect: 100-continue\r\n\r\n")
        #expect(try client.readResponse().status == 401)
    }

    @Test func signedBatchesMayBringMoreUsers() throws {
        let server = try TestServer(settings: settings("accept"))
        defer { server.end() }
        func batch(_ number: Int) -> [UInt8] {
            Array((0..<1000).map { EventText(UInt64(1000 * number + $0 + 1), user: 1000 * number + $0) }.text.utf8)
        }
        for number in 0..<5 { #expect(try post(server, batch(number)).status == 202) }
        let body = batch(5)
        #expect(try post(server, body).status == 429)
        #expect(try post(server, body, field(body, seconds: server.clock.now / 1000)).status == 202)
    }

    @Test func looksAtNothingWhileOff() throws {
        let server = try TestServer(settings: settings("off"))
        defer { server.end() }
        #expect(try post(server, Array([EventText(1)].text.utf8), "SubGuard-Signature: rubbish").status == 202)
    }

    @Test(arguments: [
        ("require", ""), ("accept", ""), ("off", "a"), ("off", "a:AAAA"), ("off", ":AAAAAAAAAAAAAAAAAAAAAA=="),
        ("off", "a:AAAAAAAAAAAAAAAAAAAAAA==,a:AAAAAAAAAAAAAAAAAAAAAA=="), ("always", "a:AAAAAAAAAAAAAAAAAAAAAA=="),
    ])
    func settingsNeedUsableKeys(_ mode: String, _ keys: String) {
        let flags = [("ingest_signatures", mode), ("ingest_signing_keys", keys)]
        #expect(throws: SettingsError.self) { try Settings(flags: flags, environment: [:], file: nil) }
    }
}
