import BackendHTTP
import Console
import Foundation
import ServerAccess
import SubGuardDomain
import TestKit
import Testing

/// French pages speak French: no page or refused form falls back to the English of the API.
@Suite struct ConsoleFrenchTests {
    private static let pages = [
        "", "/funnel", "/funnel?within=7d&by=platform", "/funnel?by=app_version", "/cohorts", "/cohorts?step=month",
        "/ranking", "/series", "/series?figure=active_7d&step=week", "/series?figure=crash_free_sessions",
        "/series?figure=events.app_downloaded", "/series?from=2026-11-20&to=2026-11-01", "/series?from=x", "/crashes",
        "/events", "/events?event=app_opened&platform=none", "/events?item=odd",
        "/crashes?status=odd", "/crashes/releases", "/alerts", "/alerts/rules/new", "/alerts/thresholds", "/access",
        "/access/roles", "/access/passkeys", "/sessions", "/audit", "/audit?from=x", "/catalogue",
        "/catalogue?sort=odd",
        "/catalogue/new", "/catalogue/import", "/catalogue/logos", "/catalogue/duplicates", "/suggestions",
        "/suggestions?status=odd", "/operations", "/operations/privacy", "/search?q=x", "/keys", "/nothing",
    ]

    private static let forms = [
        "/catalogue/new":
            itemForm(
                "idempotency_key=k&name=&slug=A+B&category=X&typical_amount=1.999&currency=EUR&billing_cycle=odd"
                    + "&website=x&cancel_url=ftp:x&notice_days=9999&aliases=a%0Aa"),
        "/alerts/rules/new":
            "idempotency_key=k&name=x&figure=users&comparison=below&value=5&window=3z&minimum_sample=-1&muted_until=",
        "/alerts/test": "idempotency_key=k",
        "/access": "name=%E2%80%8B&role=odd&expires_at=2001-01-01T00:00:00Z",
        "/access/roles": "tag=x&name_0=A+B&permissions_0=odd",
        "/login": "token=odd",
        "/suggestions": "idempotency_key=k&odd=1",
    ]

    /// Words of English sentences that no French page has outside of code and data.
    private static let english: Set<String> = [
        "the", "must", "is", "are", "was", "were", "has", "have", "that", "this", "which", "with", "of", "and", "there",
        "users", "until", "whose", "been", "cannot", "at", "from", "its", "they", "then", "your",
    ]

