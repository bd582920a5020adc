import JSONWire
import TestKit
import Testing

/// What `add`, `budget set` and `people add` say and take.
@Suite struct AddNoteCommandTests {
    @Test func aTypedPriceIsNotTheCatalogues() throws {
        let client = try Client()
        let said = try client.run("add", "Netflix 11,99 €/month 2 July").errors
        #expect(said.contains("from the catalogue: Netflix, Streaming; its price there: "), "\(said)")
        #expect(!said.contains("€11.99"), "\(said)")
        #expect(try client.run("add", "spotify").errors.contains("from the catalogue: Spotify"))
    }

    @Test func theSameTwiceIsSaid() throws {
        let client = try Client()
        #expect(!(try client.run("add", "Zörblax TV 18,99 € monthly 1 January").errors.contains("there is already")))
        let said = try client.run("add", "zorblax tv 18,99 € monthly 1 January")
        #expect(said.status == 0 && said.errors.contains("there is already Zörblax TV, €18.99 monthly"), "\(said)")
        #expect(try client.json("list").each("name").count == 2)
        let other = try client.run("add", "Zörblax TV 18,99 € monthly 2 January").errors
        #expect(!other.contains("there is already"), "\(other)")
    }

    @Test func amountsBringTheirCurrency() throws {
        let client = try Client()
        #expect(try client.json("budget", "set", "--amount", "150 €")["currency"]?.stringValue == "EUR")
        #expect(try client.run("budget", "set", "--amount", "150").status == 64)
        #expect(try client.run("settings", "set", "home_currency", "CHF").status == 0)
        let set = try client.json("budget", "set", "--amount", "150,50")
        #expect(set["currency"]?.stringValue == "CHF" && set["limit"]?.stringValue == "150.50")
        #expect(try client.run("budget", "set", "--amount", "150 €", "--currency", "USD").status == 1)
        #expect(try client.json("people", "add", "Zoé")["name"]?.stringValue == "Zoé")
        #expect(try client.json("people", "add", "--name", "Hugo")["name"]?.stringValue == "Hugo")
        #expect(try client.run("people", "add").status == 64)
        #expect(try client.run("people", "add", "A", "--name", "B").status == 64)
    }
}
