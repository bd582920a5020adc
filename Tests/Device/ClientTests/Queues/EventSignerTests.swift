import Cryptography
import Foundation
import JSONWire
import SubGuardClient
import SubGuardContract
import SubGuardDomain
import SubGuardEngine
import Testing

@Suite struct EventSignerTests {
    private static let secret = [UInt8](1...32)

    private func synchroniser(_ fixture: ClientFixture) throws -> Synchroniser {
        let signer = try #require(EventSigner("linux-1:" + Data(Self.secret).base64EncodedString()))
        return Synchroniser(
            store: fixture.store, server: fixture.server, account: nil,
            device: DeviceProperties(appVersion: "1.2.3", platform: "linux"),
            signer: signer)
    }

    private static func isSigned(_ request: TransportRequest, at seconds: Int64) -> Bool {
        guard let signature = request.fields["SubGuard-Signature"].flatMap({ IngestSignature($0) }),
            let body = request.body
        else { return false }
        let input = IngestSignature.input(seconds: seconds, bodyDigest: SHA256.hash(of: body))
        return signature.key == "linux-1" && signature.seconds == seconds
            && HMACKey(Self.secret).isValid(signature.code, for: input)
    }

    /// Accepts every event of a request.
    private static func accepted(_ request: TransportRequest) -> TransportAnswer {
        let events = (try? JSONValue.parse(request.body ?? []))?.objectValue?["events"]?.arrayValue ?? []
        return .json(#"{"accepted":\#(events.count),"duplicates":0,"rejected":[]}"#, status: 202)
    }

    @Test func signsEventsAndNothingElse() async throws {
        let fixture = try ClientFixture { request, _ in
            request.method == "GET" ? .problem(404, "not_found") : Self.accepted(request)
        }
        try fixture.store.analytics.recordOpening(at: fixture.moment)
        _ = try await synchroniser(fixture).run(at: fixture.moment)
        let events = fixture.transport.requests.filter { $0.url.hasSuffix("/analytics") }
        #expect(!events.isEmpty)
        #expect(events.allSatisfy { Self.isSigned($0, at: fixture.moment.now.secondsSinceEpoch) })
        let others = fixture.transport.requests.filter { !$0.url.hasSuffix("/analytics") }
        #expect(!others.isEmpty && others.allSatisfy { $0.fields["SubGuard-Signature"] == nil })
    }

    /// A device whose clock is wrong signs with the server's time.
    @Test func followsTheClockOfTheServer() async throws {
        let fixture = try ClientFixture { request, _ in
            if request.url.hasSuffix("/healthz") {
                return .json("{}", fields: ["date": "Fri, 20 Nov 2026 12:00:00 GMT"])
            }
            if request.method == "GET" { return .problem(404, "not_found") }
            return Self.isSigned(request, at: 1_795_176_000)
                ? Self.accepted(request) : .problem(401, "ingest_signature_expired")
        }
        try fixture.store.analytics.recordOpening(at: fixture.moment)
        let report = try await synchroniser(fixture).run(at: fixture.moment)
        #expect(report.parts.first { $0.name == .analytics }?.result == .done)
        #expect(fixture.transport.targets.count { $0.hasSuffix("/healthz") } == 1)
    }

    @Test(arguments: ["", "linux", "linux:", ":AAAA", "a b:AAAAAAAAAAAAAAAAAAAAAA==", "a:AAAA"])
    func refusesWhatIsNoKey(_ text: String) { #expect(EventSigner(text) == nil) }
}
