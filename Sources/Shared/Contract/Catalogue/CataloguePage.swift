package import Foundation
package import JSONWire
package import SubGuardDomain

/// One page of `GET /api/v1/catalogue`: of the whole, or of what changed since a token.
package struct CataloguePage: Sendable {
    /// What a device should forget, and under which id it goes on.
    package struct Deletion: Sendable, Hashable {
        package let id: UUID
        package let mergedInto: UUID?

        package init(id: UUID, mergedInto: UUID?) {
            self.id = id
            self.mergedInto = mergedInto
        }
    }

    package let items: [CatalogueItem]
    /// Nil in a list of the whole.
    package let deleted: [Deletion]?
    package let nextCursor: String?
    /// On the last page alone.
    package let syncToken: String?

    package init(items: [CatalogueItem], deleted: [Deletion]?, nextCursor: String?, syncToken: String?) {
        self.items = items
        self.deleted = deleted
        self.nextCursor = nextCursor
        self.syncToken = syncToken
    }

    /// Nil for what is no page. One item that cannot be read makes the page unreadable: a copy without it would be
    /// taken for whole.
    package init?(wire object: JSONObject) {
        guard let elements = object["items"]?.arrayValue else { return nil }
        items = elements.compactMap { $0.objectValue.flatMap { CatalogueItem(wire: $0) } }
        guard items.count == elements.count else { return nil }
        if let list = object["deleted"]?.arrayValue {
            let deletions = list.compactMap { $0.objectValue.flatMap { Deletion(wire: $0) } }
            guard deletions.count == list.count else { return nil }
            deleted = deletions
        } else {
            deleted = nil
        }
        nextCursor = object["next_cursor"]?.stringValue
        syncToken = object["sync_token"]?.stringValue
        guard nextCursor != nil || syncToken != nil else { return nil }
    }

    package func json() -> [UInt8] {
        var writer = JSONWriter(capacity: 512 + items.count * 400)
        writer.beginObject()
        writer.key("items")
        writer.beginArray()
        for item in items { item.write(to: &writer) }
        writer.endArray()
        if let deleted {
            writer.key("deleted")
            writer.beginArray()
            for deletion in deleted {
                writer.beginObject()
                writer.field("id", deletion.id.lowercased)
                writer.field("merged_into", deletion.mergedInto?.lowercased)
                writer.endObject()
            }
            writer.endArray()
        }
        writer.field("next_cursor", nextCursor)
        if let syncToken { writer.field("sync_token", syncToken) }
        writer.endObject()
        return writer.bytes
    }
}

extension CataloguePage.Deletion {
    fileprivate init?(wire object: JSONObject) {
        guard let id = object["id"]?.stringValue.flatMap({ UUID(strict: $0) }) else { return nil }
        let merged = object["merged_into"]
        let mergedInto = merged?.stringValue.flatMap { UUID(strict: $0) }
        guard merged == nil || merged?.isNull == true || mergedInto != nil else { return nil }
        self.init(id: id, mergedInto: mergedInto)
    }
}
