import Foundation
import SubGuardClient
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@testable import DeviceApp

/// Logos of the catalogue in the app: those that a sync has fetched, letters otherwise.
@Suite struct LogoPageTests {
    private let app: AppFixture
    private let netflix = UUID()
    private let deezer = UUID()

    init() throws { app = try AppFixture() }

    private func item(_ id: UUID, _ name: String, _ logo: String?) throws -> CatalogueItem {
        CatalogueItem(
            id: id,
            CatalogueDraft(
                name: name, slug: name.lowercased(), category: "streaming",
                typicalAmount: try Money(decimal: "13.49", currency: #require(Currency(code: "EUR"))),
                billingCycle: .monthly), logoURL: logo, updatedAt: app.moment.now, revision: 0)
    }

    /// A catalogue as a sync leaves it, with the logo of Netflix fetched, that of Deezer not.
    private func sync(_ logo: [UInt8]) throws {
        let absent = "/logos/\(String(repeating: "a", count: 64)).png"
        let update = CatalogueUpdate(
            since: nil, items: [try item(netflix, "Netflix", LogoPath.of(logo)), try item(deezer, "Deezer", absent)],
            deleted: [], syncToken: "t", entityTag: nil)
        #expect(try app.store.catalogue.apply(update, from: "https://subguard.example", at: app.moment))
        try keep(logo, as: logo)
    }

    private func keep(_ logo: [UInt8], as name: [UInt8]) throws {
        let folder = URL(fileURLWithPath: app.store.path + ".logos")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(logo).write(to: URL(fileURLWithPath: app.store.path + ".logos/" + LogoPath.of(name).dropFirst(7)))
    }

    @Test func listDueAndSearchShowWhatIsHere() throws {
        let logo = try RepositoryFile.logo(1)
        try app.add("Mon Netflix", [.catalogueItemID: netflix.lowercased])
        try app.add("Deezer", [.catalogueItemID: deezer.lowercased, .category: "music", .nextBillingOn: "2026-11-24"])
        try app.add("Sans lien", [.nextBillingOn: "2026-11-23"])
        #expect(try !app.get("/").text.contains("<img"))
        try sync(logo)
        let mark = "<img class=\"logo\" src=\"\(LogoPath.of(logo))\" alt=\"\""
        for (page, marks) in [("/", 3), ("/due", 3), ("/add?q=net", 2)] {
            let text = try app.get(page).text
            #expect(text.ranges(of: mark).count == 1 && text.ranges(of: "<img").count == 1, "\(page)")
            #expect(text.ranges(of: "class=\"letters\"").count == marks - 1, "\(page)")
        }
        // The same letters on the same colour everywhere.
        let letters = /<svg class="letters".*?<\/svg>/
        let list = try app.get("/").text.matches(of: letters).map { String($0.0) }
        #expect(try Set(list) == Set(app.get("/due").text.matches(of: letters).map { String($0.0) }))
        // Without its file, or with another content, letters stand there again.
        try FileManager.default.removeItem(atPath: app.store.path + ".logos")
        #expect(try !app.get("/").text.contains("<img"))
    }

    @Test func aLogoIsAnImageForBrowsersThatAreLetIn() throws {
        let logo = try RepositoryFile.logo(6)
        try sync(logo)
        let shown = try app.get(LogoPath.of(logo))
        // The type is that of the bytes.
        #expect(shown.status == 200 && shown.body == logo && shown["Content-Type"] == "image/jpeg")
        #expect(shown["Cache-Control"] == "private, max-age=31536000, immutable")
        #expect(shown["X-Content-Type-Options"] == "nosniff")
        #expect(shown["Content-Security-Policy"]?.contains("sandbox") == true)
        #expect(try app.get("/")["Content-Security-Policy"]?.contains("img-src 'self';") == true)
        let stranger = try AppFixture.exchange(app.server, "GET", LogoPath.of(logo))
        #expect(stranger.status == 401 && stranger.body != logo)
        for bad in ["/logos/x.png", "/logos/..%2Fstore.sqlite", LogoPath.of(Array("x".utf8)), "/logos/"] {
            #expect(try app.get(bad).status == 404, "\(bad)")
        }
        // A page under the name of a logo, or a damaged one, is none.
        let page = Array("<script>alert(1)</script>".utf8)
        try keep(page, as: page)
        try keep(page, as: logo)
        #expect(try app.get(LogoPath.of(page)).status == 404)
        #expect(try app.get(LogoPath.of(logo)).status == 404)
    }
}
