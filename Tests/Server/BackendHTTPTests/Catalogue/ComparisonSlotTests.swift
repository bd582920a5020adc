import BackendTestKit
import Catalogue
import SubGuardDomain
import Testing

@testable import BackendHTTP

/// Comparing names takes long, so it takes only some of the workers.
struct ComparisonSlotTests {
    private func view() throws -> CatalogueView {
        let catalogue = CatalogueStore(context: try BackendFixture().context)
        for draft in [CatalogueDraft.sample("Netflix", slug: "netflix"), .sample("Netfix", slug: "netfix")] {
            _ = try catalogue.insert(draft, id: nil, by: .editor)
        }
        return try CataloguePublisher(store: catalogue).view
    }

    /// Runs a function while the only slot is taken.
    private func without(_ slots: Slots, _ body: () throws -> Void) throws {
        let isDone: Void? = try slots.run(body)
        #expect(isDone != nil)
    }

    @Test func whereNoSlotIsFreeOnlyKnownNamesHaveNearestItems() throws {
        let (view, slots) = (try view(), Slots())
        let items = NearestItems(slots: slots)
        #expect(try items.find(["netflix"], in: view).keys.sorted() == ["netflix"])
        let names = ["netflix", "netfix"]
        try without(slots) {
            let found = try items.find(names, in: view)
            #expect(found.keys.sorted() == ["netflix"])
            _ = #expect(throws: HTTPFailure.self) { try items.find(names, in: view, needsAll: true) }
            let known = try items.find(["netflix"], in: view, needsAll: true)
            #expect(known.count == 1)
        }
        #expect(try items.find(names, in: view, needsAll: true).keys.sorted() == ["netfix", "netflix"])
    }

    @Test func whereNoSlotIsFreeDuplicatesAreRefusedUntilTheyAreKnown() throws {
        let (view, slots) = (try view(), Slots())
        try without(slots) { _ = #expect(throws: HTTPFailure.self) { try view.duplicates(slots) } }
        #expect(try view.duplicates(slots).count == 1)
        try without(slots) {
            let known = try view.duplicates(slots)
            #expect(known.count == 1)
        }
    }
}
