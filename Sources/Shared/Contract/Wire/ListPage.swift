package import JSONWire

package struct ListPage<Item: WireObject>: WireObject {
    package let items: [Item]
    /// Nil on the last page.
    package let nextCursor: String?

    package init(items: [Item], nextCursor: String?) {
        self.items = items
        self.nextCursor = nextCursor
    }

    /// By hand, because a generic type cannot keep its schema.
    package func write(to writer: inout JSONWriter) { writer.page(of: items, nextCursor) }

    package static var wire: WireSchema<ListPage> {
        WireSchema((Item.wire.name ?? "") + "Page") {
            Field("items", \.items, .array(of: .object, count: 0...500))
            Field(
                "next_cursor", \.nextCursor, nullable: .text(1...Int.max),
                "Send it back as `cursor` for the next page; null on the last one.", example: nil)
        }
    }
}

/// A list that always has one page, in the format of all lists.
package struct WholeList<Item: WireObject>: WireObject {
    package let items: [Item]

    package init(items: [Item]) { self.items = items }

    /// By hand, because a generic type cannot keep its schema.
    package func write(to writer: inout JSONWriter) { writer.page(of: items, nil) }

    package static var wire: WireSchema<WholeList> {
        WireSchema((Item.wire.name ?? "") + "List") {
            Field("items", \.items, .array(of: .object, count: 0...500))
            Field("next_cursor", { _ in .null }, .json(["type": "null"], example: .null), "There is one page.")
        }
    }
}

extension JSONWriter {
    fileprivate mutating func page(of items: [some WireObject], _ nextCursor: String?) {
        object { json in
            json.array("items") { json in for item in items { item.write(to: &json) } }
            json.field("next_cursor", nextCursor)
        }
    }
}
