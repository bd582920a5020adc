import BackendHTTP
import Foundation
import SubGuardDomain
import TestKit
import Testing

/// What tests need that open every page of the console.
enum ConsoleCrawl {
    /// Items, suggestions, a crash, a rule, a token, a delivery that fails, and a backup.
    static func fill(_ server: TestServer, _ browser: ConsoleBrowser) throws {
        let item = "name=Zoé+Vidéo&slug=&category=streaming&typical_amount=12.34&currency=EUR&billing_cycle=monthly"
        for (path, form) in [
            ("/catalogue/new", itemForm(item)),
            (
                "/alerts/rules/new",
                "name=R&figure=crash_free_sessions&comparison=below&value=5&window=24h&minimum_sample=&muted_until="
            ),
            ("/alerts/test", "channel=webhook"), ("/operations", "work=backup"),
        ] {
            if path == "/operations", TestDatabase.chosen != .sqlite { continue }
            let answer = try browser.post("/console" + path, "idempotency_key=k\(path.count)&" + form)
            #expect(answer.status == 303, "\(path): \(answer.text)")
        }
        #expect(try browser.post("/console/access", "idempotency_key=t&name=Zo%C3%A9&role=analyst").status < 400)
        for (number, name) in ["Zoé Vidéos", "🦊 Musique"].enumerated() {
            let json = "{\"id\":\"\(makeID(UInt64(number + 1)).lowercased)\",\"name\":\"\(name)\"}"
            #expect(try server.post("/api/v1/suggestions", json).status < 300)
        }
        let crash = """
            {"crashes": [{"id": "\(makeID(7).lowercased)", "timestamp": "\(server.now)", "type": "Zoé", \
            "app_version": "1.0",
            "platform": "ios", "os_name": "iOS"}], "sessions": [{"id": "\(makeID(8).lowercased)",
            "started_at": "\(server.now)", "app_version": "1.0", "total": 200, "crashed": 3}]}
            """
        #expect(try server.post("/api/v1/crashes", crash).status == 202)
    }

    /// The links of a page to other pages of the console, without downloads and what changes the session.
    static func links(_ html: String) -> [String] {
        html.components(separatedBy: "href=\"").dropFirst().compactMap { part in
            let link = part.prefix { $0 != "\"" }.replacing("&amp;", with: "&")
            let isPage = link.hasPrefix("/console") && !link.hasPrefix("/console/assets") && !link.contains("lang=")
            guard isPage, !link.contains("format="), !link.contains("verify="), !link.contains("logout") else {
                return nil
            }
            return String(link.prefix { $0 != "#" })
        }
    }

    /// The path without ids and numbers, and the names of its parameters.
    static func template(_ link: String) -> String {
        let halves = link.split(separator: "?", maxSplits: 1)
        let path = (halves.first ?? "").replacing(/\/[0-9a-f]{8}-[0-9a-f-]{27}/, with: "/id")
            .replacing(/\/[0-9]+/, with: "/number")
        let names = halves.dropFirst().joined().split(separator: "&").map { $0.prefix { $0 != "=" } }
        return path + (names.isEmpty ? "" : "?" + names.joined(separator: "&"))
    }

    /// Where the forms of a page are sent.
    static func forms(_ html: String) -> [String] {
        html.matches(of: /<form[^>]* action="([^"]*)"[^>]*>/).compactMap { form in
            guard form.0.contains("method=\"post\"") else { return nil }
            return String(form.1.replacing("&amp;", with: "&").prefix { $0 != "?" && $0 != "#" })
        }
    }
}
