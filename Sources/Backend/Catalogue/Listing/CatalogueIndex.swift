import Foundation
package import SubGuardDomain

/// The items of one revision, ready to be searched, filtered and put in any order: a list touches no database.
package final class CatalogueIndex: Sendable {
    private let items: [CatalogueItem]
    private let texts = Once<FoldedTexts>()
    private let orders: [Once<Order>] = CatalogueSort.Field.allCases.map { _ in Once() }

    package init(_ items: [CatalogueItem]) { self.items = items }

    /// For each item, by its place, whether the text stands in its name, slug or an alias, without case and accents; nil
    /// when the text is nothing to look for.
    package func marks(containing text: String) -> [Bool]? {
        let folded = TextFolding.fold(text)
        guard !folded.isEmpty else { return nil }
        return texts.value { FoldedTexts(items) }.marks(of: folded, count: items.count)
    }

    /// A page of items in the order of the query, and the cursor of the next page or nil on the last one.
    ///
    /// Pages are cut by key and not by number: an item that is there all the while is seen exactly once, whatever is
    /// inserted or deleted meanwhile. Throws ``BackendError/invalid(_:)`` at `cursor` for a cursor of another list.
    package func list(
        matching query: CatalogueListQuery, after cursor: CatalogueListCursor?, limit: Int
    ) throws -> (items: [CatalogueItem], next: CatalogueListCursor?) {
        if let cursor, !cursor.belongs(to: query) {
            throw BackendError.invalid([
                FieldError(pointer: "cursor", code: "invalid_cursor", detail: "The cursor belongs to another list.")
            ])
        }
        let limit = max(1, limit)
        let marks = query.text.flatMap(marks(containing:))
        let order = order(of: query.sort.field)
        var page: [CatalogueItem] = []
        for place in order.places(after: cursor, isDescending: query.sort.isDescending) {
            let item = items[place]
            guard marks?[place] ?? true, query.accepts(item) else { continue }
            if page.count == limit, let last = page.last {
                return (
                    page, CatalogueListCursor(mark: query.mark, key: Order.key(last, query.sort.field), id: last.id)
                )
            }
            page.append(item)
        }
        return (page, nil)
    }

    private func order(of field: CatalogueSort.Field) -> Order {
        let number = CatalogueSort.Field.allCases.firstIndex(of: field) ?? 0
        return orders[number].value { Order(items, by: field) }
    }
}

/// The folded names of all items in one row of bytes.
private struct FoldedTexts: Sendable {
    private var bytes: [UInt8] = []
    /// Where each item begins, and at last where the row ends.
    private var starts: [Int] = []

    init(_ items: [CatalogueItem]) {
        for item in items {
            starts.append(bytes.count)
            // A line end parts the names; folded text holds none.
            for name in [item.name, item.slug] + item.aliases {
                bytes += TextFolding.fold(name).utf8
                bytes.append(UInt8(ascii: "\n"))
            }
        }
        starts.append(bytes.count)
    }

    func marks(of folded: String, count: Int) -> [Bool] {
        var marks = [Bool](repeating: false, count: count)
        let pattern = BytePattern(Array(folded.utf8))
        bytes.withUnsafeBufferPointer { text in
            var item = 0
            var position = 0
            while let place = pattern.first(in: text, from: position) {
                item = itemHolding(place, from: item)
                marks[item] = true
                position = starts[item + 1]
            }
        }
        return marks
    }

    /// The last item that begins at or before a place, looked for from one that does.
    private func itemHolding(_ place: Int, from first: Int) -> Int {
        var low = first
        var high = starts.count - 1
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= place { low = middle } else { high = middle }
        }
        return low
    }
}

/// The places of all items in ascending order of one field, equal ones by id.
private struct Order: Sendable {
    private struct Entry: Sendable {
        let place: Int
        let key: CatalogueListCursor.Key
        let id: [UInt8]
    }

    private let entries: [Entry]

    init(_ items: [CatalogueItem], by field: CatalogueSort.Field) {
        entries = items.enumerated()
            .map { Entry(place: $0.offset, key: Self.key($0.element, field), id: $0.element.id.rawBytes) }
            .sorted { Self.precedes($0.key, $0.id, $1.key, $1.id) }
    }

    static func key(_ item: CatalogueItem, _ field: CatalogueSort.Field) -> CatalogueListCursor.Key {
        switch field {
        case .name: .text(TextFolding.fold(item.name))
        case .slug: .text(item.slug)
        case .category: .text(item.category)
        case .updatedAt: .integer(item.updatedAt.millisecondsSinceEpoch)
        }
    }

    func places(after cursor: CatalogueListCursor?, isDescending: Bool) -> [Int] {
        guard let cursor else {
            return isDescending ? entries.reversed().map(\.place) : entries.map(\.place)
        }
        let id = cursor.id.rawBytes
        // The first entry that is not before the cursor, then the first behind it.
        let start = firstIndex { !Self.precedes($0.key, $0.id, cursor.key, id) }
        if isDescending { return entries[..<start].reversed().map(\.place) }
        let end = firstIndex { Self.precedes(cursor.key, id, $0.key, $0.id) }
        return entries[end...].map(\.place)
    }

    /// In entries where those that fulfil the condition come last.
    private func firstIndex(where belongsAfter: (Entry) -> Bool) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if belongsAfter(entries[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private static func precedes(
        _ left: CatalogueListCursor.Key, _ leftID: [UInt8], _ right: CatalogueListCursor.Key, _ rightID: [UInt8]
    ) -> Bool {
        switch (left, right) {
        case (.text(let left), .text(let right)) where left != right: left < right
        case (.integer(let left), .integer(let right)) where left != right: left < right
        // A cursor holds a key of its own list's kind: its mark is of that list.
        default: leftID.lexicographicallyPrecedes(rightID)
        }
    }
}
