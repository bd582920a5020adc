import Backend
import HTTPServer
import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain

extension AdminCatalogueRoutes {
    func categoryBindings() -> [RouteBinding] { [gate.binding(.categories) { request, _ in try categories(request) }] }

    /// The categories that items bear, by name, each with the number of its items.
    private func categories(_ request: Request) throws -> Response {
        var query = try QueryReader(request, known: ["limit", "cursor"])
        let limit = query.integer("limit", in: 1...500, default: 50)
        let list = PageCursor.List("categories", ids: 0)
        let cursor = query.cursor(of: list)
        try query.requireValid()
        var counts: [String: Int] = [:]
        for item in try publisher.freshView().items { counts[item.category, default: 0] += 1 }
        // ASCII alone, so that the order of the names is that of their bytes.
        var rest = counts.sorted { $0.key < $1.key }[...]
        if let cursor { rest = rest.drop { $0.key <= cursor.text } }
        let page = Array(rest.prefix(limit))
        let next = rest.count > limit ? page.last.map { PageCursor(text: $0.key).encoded(for: list) } : nil
        return try JSONPage.response(page, next: next, to: request) { category, writer in
            writer.beginObject()
            writer.field("name", category.key)
            writer.field("count", category.value)
            writer.endObject()
        }
    }
}
