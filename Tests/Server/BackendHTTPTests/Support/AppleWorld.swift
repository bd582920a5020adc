import BackendHTTP
import JSONWire
import SubGuardDomain
import TestKit
import Testing

/// A server with a simulated Apple and App Store.
final class AppleWorld: Sendable {
    /// Shared, because generating keys is slow.
    static let issuer = Result { try AppleIssuer(keyID: "KEY-1") }

    let server: TestServer
    let keys: KeyServer
    let signer: AppStoreSigner
    let sample: StoreSample
    private let folder: TemporaryFolder

    init(settings: [String: String] = [:], logsErrors: Bool = false) throws {
        folder = try TemporaryFolder()
        let now = try instant("2026-11-20T10:00:00Z").secondsSinceEpoch
        keys = try KeyServer(AppleIssuer.keySet([try Self.issuer.get().publicKey()]))
        signer = try AppStoreSigner(now: now)
        sample = StoreSample(now: now)
        let root = try folder.write(signer.rootPEM, to: "root.pem")
        var setup = TestServer.Setup()
        setup.logsErrors = logsErrors
        setup.settings = [
            "apple_client_ids": "app.example.subguard,app.example.web", "apple_keys_url": keys.url,
            "app_store_bundle_id": "app.example.subguard", "app_store_root_certificates": root,
            "rate_limit_enabled": "false",
        ].merging(settings) { $1 }
        server = try TestServer(setup)
    }

    func end() {
        server.end()
        keys.close()
    }

    var seconds: Int64 { server.clock.now / 1000 }

    func identityToken(_ subject: String = "001.zoe", nonce: String) throws -> String {
        try Self.issuer.get().token(AppleIssuer.claims(subject: subject, nonce: nonce, issuedAt: seconds))
    }

    func signInAnswer(_ subject: String = "001.zoe", nonce: String) throws -> RawResponse {
        try server.post(
            "/api/v1/auth/apple",
            #"{"identity_token":"\#(try identityToken(subject, nonce: nonce))","nonce":"\#(nonce)"}"#)
    }

    /// The tokens of a new session.
    func signIn(_ subject: String = "001.zoe", nonce: String) throws -> (access: String, refresh: String) {
        try tokens(signInAnswer(subject, nonce: nonce))
    }

    func tokens(_ answer: RawResponse) throws -> (access: String, refresh: String) {
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer["Cache-Control"] == "no-store")
        let json = try answer.json()
        #expect(json.names == ["access_token", "refresh_token", "expires_in", "token_type"])
        #expect(json["expires_in"]?.integerValue == 3600)
        #expect(json["token_type"]?.stringValue == "Bearer")
        return (
            try #require(json["access_token"]?.stringValue), try #require(json["refresh_token"]?.stringValue)
        )
    }

    func refresh(_ token: String) throws -> RawResponse {
        try server.post("/api/v1/auth/refresh", #"{"refresh_token":"\#(token)"}"#)
    }

    func call(_ method: String, _ target: String, _ access: String, json: String? = nil) throws -> RawResponse {
        try server.exchange(HTTPCall(method, target, ["Authorization: Bearer \(access)"], json: json))
    }
}
