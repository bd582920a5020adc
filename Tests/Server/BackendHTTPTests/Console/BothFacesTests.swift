import Foundation
import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

/// The API and the console's forms call the same functions: one kind of change has one audit row, the same faults, and
/// needs the same permission, whichever face it comes from.
@Suite struct BothFacesTests {
    struct Change: Sendable, CustomTestStringConvertible {
        let method: String
        /// `ID` stands for the item.
        let path: String
        let json: String
        let page: String
        let form: String
        /// The role that may not do it.
        let stranger: Role
        let status: Int
        var testDescription: String { "\(method) \(path) \(json)" }
    }

    private static let item =
        "name=Caf%C3%A9+%22TV%22&slug=cafe-tv&category=streaming&currency=EUR&billing_cycle=monthly"
        + "&typical_amount="
    private static let itemJSON = #""name":"Café \"TV\"","slug":"cafe-tv","category":"streaming","currency":"EUR""#

    static let changes = [
        Change(
            method: "POST", path: "/api/v1/admin/catalogue",
            json: "{\(itemJSON),\"typical_amount\":\"12.34\",\"billing_cycle\":\"monthly\"}",
            page: "/console/catalogue/new",
            form: itemForm(item + "12.34&idempotency_key=k"), stranger: .analyst, status: 201),
        Change(
            method: "PATCH", path: "/api/v1/admin/catalogue/ID", json: #"{"typical_amount":"12.34"}"#,
            page: "/console/catalogue/ID",
            form: itemForm(
                "name=Netflix&slug=netflix&category=streaming&typical_amount=12,34&currency=EUR&billing_cycle=monthly"
                    + "&aliases=Netflix+Premium&revision=REVISION"),
            stranger: .analyst, status: 200),
        Change(
            method: "DELETE", path: "/api/v1/admin/catalogue/ID", json: "", page: "/console/catalogue/ID/delete",
            form: "revision=REVISION", stranger: .analyst, status: 204),
        Change(
            method: "POST", path: "/api/v1/admin/tokens", json: #"{"name":"n","role":"analyst"}"#,
            page: "/console/access", form: "idempotency_key=k&name=n&role=analyst", stranger: .editor, status: 201),
    ]

    @Test(arguments: changes) func aChangeHasOneAuditRowFromEitherFace(_ change: Change) throws {
        let rows = try [false, true].map { isForm in
            let server = try TestServer()
            defer { server.end() }
            let netflix = try server.item("netflix")
            func filled(_ text: String) -> String {
                text.replacing("ID", with: netflix.id.lowercased).replacing("REVISION", with: "\(netflix.revision)")
            }
            let before = try server.admin(.owner, "GET", "/api/v1/admin/audit").items().count
            if isForm {
                let browser = ConsoleBrowser(server)
                try browser.signIn(try #require(server.tokens[.owner]))
                // Sent twice, it is done once.
                for _ in 0..<2 {
                    #expect([200, 303].contains(try browser.post(filled(change.page), filled(change.form)).status))
                }
            } else {
                let json = change.json.isEmpty ? nil : change.json
                #expect(
                    try server.admin(.owner, change.method, filled(change.path), json: json).status == change.status)
            }
            let after = try server.admin(.owner, "GET", "/api/v1/admin/audit").items()
                .filter { !($0["action"]?.stringValue ?? "").hasPrefix("console.") }
            #expect(after.count == before + 1)
            return try #require(after.first)
        }
        for name in ["action", "actor"] { #expect(rows[0][name] == rows[1][name], "\(name)") }
        for name in ["name", "slug", "typical_amount", "aliases", "role"] {
            for state in ["before", "after"] {
                #expect(rows[0][state]?[name] == rows[1][state]?[name], "\(state) \(name)")
            }
        }
    }

    @Test(arguments: changes) func needsTheSamePermissionOnEitherFace(_ change: Change) throws {
        let server = try TestServer()
        defer { server.end() }
        let netflix = try server.item("netflix")
        func filled(_ text: String) -> String {
            text.replacing("ID", with: netflix.id.lowercased).replacing("REVISION", with: "\(netflix.revision)")
        }
        let json = change.json.isEmpty ? nil : change.json
        #expect(try server.admin(change.stranger, change.method, filled(change.path), json: json).status == 403)
        let browser = ConsoleBrowser(server)
        try browser.signIn(try #require(server.tokens[change.stranger]))
        #expect(try browser.post(filled(change.page), filled(change.form)).status == 403)
    }

    /// Each fault of the API is a sentence of the page.
    @Test func theFaultsAreTheSameOnEitherFace() throws {
        let server = try TestServer()
        defer { server.end() }
        let json =
            "{\(Self.itemJSON),\"typical_amount\":\"12.345\",\"billing_cycle\":\"every:0d\",\"website\":\"ftp://x\"}"
        let answer = try server.admin(.owner, "POST", "/api/v1/admin/catalogue", json: json)
        let faults = try #require(try answer.json()["errors"]?.arrayValue)
        #expect(answer.status == 422 && faults.count == 3)
        let browser = ConsoleBrowser(server)
        try browser.signIn(try #require(server.tokens[.owner]))
        let form = Self.item.replacing("monthly", with: "every:0d") + "12.345&website=ftp://x&idempotency_key=k"
        let page = try browser.post("/console/catalogue/new", itemForm(form))
        #expect(page.status == 422)
        for fault in faults {
            let sentence = try #require(fault["detail"]?.stringValue)
            let escaped = sentence.replacing("&", with: "&amp;").replacing("'", with: "&#39;").replacing(
                "\"", with: "&quot;")
            #expect(page.text.contains(escaped), "\(sentence)")
        }
    }
}
