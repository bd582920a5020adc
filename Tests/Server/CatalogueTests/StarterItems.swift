import BackendTestKit
import Catalogue
import Foundation
import SubGuardContract
import SubGuardDomain
import TestKit

/// The items of the starter catalogue.
enum StarterItems {
    static func load() throws -> [CatalogueItem] {
        try CatalogueCSV.parse(try RepositoryFile.bytes("Config/catalogue.csv")).compactMap { row in
            guard case .item(let item) = row.content else { return nil }
            return made(item.draft(), UInt64(row.number))
        }
    }

    static func made(_ draft: CatalogueDraft, _ number: UInt64) -> CatalogueItem {
        CatalogueItem(id: makeID(number), draft, updatedAt: UTCInstant(secondsSinceEpoch: 0), revision: 1)
    }
}
