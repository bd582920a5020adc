import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@testable import DeviceApp

/// What the app says of the parts of a bundle.
@Suite struct BundlePageTests {
    @Test func deletingABundleNamesWhatIsChargedByItselfNow() throws {
        let app = try AppFixture()
        let box = try app.add("Box")
        let sport = try app.add("Sport", [.bundledIn: box.lowercased])
        let deleted = try app.post("/subscriptions/\(box.lowercased)/delete", [])
        let page = try app.get(try #require(deleted["Location"])).text
        #expect(page.contains("1 included subscription is charged by itself now: Sport from 2026-11-25"))
        // A second deletion includes nothing.
        let alone = try #require(try app.post("/subscriptions/\(sport.lowercased)/delete", [])["Location"])
        #expect(try !app.get(alone).text.contains("included subscription"))
    }

    @Test func whatEndsWithABundleIsNamedAndHasEnded() throws {
        let app = try AppFixture()
        let box = try app.add("Box")
        let sport = try app.add("Sport", [.bundledIn: box.lowercased])
        let asked = try app.get("/subscriptions/\(box.lowercased)/cancel").text
        #expect(asked.contains("1 included subscription ends with it: Sport"))
        #expect(try app.get("/").text.contains("bundled"))
        let form = [("from", app.moment.today.iso)]
        #expect(try app.post("/subscriptions/\(box.lowercased)/cancel", form).status == 303)
        #expect(try !app.get("/").text.contains("bundled"))
        let page = try app.get("/subscriptions/\(sport.lowercased)").text
        #expect(page.contains("ended with Box") && !page.contains("/cancel") && !page.contains("/pause"))
    }
}
