import HTTPServer
import JSONWire

/// A page of an admin list: `items`, `next_cursor`, and `Link` to the next page.
enum JSONPage {
    static func response<Item>(
        _ items: [Item], next cursor: String?, to request: Request, more: (inout JSONWriter) -> Void = { _ in },
        _ write: (Item, inout JSONWriter) -> Void
    ) throws -> Response {
        var writer = JSONWriter(capacity: 256 + items.count * 400)
        writer.beginObject()
        writer.key("items")
        writer.beginArray()
        for item in items { write(item, &writer) }
        writer.endArray()
        writer.field("next_cursor", cursor)
        more(&writer)
        writer.endObject()
        return try RenderedDocument(
            body: writer.bytes, contentType: "application/json", more: PageLink.fields(request, next: cursor),
            isForOneReader: true
        ).response(for: request)
    }
}
