import Foundation
import JSONWire
import ServerAccess
import SubGuardDomain
import TestKit
import Testing

extension ConsoleBrowser {
    /// Runs a test with a server that has these suggestions and a browser that is signed in. The body gets their ids,
    /// in the order of the names.
    static func withSuggestions(
        _ names: [String], role: Role = .moderator, _ body: (ConsoleBrowser, TestServer, [String]) throws -> Void
    ) throws {
        let server = try TestServer()
        defer { server.end() }
        for (number, name) in names.enumerated() {
            let json = JSONObject([("id", .string(makeID(UInt64(number + 1)).lowercased)), ("name", .string(name))])
            let text = String(decoding: JSONValue.object(json).serialized(), as: UTF8.self)
            #expect(try server.post("/api/v1/suggestions", text).status < 300)
        }
        let listed = try server.admin(.owner, "GET", "/api/v1/admin/suggestions?sort=-last_seen_at").items()
        let ids = try names.map { name in
            try #require(listed.first { $0["name"]?.stringValue == name }?["id"]?.stringValue)
        }
        let browser = ConsoleBrowser(server)
        try browser.signIn(try #require(server.tokens[role]))
        try body(browser, server, ids)
    }
}

extension TestServer {
    /// Nil for a suggestion that is gone.
    func suggestionStatus(_ id: String) throws -> String? {
        try admin(.owner, "GET", "/api/v1/admin/suggestions?status=all").items()
            .first { $0["id"]?.stringValue == id }?["status"]?.stringValue
    }
}
