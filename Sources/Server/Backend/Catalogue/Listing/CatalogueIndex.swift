import Foundation
package import SubGuardDomain

/// The items of one revision, indexed for search, filters and any order: a list needs no database.
package final class CatalogueIndex: Sendable {
    private let items: [CatalogueItem]
    private let texts = Once<FoldedTexts>()
    private let orders: [Once<Order>] = CatalogueSort.Field.allCases.map { _ in Once() }

    package init(_ items: [CatalogueItem]) { self.items = items }

    /// A test whether an item's name, slug or alias contains the text, ignoring case and accents; nil for an empty
    /// text.
    package func search(for text: String) -> CatalogueTextSearch? {
        CatalogueTextSearch(text, in: texts.value { FoldedTexts(items) })
    }

    /// A page of items in the order of the query, and the cursor of the next page, nil on the last one.
    ///
    /// Pages are cut by key and not by number: an item that exists all the time appears exactly once, whatever is
    /// inserted or deleted meanwhile. Throws ``BackendError/invalid(_:)`` at `cursor` for a cursor of another list.
    package func list(
        matching query: CatalogueListQuery, after cursor: CatalogueListCursor?, limit: Int
    ) throws -> (items: [CatalogueItem], next: CatalogueListCursor?) {
        if let cursor, !cursor.belongs(to: query) {
            throw BackendError.invalid([
                Fault("cursor", .invalidCursor, "The cursor belongs to another list.")
            ])
        }
        let limit = max(1, limit)
        let order = order(of: query.sort.field)
        var page: [CatalogueItem] = []
        var next: CatalogueListCursor?
        // False when the page is full and there is more.
        func take(_ place: Int) -> Bool {
            let item = items[place]
            guard query.accepts(item) else { return true }
            if page.count == limit, let last = page.last {
                next = CatalogueListCursor(mark: query.mark, key: Order.key(last, query.sort.field), id: last.id)
                return false
            }
            page.append(item)
            return true
        }
        let places = order.places(after: cursor, isDescending: query.sort.isDescending)
        if let search = query.text.flatMap(search(for:)) {
            search.forEachFound(places, take)
        } else {
            for place in places where !take(place) { break }
        }
        return (page, next)
    }

    private func order(of field: CatalogueSort.Field) -> Order {
        let number = CatalogueSort.Field.allCases.firstIndex(of: field) ?? 0
        return orders[number].value { Order(items, by: field) }
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
    /// Those of the entries, close together.
    private let places: [Int]

    init(_ items: [CatalogueItem], by field: CatalogueSort.Field) {
        entries = items.enumerated()
            .map { Entry(place: $0.offset, key: Self.key($0.element, field), id: $0.element.id.rawBytes) }
            .sorted { Self.precedes($0.key, $0.id, $1.key, $1.id) }
        places = entries.map(\.place)
    }

    static func key(_ item: CatalogueItem, _ field: CatalogueSort.Field) -> CatalogueListCursor.Key {
        switch field {
        case .name: .text(TextFolding.fold(item.name))
        case .slug: .text(item.slug)
        case .category: .text(item.category)
        case .updatedAt: .integer(item.updatedAt.millisecondsSinceEpoch)
        }
    }

    /// The places behind a cursor, in the wanted direction.
    func places(after cursor: CatalogueListCursor?, isDescending: Bool) -> some Sequence<Int> {
        let id = cursor?.id.rawBytes ?? []
        var next = isDescending ? entries.count - 1 : 0
        if let cursor, isDescending {
            // The last entry before the cursor.
            next = firstIndex { !Self.precedes($0.key, $0.id, cursor.key, id) } - 1
        } else if let cursor {
            next = firstIndex { Self.precedes(cursor.key, id, $0.key, $0.id) }
        }
        return sequence(state: next) { next in
            guard places.indices.contains(next) else { return nil }
            defer { next += isDescending ? -1 : 1 }
            return places[next]
        }
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
