import Foundation
import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

/// Forms with a field too many, too few or twice, what was typed when something is gone, and filters with faults.
@Suite struct ConsoleFormShapeTests {
    @Test func refusesFormsThatAreNotOfTheConsole() throws {
        try withBrowser(.owner) { browser, server in
            let netflix = "/console/catalogue/\(try server.item("netflix").id.lowercased)"
            let edit = itemForm(
                "revision=1&name=N&slug=n&category=c&typical_amount=1&currency=EUR&billing_cycle=monthly")
            let thresholds = "/console/alerts/thresholds"
            let roles = "/console/access/roles"
            let rows: [(path: String, form: String, sentence: String)] = [
                (thresholds, "list_q=1", "The form has the unknown field list_q."),
                (thresholds, "zzz=1", "The form has the unknown field zzz."),
                (thresholds, "idempotency_key=k&revision=1", "The form lacks the field thresholds."),
                (thresholds, "idempotency_key=k&thresholds=5", "The form lacks the field revision."),
                (thresholds, "revision=1&thresholds=5", "The form lacks the field idempotency_key."),
                (thresholds, "idempotency_key=k&revision=1&thresholds=5&thresholds=6", "more than once"),
                (netflix, edit.replacing("revision=1&", with: ""), "The form lacks the field revision."),
                (netflix, edit + "&slug=m", "The form has the field slug more than once."),
                (netflix, edit + "&id=x", "The form has the unknown field id."),
                ("\(netflix)/delete", "", "The form lacks the field revision."),
                ("\(netflix)/undo", "idempotency_key=k", "The form lacks the field revision."),
                ("/console/suggestions", "action=reject", "The form lacks the field idempotency_key."),
                ("/console/crashes", "idempotency_key=k&idempotency_key=l", "more than once"),
                ("/console/access", "name=a&role=owner", "The form lacks the field idempotency_key."),
                (roles, "name_0=a", "The form lacks the field tag."),
                (roles, "tag=x&name_0=a&name_2=b", "The form lacks the field name_1."),
                ("/console/operations", "work=backup", "The form lacks the field idempotency_key."),
            ]
            for (path, form, sentence) in rows {
                let response = try browser.post(path, form)
                #expect(response.status == 422, "\(path) \(form)")
                expect(response.text, contains: [sentence, "Open its page again"])
            }
            let french = try browser.post(
                thresholds, "zzz=%3Cb%3E", "Sec-Fetch-Site: same-origin", "Accept-Language: fr")
            expect(french.text, contains: ["Le formulaire contient le champ inconnu zzz."])
            #expect(
                try server.admin(.owner, "GET", "/api/v1/admin/audit").items().strings("action")
                    .allSatisfy {
                        $0.hasPrefix("token.") || $0.hasPrefix("console.") || $0.hasPrefix("catalogue.insert")
                    })
        }
    }

    @Test func everyFormOfAPageHasItsFields() throws {
        try withBrowser(.owner) { browser, server in
            let netflix = "/console/catalogue/\(try server.item("netflix").id.lowercased)"
            for page in ["/console/alerts/thresholds", netflix, "/console/access/roles", "/console/alerts/rules/new"] {
                let text = try browser.get(page).text
                let pattern = /(?:name)="([a-z_0-9]+)"(?: value="([^"]*)")?/
                var fields: [String] = []
                let main = try #require(text.components(separatedBy: "data-guard").dropFirst().first)
                for match in main.components(separatedBy: "</form>")[0].matches(of: pattern)
                where !["intent", "permissions_0"].contains(String(match.1)) {
                    let value = String(match.2 ?? "").addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                    let field = "\(match.1)=\(value)"
                    if !fields.contains(where: { $0.hasPrefix("\(match.1)=") }) { fields.append(field) }
                }
                let response = try browser.post(page, fields.joined(separator: "&"))
                expect(response.text, lacks: ["Open its page again"])
            }
        }
    }

    @Test func takesNumbersWithSeparators() throws {
        try withBrowser(.owner) { browser, server in
            let page = "/console/alerts/thresholds"
            let form = "idempotency_key=k&revision=1&thresholds=1%2C000%0D%0A25+000%0D%0A7"
            #expect(try browser.post(page, form).status == 303)
            let list = try server.admin(.owner, "GET", "/api/v1/admin/alerts/thresholds").json()
            let active = (list["thresholds"]?.arrayValue ?? []).filter { $0["active"]?.boolValue != false }
            let numbers = active.compactMap { $0["threshold"]?.numberText }
            #expect(["7", "1000", "25000"].allSatisfy(numbers.contains))
            let refused = try browser.post(page, "idempotency_key=k&revision=2&thresholds=1%2C00")
            #expect(refused.status == 422)
            expect(refused.text, contains: ["id=\"f-thresholds-fault\"", "1,00"])
        }
    }

    // MARK: What was typed

    @Test func showsWhatWasTypedWhenTheItemIsGone() throws {
        try withBrowser(.owner) { browser, server in
            let id = try server.item("netflix").id.lowercased
            let form = itemForm(
                "revision=1&name=Typed+%3Cb%3E&slug=n&category=c&typical_amount=1&currency=EUR&billing_cycle=monthly")
            #expect(try server.admin(.owner, "DELETE", "/api/v1/admin/catalogue/\(id)").status == 204)
            let gone = try browser.post("/console/catalogue/\(id)", form)
            #expect(gone.status == 404)
            expect(
                gone.text,
                contains: [
                    "The item was deleted or merged meanwhile", "value=\"Typed &lt;b&gt;\"",
                    "action=\"/console/catalogue/new\"", "href=\"/console/catalogue/\(id)\"",
                ], lacks: ["<b>"])
            #expect(try browser.post("/console/catalogue/\(makeID(9).lowercased)", form).status == 404)

            let suggestion = "/console/suggestions/\(makeID(9).lowercased)"
            let rejected = try browser.post("\(suggestion)/reject", "idempotency_key=k&reason=my+reason")
            #expect(rejected.status == 404)
            expect(rejected.text, contains: ["This suggestion is gone", "my reason"])

            let rule =
                "idempotency_key=k&revision=1&name=My+rule&figure=crash_free_sessions&comparison=below&value=99"
                + "&window=24h&minimum_sample=&muted_until="
            let late = try browser.post("/console/alerts/rules/\(makeID(9).lowercased)", rule)
            #expect(late.status == 404)
            expect(
                late.text,
                contains: [
                    "The rule was deleted meanwhile", "value=\"My rule\"", "action=\"/console/alerts/rules/new\"",
                ])
        }
    }

    // MARK: Filters

    @Test func showsFaultsOfFiltersBesideTheirFields() throws {
        try withBrowser(.owner) { browser, server in
            let long = String(repeating: "x", count: 201)
            for page in ["catalogue?q=", "suggestions?q=", "crashes?q=", "search?q=", "access?q=", "audit?actor="] {
                let shown = try browser.get("/console/\(page)\(long)")
                #expect(shown.status == 422, "\(page)")
                let name = page.contains("actor") ? "actor" : "q"
                expect(
                    shown.text,
                    contains: [
                        "A filter was not accepted", "value=\"\(long)\"", "id=\"\(name)-fault\"",
                        "aria-describedby=\"\(name)-fault\"", "href=\"#\(name)\"",
                    ])
            }
            for page in ["funnel", "cohorts", "series", "audit"] {
                let shown = try browser.get("/console/\(page)?from=2026-03-02&to=2026-03-01")
                #expect(shown.status == 422, "\(page)")
                expect(
                    shown.text,
                    contains: [
                        "id=\"to-fault\"", "Must not be before from.",
                        "name=\"from\" value=\"2026-03-02\"",
                        "name=\"to\" value=\"2026-03-01\"",
                    ])
                #expect(try browser.get("/console/\(page)?from=2026-03-02&to=2026-03-01&format=csv").status == 422)
            }
            #expect(try browser.get("/console/catalogue?q=\(long)&format=csv").status == 422)
        }
    }
}
