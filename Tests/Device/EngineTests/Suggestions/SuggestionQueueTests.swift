import Foundation
import SubGuardDomain
import SubGuardEngine
import Testing

@Suite struct SuggestionQueueTests {
    @Test func aNameWaitsOnceUnderOneID() throws {
        let fixture = try EngineFixture()
        let id = try fixture.store.suggestions.add("  Été “Radio” 🎉 ", at: fixture.moment)
        #expect(try fixture.store.suggestions.add("ete radio", at: fixture.moment) == id)
        let other = try fixture.store.suggestions.add("O'Brien's 12.34%", at: fixture.moment)
        #expect(other != id)
        #expect(try fixture.store.suggestions.waiting(limit: 10).map(\.name) == ["Été “Radio” 🎉", "O'Brien's 12.34%"])
    }

    @Test(arguments: ["", " \t", String(repeating: "x", count: 121), "a\u{1B}[2J", "a\nb"])
    func whatNoItemCouldBeCalledIsRefused(_ name: String) throws {
        let fixture = try EngineFixture()
        #expect(throws: DeviceStoreError.self) { try fixture.store.suggestions.add(name, at: fixture.moment) }
        #expect(try fixture.store.suggestions.counts().waiting == 0)
    }

    @Test func aRefusalIsKeptToBeSeenAndNotSentAgain() throws {
        let fixture = try EngineFixture()
        let ids = try ["A", "B", "C"].map { try fixture.store.suggestions.add($0, at: fixture.moment) }
        try fixture.store.suggestions.settle(taken: [ids[0]], refused: [(ids[1], "too_long")], at: fixture.moment)
        #expect(try fixture.store.suggestions.waiting(limit: 10).map(\.id) == [ids[2]])
        let figures = try fixture.store.suggestions.counts()
        #expect(figures.waiting == 1 && figures.refused == 1)
    }
}
