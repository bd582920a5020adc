import JSONWire
import TestKit
import Testing

/// A device without a server: the catalogue built into the program.
@Suite struct StarterCatalogueCommandTests {
    @Test func searchAndAddWorkAtOnce() throws {
        let device = try Client()
        let hits = try device.json("search", "netfilx")
        #expect(hits.each("slug").first == "netflix")
        #expect(hits.each("source").first == "built_in")
        let day = try #require(hits.each("as_of").first)
        let offline = try device.run("search", "netflix", "--server", "http://127.0.0.1:9", "--json")
        #expect(offline.status == 0 && offline.errors.contains("server unreachable: connection refused\n"))
        #expect(try JSONValue.parse(Array(offline.output.utf8)).each("slug").first == "netflix")
        let said = try device.run("search", "netflix")
        #expect(said.status == 0 && said.errors.contains("the catalogue is the one built into the program, dated "))
        let added = try device.run("add", "netflix")
        #expect(added.status == 0 && added.errors.contains("from the catalogue: Netflix"))
        #expect(added.errors.contains("the catalogue is the one built into the program, dated 2026"))
        let shown = try device.json("show", "Netflix")
        #expect(shown["category"]?.stringValue == "streaming" && shown["cycle"]?.stringValue == "monthly")
        #expect(shown["catalogue_item_id"]?.stringValue != nil)
        let status = try device.json("status")["catalogue"]
        #expect(status?["state"]?.stringValue == "built_in" && status?["as_of"]?.stringValue == day)
        #expect(status?["items"]?.integerValue ?? 0 > 1000 && status?["server"]?.isNull == true)
        #expect(try device.run("status").output.contains("built in, of "))
        #expect(try device.run("status", "--lang", "fr").output.contains("intégré, du "))
        // What is given in full is added as it is given.
        let typed = try device.id(
            "add", "--name", "Deezer", "--amount", "12.34", "--currency", "EUR", "--cycle", "monthly", "--next",
            "2026-12-24")
        #expect(try device.json("show", typed)["category"]?.stringValue == "other")
    }
}
