import BackendTestKit
import Catalogue
import SQLDatabase
import ServerAccess
import SubGuardContract
import SubGuardDomain
import Testing

/// Pairs of items that are no duplicates.
struct DistinctItemsTests {
    private let fixture: BackendFixture
    private let catalogue: CatalogueStore

    init() throws {
        fixture = try BackendFixture()
        catalogue = CatalogueStore(context: fixture.context)
        for (number, name) in [(1, "Ciné “+”"), (2, "Ciné 🎬"), (3, "Cine")] {
            try catalogue.insert(.sample(name, slug: "cine-\(number)"), id: makeID(UInt64(number)), by: .editor)
        }
    }

    private func audited() throws -> [String] {
        try fixture.texts("SELECT action FROM audit_entries WHERE action LIKE 'duplicate.%' ORDER BY sequence")
    }

    @Test func areRememberedOnceInAnyOrder() throws {
        let pair = CataloguePair(makeID(2), makeID(1))
        for ids in [(makeID(2), makeID(1)), (makeID(1), makeID(2))] {
            try catalogue.setDistinct(ids.0, ids.1, true, by: .editor)
            #expect(try catalogue.distinctPairs() == [pair])
        }
        #expect(try audited() == ["duplicate.dismiss"])
        #expect(try catalogue.history(of: makeID(1), after: nil, limit: 5).count == 1, "not a change of the item")
        for _ in 0..<2 { try catalogue.setDistinct(makeID(1), makeID(2), false, by: .editor) }
        #expect(try catalogue.distinctPairs().isEmpty)
        #expect(try audited() == ["duplicate.dismiss", "duplicate.restore"])
    }

    @Test func refusesItemsThatAreNone() throws {
        for (first, second, pointers) in [
            (UInt64(1), UInt64(1), ["#/second"]), (1, 9, ["#/second"]), (8, 9, ["#/first", "#/second"]),
        ] {
            #expect {
                try catalogue.setDistinct(makeID(first), makeID(second), true, by: .editor)
            } throws: { error in
                guard case .invalid(let faults) = error as? BackendError else { return false }
                return faults.map(\.pointer) == pointers
            }
        }
        #expect(try catalogue.distinctPairs().isEmpty && audited().isEmpty)
    }

    @Test func endWithTheDeletionOrMergeOfAnItem() throws {
        try catalogue.setDistinct(makeID(1), makeID(2), true, by: .editor)
        try catalogue.setDistinct(makeID(1), makeID(3), true, by: .editor)
        try catalogue.setDistinct(makeID(2), makeID(3), true, by: .editor)
        try catalogue.delete(makeID(2), ifRevision: nil, by: .editor)
        #expect(try catalogue.distinctPairs() == [CataloguePair(makeID(1), makeID(3))])
        try catalogue.merge([makeID(3)], into: makeID(1), ifRevision: nil, by: .editor)
        #expect(try catalogue.distinctPairs().isEmpty)
    }

    @Test func countsWhatAMergeMoves() throws {
        #expect(try catalogue.uses(of: []).isEmpty)
        let suggestions = SuggestionStore(context: fixture.context)
        _ = try suggestions.submit([Suggestion(id: makeID(50), name: "Cinéma")])
        let group = try #require(
            try suggestions.list(SuggestionListQuery(status: .pending), after: nil, limit: 5).groups.first)
        _ = try suggestions.approve(group.id, mergingInto: makeID(3), by: .editor)
        try fixture.store.write { transaction in
            for (id, count) in [(makeID(2), 3), (makeID(3), 4)] {
                try transaction.execute(
                    "INSERT INTO item_additions (item_id, addition_count) VALUES (?, ?)",
                    [.blob(id.rawBytes), .integer(Int64(count))])
            }
        }
        try catalogue.merge([makeID(2)], into: makeID(3), ifRevision: nil, by: .editor)
        let uses = try catalogue.uses(of: [makeID(1), makeID(3)])
        #expect(uses[makeID(1)] == CatalogueItemUses(additions: 0, suggestions: 0))
        #expect(uses[makeID(3)] == CatalogueItemUses(additions: 7, suggestions: 1))
    }
}
