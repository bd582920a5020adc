import Foundation
import SubGuardDomain
import Testing

@testable import DeviceSimulation

struct CataloguePopularityTests {
    private func item(_ slug: String, _ number: UInt8) -> CataloguePopularity.Item {
        CataloguePopularity.Item(id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number)), slug: slug)
    }

    @Test func wellKnownServicesLead() {
        let items = [item("zwift", 1), item("spotify-premium", 2), item("abby", 3), item("netflix", 4)]
        let order = CataloguePopularity.order(items, seed: 7)
        #expect(order.prefix(2).elementsEqual([items[3].id, items[1].id]))
        #expect(Set(order) == Set(items.map(\.id)))
    }

    @Test func theOrderOfTheCatalogueDoesNotMatterAndTheSeedDoes() {
        let items = (0..<100).map { item("slug-\($0)", $0) }
        let order = CataloguePopularity.order(items, seed: 7)
        #expect(order == CataloguePopularity.order(items.reversed(), seed: 7))
        #expect(order != CataloguePopularity.order(items, seed: 8))
    }

    @Test func anEmptyCatalogueIsFine() {
        #expect(CataloguePopularity.order([], seed: 7).isEmpty)
    }
}
