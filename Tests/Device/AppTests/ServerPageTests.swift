import Foundation
import SubGuardClient
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@testable import DeviceApp

/// The server, the account, premium, categories and the appearance.
@Suite struct ServerPageTests {
    /// A server that cannot be reached.
    private struct NoServer: Transport {
        func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
            throw TransportError.unreachable(.nobodyListens)
        }
    }

    @Sendable private static func unreachable(_ store: DeviceStore) throws -> ServerLink? {
        let server = ServerConnection(
            try ServerAddress("https://subguard.example"), transport: NoServer(), version: "1", retries: .once)
        let account = AccountSession(
            server: server, credentials: CredentialFile(path: store.path + ".session"),
            lockPath: store.path + ".session-lock")
        let synchroniser = Synchroniser(
            store: store, server: server, account: account,
            device: DeviceProperties(appVersion: "1", platform: "linux"))
        return ServerLink(address: server.address.text, synchroniser: synchroniser, account: account)
    }

    @Test func withoutAServerNothingIsSynced() throws {
        let app = try AppFixture()
        let page = try app.get("/server").text
        #expect(page.contains("subguard open --server") && page.contains("Not signed in."))
        #expect(!page.contains("action=\"/server/sync\""))
        #expect(try app.post("/server/sync", []).status == 400)
        #expect(try app.post("/server/sign-out", []).status == 400)
    }

    @Test func aFailedSyncSaysWhy() async throws {
        try await OwnThread.run {
            let app = try AppFixture(link: Self.unreachable)
            try app.add()
            let before = try app.get("/server").text
            #expect(before.contains("https://subguard.example") && before.contains("never completed"))
            #expect(!before.contains("Last errors"))
            let synced = try app.post("/server/sync", [])
            #expect(synced.status == 303)
            var page = try app.get(try #require(synced["Location"])).text
            // On a busy machine the sync goes on for a while, and the page is read again, as it asks for.
            while page.contains("A sync is running.") {
                Thread.sleep(forTimeInterval: 0.05)
                page = try app.get(try #require(synced["Location"])).text
            }
            #expect(page.contains("Not everything was synced.") && page.contains("connection refused"))
            let later = try app.get("/server").text
            #expect(later.contains("Last errors") && later.contains("connection refused"))
            #expect(!later.contains("Not everything was synced."))
            #expect(try app.names() == ["Netflix"])
        }
    }

    @Test func signsOutOfAnAccount() async throws {
        try await OwnThread.run {
            let app = try AppFixture(link: Self.unreachable)
            let file = CredentialFile(path: app.store.path + ".session")
            try file.save(
                Credentials(server: "https://subguard.example", accessToken: "secret-a", refreshToken: "secret-r"))
            let page = try app.get("/server").text
            #expect(page.contains("Signed in to https://subguard.example.") && !page.contains("secret-"))
            let out = try app.post("/server/sign-out", [])
            #expect(out["Location"] == "/server?out=here")
            #expect(try file.load() == nil)
            #expect(try app.get("/server?out=here").text.contains("the server could not be notified"))
        }
    }

    @Test func signsOutNowhereElse() async throws {
        try await OwnThread.run {
            let app = try AppFixture(link: Self.unreachable)
            let file = CredentialFile(path: app.store.path + ".session")
            try file.save(Credentials(server: "https://b.example", accessToken: "a", refreshToken: "r"))
            let page = try app.get("/server").text
            #expect(page.contains("subguard account sign-out --server https://b.example"))
            #expect(page.contains("subguard account erase --server https://b.example"))
            #expect(!page.contains("action=\"/server/sign-out\""))
            #expect(try app.post("/server/sign-out", []).status == 400)
            #expect(try file.load()?.server == "https://b.example")
        }
    }

    @Test func premiumSaysWhatIsFree() throws {
        let premium = try AppFixture().get("/premium").text
        #expect(premium.contains("Premium is on.") && premium.contains("https://apps.apple.com/account/subscriptions"))
        let app = try AppFixture(isPremium: false)
        try app.add()
        #expect(try app.get("/premium").text.contains("5 subscriptions; you have 1"))
    }

    @Test func categoriesOfOnesOwnNeedPremium() throws {
        let form = [
            ("name", "Jardin"), ("amount", "5"), ("currency", "EUR"), ("cycle", "monthly"),
            ("next_billing_on", "2026-12-01"), ("category", "music"), ("own_category", " Mes <plantes> "),
        ]
        let free = try AppFixture(isPremium: false)
        let refused = try free.post("/add", form)
        #expect(refused.status == 422 && refused.text.contains("Mes &lt;plantes&gt;"))
        #expect(try free.names().isEmpty)
        let app = try AppFixture()
        try app.add("Deezer", [.category: "music", .scope: "pro"])
        #expect(try app.post("/add", form).status == 303)
        let page = try app.get("/categories").text
        #expect(page.contains("Mes &lt;plantes&gt;") && page.contains("your own") && page.contains("Music"))
        let list = try app.get("/?category=Mes%20%3Cplantes%3E").text
        #expect(list.contains("Jardin") && !list.contains("Deezer"))
        // It can be chosen for others.
        #expect(try app.get("/add?name=x").text.contains("value=\"Mes &lt;plantes&gt;\""))
    }

    @Test func aBrowserKeepsItsAppearance() throws {
        let app = try AppFixture()
        try app.add()
        #expect(try !app.get("/").text.contains("data-theme"))
        let set = try app.post("/look", [("theme", "dark"), ("back", "/settings")])
        #expect(set.status == 303 && set["Location"] == "/settings")
        let cookies = set.fields.filter { $0.name.lowercased() == "set-cookie" }.map(\.value)
        let theme = "subguard_theme_\(app.port)"
        #expect(cookies.contains { $0.hasPrefix("\(theme)=dark; Path=/; ") && $0.contains("SameSite=Strict") })
        func page(_ cookies: String) throws -> String {
            try AppFixture.exchange(app.server, "GET", "/", ["Cookie: \(app.cookie); \(cookies)"]).text
        }
        let veil = "subguard_veil_\(app.port)"
        #expect(try page("\(theme)=dark").contains("data-theme=\"dark\""))
        #expect(try page("\(veil)=on").contains("class=\"veiled\""))
        for odd in ["\(theme)=\"><script>", "\(theme)=", "\(veil)=x", "subguard_theme_1=dark"] {
            let text = try page(odd)
            #expect(!text.contains("data-theme") && !text.contains("class=\"veiled\""), "\(odd)")
        }
        // One does not change the other.
        let hidden = try AppFixture.exchange(
            app.server, "POST", "/look",
            ["Cookie: \(app.cookie); \(theme)=dark", "Sec-Fetch-Site: same-origin"],
            form: [("veil", "on"), ("back", "https://evil.example/")])
        #expect(hidden["Location"] == "/")
        #expect(hidden.fields.contains { $0.value.hasPrefix("\(theme)=dark") })
        #expect(hidden.fields.contains { $0.value.hasPrefix("\(veil)=on") })
        #expect(try app.post("/look", [("theme", "<b>")]).status == 400)
    }
}
