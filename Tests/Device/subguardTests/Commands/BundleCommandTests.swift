import JSONWire
import TestKit
import Testing

/// What becomes of the parts of a bundle, and who says so.
@Suite struct BundleCommandTests {
    /// A bundle with a part that includes another one, and a part that is cancelled.
    private func client() throws -> Client {
        let client = try Client()
        _ = try client.add("Box", "--amount", "40")
        _ = try client.add("Sport", "--bundled-in", "Box")
        _ = try client.add("Golf", "--bundled-in", "Sport")
        _ = try client.add("News", "--bundled-in", "Box")
        #expect(try client.run("cancel", "News").output.split(separator: "\n").count == 1)
        return client
    }

    @Test func deletingABundleNamesWhatIsChargedByItselfNow() throws {
        #expect(
            try client().run("delete", "Box").output == """
                deleted Box
                1 included subscription is charged by itself now: Sport from 2026-11-25

                """)
        let client = try client()
        let deleted = try client.json("delete", "Box")
        #expect(deleted["deleted"] == .bool(true) && deleted["parts"]?.each("name") == ["Sport"])
        #expect(deleted["parts"]?.each("next_billing_on") == ["2026-11-25"])
        #expect(try client.json("upcoming", "--days", "30").each("name") == ["Sport"])
        #expect(try client.json("delete", "Golf")["parts"] == .array([]))
    }

    @Test func cancellingABundleNamesWhatEndsWithIt() throws {
        let client = try client()
        let said = try client.run("cancel", "Box", "--on", "2026-12-01").output
        #expect(said.contains("\n2 included subscriptions end with it: Golf, Sport\n"))
        let french = try client.run("cancel", "Box", "--on", "2026-12-01", "--lang", "fr").output
        #expect(french.contains("\n2 abonnements inclus prennent fin avec lui : Golf, Sport\n"))
        let cancelled = try client.json("cancel", "Box", "--on", "2026-12-01")
        #expect(cancelled["parts"]?.each("name") == ["Golf", "Sport"])
    }

    @Test func whatIsOverWithItsBundleHasEnded() throws {
        let client = try client()
        #expect(try client.run("cancel", "Box", "--on", "2026-12-01").status == 0)
        #expect(try client.json("list").each("status") == ["active", "active", "cancelled", "active"])
        #expect(try client.json("show", "Golf")["bundled"] == .bool(true))
        let later = "2026-12-02T10:00:00Z"
        #expect(try client.json("list", now: later).each("status") == ["cancelled", "ended", "cancelled", "ended"])
        #expect(try client.json("list", "--status", "ended", now: later).each("name") == ["Golf", "Sport"])
        #expect(try client.json("list", "--status", "active", now: later) == .array([]))
        for name in ["Golf", "Sport"] {
            let shown = try client.json("show", name, now: later)
            #expect(shown["status"] == .string("ended") && shown["bundled"] == .bool(false))
            #expect(shown["next_billing_on"] == .null && shown["annual_amount"] == .string("0.00"))
        }
        #expect(try client.run("show", "Sport", now: later).output.contains("ended with Box"))
        #expect(try !client.run("list", now: later).output.contains("bundled"))
        // With its bundle, it runs again.
        #expect(try client.run("resume", "Box", now: later).status == 0)
        #expect(try client.json("list", now: later).each("status") == ["active", "active", "cancelled", "active"])
        #expect(try client.run("list", now: later).output.contains("bundled"))
    }
}
