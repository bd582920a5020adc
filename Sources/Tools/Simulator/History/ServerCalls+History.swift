import JSONWire
import SubGuardContract
import SubGuardDomain

extension ServerCalls {
    /// Reads every item of the catalogue, page by page.
    func catalogue() throws(LoadError) -> [CataloguePopularity.Item] {
        var items: [CataloguePopularity.Item] = []
        var cursor: String?
        repeat {
            let path = "/api/v1/catalogue?limit=500" + (cursor.map { "&cursor=" + $0 } ?? "")
            let object = try send("GET", path, expecting: [200])
            guard let page = try? CataloguePage(object, unknown: .ignored) else {
                throw LoadError("the answer to GET /api/v1/catalogue is not a page of a catalogue")
            }
            items += page.items.map { CataloguePopularity.Item(id: $0.id, slug: $0.slug) }
            cursor = page.nextCursor
        } while cursor != nil
        return items
    }

    /// Sends a batch of events.
    func send(_ batch: EventReports) throws(LoadError) -> EventReceipt {
        let object = try send("POST", "/api/v1/analytics", batch.json(), expecting: [202])
        guard let receipt = try? EventReceipt(object, unknown: .ignored) else {
            throw LoadError("the answer to POST /api/v1/analytics does not have the form of the contract")
        }
        return receipt
    }
}
