import Foundation
import JSONWire
import ServerAccess
import TestKit
import Testing

/// What the pages of a browser send for passkeys.
enum PasskeyForm {
    static let origin = "https://subguard.example"
    static let host = "subguard.example"

    static func withBrowser(_ role: Role, _ body: (ConsoleBrowser, TestServer) throws -> Void) throws {
        let server = try TestServer(settings: ["public_url": origin, "trusted_proxies": "127.0.0.1"])
        defer { server.end() }
        let browser = ConsoleBrowser(passkeysAt: server)
        try browser.signIn(try #require(server.tokens[role]))
        try body(browser, server)
    }

    /// An attribute of the form that asks the device.
    static func data(_ name: String, _ page: String) throws -> String {
        let parts = page.components(separatedBy: "data-\(name)=\"")
        return String(try #require(parts.count > 1 ? parts[1] : nil).prefix { $0 != "\"" })
    }

    static func text(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    static func bytes(_ text: String) throws -> [UInt8] {
        let padded = text + String(repeating: "=", count: (4 - text.count % 4) % 4)
        return Array(
            try #require(Data(base64Encoded: padded.replacing("-", with: "+").replacing("_", with: "/"))))
    }

    /// The answer to a challenge of a sign-in.
    static func signIn(_ device: SoftAuthenticator, _ challenge: String, origin: String = origin) throws -> String {
        let clientData = SoftAuthenticator.clientData("webauthn.get", challenge: challenge, origin: origin)
        device.signCount += 1
        let data = try device.data(host)
        return "next=/console/funnel&credential=\(text(device.credentialID))&client_data=\(text(clientData))"
            + "&authenticator_data=\(text(data))&signature=\(text(try device.signature(of: data, clientData)))"
            + "&user_handle=\(text(device.userHandle))"
    }
}

extension ConsoleBrowser {
    /// A browser at the public address, where passkeys are possible.
    convenience init(passkeysAt server: TestServer) {
        self.init(server)
        host = PasskeyForm.host
        fields += ["X-Forwarded-For: 192.0.2.9", "X-Forwarded-Proto: https"]
    }

    /// Sends the registration of a device; the form for its challenge must have been answered with `page`.
    func register(_ device: SoftAuthenticator, _ page: String) throws -> RawResponse {
        device.userHandle = try PasskeyForm.bytes(try PasskeyForm.data("user", page))
        let clientData = SoftAuthenticator.clientData(
            "webauthn.create", challenge: try PasskeyForm.data("challenge", page), origin: PasskeyForm.origin)
        let attestation = PasskeyForm.text(try device.attestation(PasskeyForm.host))
        return try post(
            "/console/access/passkeys/register",
            "name=%3Cb%3E+key&client_data=\(PasskeyForm.text(clientData))&attestation=\(attestation)")
    }

    /// Asks for the challenge of a sign-in.
    func passkeyChallenge() throws -> String {
        let response = try post("/console/login/challenge")
        #expect(response.status == 200 && response["Content-Type"] == "application/json")
        let object = try JSONValue.parse(Array(response.text.utf8)).objectValue
        #expect(object?["party"]?.stringValue == PasskeyForm.host)
        return try #require(object?["challenge"]?.stringValue)
    }

    func signIn(_ device: SoftAuthenticator, origin: String = PasskeyForm.origin) throws -> RawResponse {
        try post("/console/login/passkey", try PasskeyForm.signIn(device, try passkeyChallenge(), origin: origin))
    }
}