    @Test func noPageFallsBackToEnglish() throws {
        let server = try TestServer()
        defer { server.end() }
        let browser = ConsoleBrowser(server)
        browser.fields.append("Accept-Language: fr")
        try browser.signIn(try #require(server.tokens[.owner]))
        for path in Self.pages { check(try browser.get("/console" + path), path) }
        for (path, form) in Self.forms.sorted(by: { $0.key < $1.key }) {
            let answer = try browser.post("/console" + path, form)
            #expect(answer.status >= 400, "\(path)")
            check(answer, path)
        }
    }

    /// Many logos at once may be too much, and then the limit helps.
    @Test func namesTheLimitOfAnUpload() throws {
        let server = try TestServer()
        defer { server.end() }
        for (language, expected) in [
            ("en", "A file has more than 8,388,608 bytes."),
            ("fr", "Un fichier dépasse 8\u{202F}388\u{202F}608 octets."),
        ] {
            let browser = ConsoleBrowser(server)
            browser.fields.append("Accept-Language: \(language)")
            try browser.signIn(try #require(server.tokens[.owner]))
            let answer = try browser.upload(
                "/console/catalogue/logos", texts: [],
                file: (name: "logos", fileName: "a.png", content: [UInt8](repeating: 1, count: (8 << 20) + 1)))
            #expect(answer.status == 413)
            expect(answer.text, contains: [expected])
        }
    }

    /// Every page that a filled store links to, also those of single things.
    @Test func noPageOfAFilledStoreFallsBackToEnglish() throws {
        let server = try TestServer(settings: [
            "alerts_webhook_url": "http://127.0.0.1:9/hook", "alerts_webhook_secret": "wh-s3cret",
            "alerts_allow_private_targets": "true",
        ])
        defer { server.end() }
        let browser = ConsoleBrowser(server)
        browser.fields.append("Accept-Language: fr")
        try browser.signIn(try #require(server.tokens[.owner]))
        try ConsoleCrawl.fill(server, browser)
        var waiting = ["/console", "/console/operations", "/console/operations/configuration"]
        var seen: Set<String> = []
        while let path = waiting.popLast() {
            guard seen.insert(ConsoleCrawl.template(path)).inserted else { continue }
            let page = try browser.get(path)
            #expect(page.status == 200, "\(path)")
            check(page, path)
            waiting += ConsoleCrawl.links(page.text)
        }
        for template in ["/catalogue/id", "/suggestions/id", "/crashes/id", "/alerts/rules/id", "/access/tokens/id"] {
            #expect(seen.contains { $0.hasPrefix("/console" + template) }, "\(template): \(seen.sorted())")
        }
        #expect(seen.contains("/console/audit/number") && seen.contains("/console/operations/privacy"))
    }

    /// Every setting has its French meaning, which names the same settings and numbers.
    @Test func saysEverySettingInFrench() {
        let words = ConsoleWords(.french)
        for setting in SettingList.all {
            let french = words.translated(setting.summary)
            #expect(french != setting.summary, "\(setting.key)")
            #expect(Self.names(french) == Self.names(setting.summary), "\(setting.key): \(french)")
        }
    }

    /// Names of settings and numbers: what a translation keeps.
    private static func names(_ text: String) -> Set<String> {
        Set(
            text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }.map(String.init)
                .filter { $0.contains("_") || $0.contains(where: \.isNumber) })
    }

    /// The window of a rule is refused beside its field, with the form that is accepted.
    @Test func namesTheFieldAndItsForm() throws {
        let server = try TestServer()
        defer { server.end() }
        let browser = ConsoleBrowser(server)
        try browser.signIn(try #require(server.tokens[.owner]))
        let path = "/alerts/rules/new"
        for (language, words) in [
            ("en", ["Window</a>: <span>", "Must be hours or days from 1h to 30d, such as 24h or 7d."]),
            (
                "fr",
                [
                    "Fenêtre</a>\u{202F}: <span>",
                    "Doit être en heures ou jours, de 1h à 30d, par exemple 24h ou 7d.",
                ]
            ),
        ] {
            browser.fields = ["Accept: text/html", "Accept-Language: \(language)"]
            let page = try browser.post("/console" + path, try #require(Self.forms[path]))
            #expect(page.status == 422)
            expect(page.text, contains: words + ["href=\"#f-window\""])
        }
    }

    private func check(_ page: RawResponse, _ path: String) {
        #expect(page.text.contains("<html lang=\"fr\">"), "\(path)")
        let visible = Self.visible(page.text)
        // Digits belong to words: the beginnings of tokens are random, and may be such as 7of3.
        let found = visible.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "’" && $0 != "_" }
            .filter { Self.english.contains(String($0)) }
        #expect(found.isEmpty, "\(path): \(found): \(visible.prefix(3000))")
    }

    /// The text of a page without tags, code, and data.
    private static func visible(_ html: String) -> String {
        var html = html
        for (open, close) in [("<head", "</head>"), ("<code", "</code>"), ("<bdi", "</bdi>"), ("<svg", "</svg>")] {
            while let start = html.range(of: open), let end = html[start.upperBound...].range(of: close) {
                html.replaceSubrange(start.lowerBound..<end.upperBound, with: " ")
            }
        }
        var text = ""
        var isTag = false
        for character in html {
            if character == "<" { isTag = true }
            if !isTag { text.append(character) }
            if character == ">" {
                isTag = false
                text += " "
            }
        }
        return text
    }
}
