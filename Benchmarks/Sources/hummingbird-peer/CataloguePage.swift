import GRDB
import Hummingbird

/// One page of the catalogue with the same fields as our response.
struct CataloguePage: ResponseEncodable {
    let items: [CatalogueRecord]
    let nextCursor: String?

    enum CodingKeys: String, CodingKey {
        case items
        case nextCursor = "next_cursor"
    }

    static func load(_ database: Database, limit: Int) throws -> CataloguePage {
        let statement = try database.cachedStatement(
            sql: "SELECT \(CatalogueRecord.columns) FROM catalogue_items ORDER BY slug LIMIT ?")
        let items = try CatalogueRecord.fetchAll(statement, arguments: [limit])
        return CataloguePage(items: items, nextCursor: items.last?.slug)
    }
}
