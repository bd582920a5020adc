import Foundation
import SubGuardDomain
import SubGuardEngine
import Testing

@Suite struct SuggestionQueueTests {
    @Test func aNameWaitsOnceUnderOneID() throws {
        let fixture = try EngineFixture()
        let id = try fixture.store.suggest("  Été “Radio” 🎉 ", at: fixture.moment)
        #expect(try fixture.store.suggest("ete radio", at: fixture.moment) == id)
        let other = try fixture.store.suggest("O'Brien's 12.34%", at: fixture.moment)
        #expect(other != id)
        #expect(try fixture.store.suggestions(limit: 10).map(\.name) == ["Été “Radio” 🎉", "O'Brien's 12.34%"])
    }

    @Test(arguments: ["", " \t", String(repeating: "x", count: 121), "a\u{1B}[2J", "a\nb"])
    func whatNoItemCouldBeCalledIsRefused(_ name: String) throws {
        let fixture = try EngineFixture()
        #expect(throws: DeviceStoreError.self) { try fixture.store.suggest(name, at: fixture.moment) }
        #expect(try fixture.store.suggestionFigures().waiting == 0)
    }

    @Test func aRefusalIsKeptToBeSeenAndNotSentAgain() throws {
        let fixture = try EngineFixture()
        let ids = try ["A", "B", "C"].map { try fixture.store.suggest($0, at: fixture.moment) }
        try fixture.store.settleSuggestions(taken: [ids[0]], refused: [(ids[1], "too_long")], at: fixture.moment)
        #expect(try fixture.store.suggestions(limit: 10).map(\.id) == [ids[2]])
        let figures = try fixture.store.suggestionFigures()
        #expect(figures.waiting == 1 && figures.refused == 1)
    }
}
