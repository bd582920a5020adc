import JSONWire

package struct ListPage<Item: WireObject>: WireObject {
    package let items: [Item]
    /// Nil on the last page.
    package let nextCursor: String?

    package init(items: [Item], nextCursor: String?) {
        self.items = items
        self.nextCursor = nextCursor
    }

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

    package static var wire: WireSchema<WholeList> {
        WireSchema((Item.wire.name ?? "") + "List") {
            Field("items", \.items, .array(of: .object, count: 0...500))
            Field("next_cursor", { _ in .null }, .json(["type": "null"], example: .null), "There is one page.")
        }
    }
}
