import BackendHTTP
import Foundation
import JSONWire
import ServerAccess
import TestKit
import Testing

/// A server whose console people can sign in to with a provider of the test.
struct OpenIDWorld {
    /// Shared, because generating keys is slow.
    static let first = Result { try AppleIssuer(keyID: "KEY-1") }
    static let second = Result { try AppleIssuer(keyID: "KEY-1") }

    let provider: OpenIDServer
    let server: TestServer
    let browser: ConsoleBrowser

    static func with(_ settings: [String: String] = [:], _ body: (OpenIDWorld) throws -> Void) throws {
        let provider = try OpenIDServer(try Self.first.get())
        defer { provider.close() }
        let server = try TestServer(
            settings: [
                "oidc_issuer": provider.url, "oidc_client_id": "console", "oidc_client_secret": "s3cret:/+ é",
                "oidc_name": "Höme <ID>", "oidc_roles": "group:admins=owner, mail:ANN@example.com=analyst",
                "public_url": "http://localhost", "alerts_allow_private_targets": "true",
            ].merging(settings) { $1 })
        defer { server.end() }
        try body(OpenIDWorld(provider: provider, server: server, browser: ConsoleBrowser(server)))
    }

    var seconds: Int64 { server.clock.now / 1000 }

    /// The address of the provider that the button leads to.
    func begin(_ browser: ConsoleBrowser, _ query: String = "") throws -> String {
        let response = try browser.get("/console/oidc\(query)", "Sec-Fetch-Site: same-origin")
        #expect(response.status == 303)
        return try #require(response["Location"])
    }

    /// The target that the provider sends the browser to.
    func callback(_ browser: ConsoleBrowser, _ query: String = "") throws -> String {
        try #require(provider.authorize(try begin(browser, query), at: seconds))
    }

    func signIn(_ query: String = "") throws -> RawResponse {
        try browser.get(try callback(browser, query), "Sec-Fetch-Site: cross-site")
    }

    func audit(_ action: String) throws -> [JSONValue] {
        try server.admin(.owner, "GET", "/api/v1/admin/audit?action=\(action)&limit=100").items()
    }

    func expectRefused(_ response: RawResponse, _ comment: Comment? = nil) {
        #expect(response.status == 403, comment)
        #expect(browser.session == nil, comment)
        expect(response.text, contains: ["role=\"alert\"", "/console/oidc"])
    }
}
