import Foundation
package import ServerAccess
package import SubGuardDomain

/// The items of one revision, indexed for search, filters and every order, so that lists need no database query.
package final class CatalogueIndex: Sendable {
    private let items: [CatalogueItem]
    private let texts = Once<FoldedTexts>()
    private let orders: [Once<Order>] = CatalogueSort.Field.allCases.map { _ in Once() }

    package init(_ items: [CatalogueItem]) { self.items = items }

    /// Returns a search for a text in names, slugs and aliases, ignoring case and accents; nil for an empty text.
    package func search(for text: String) -> CatalogueTextSearch? {
        CatalogueTextSearch(text, in: texts.value { FoldedTexts(items) })
    }

    /// Returns a page of items in the order of the query and the cursor of the next page, nil on the last page.
    ///
    /// Pages start after a key rather than at an offset: an item that exists throughout appears exactly once,
    /// regardless of insertions and deletions. The cursor must belong to ``CatalogueListQuery/list``.
    package func list(
        matching query: CatalogueListQuery, after cursor: PageCursor?, limit: Int
    ) throws -> (items: [CatalogueItem], next: PageCursor?) {
        let limit = max(1, limit)
        let order = order(of: query.sort.field)
        var page: [CatalogueItem] = []
        var next: PageCursor?
        // Returns false when the page is full and there are more items.
        func take(_ place: Int) -> Bool {
            let item = items[place]
            guard query.accepts(item) else { return true }
            if page.count == limit, let last = page.last {
                next = Order.cursor(last, query.sort.field)
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

    /// The number of items that match the query.
    package func count(matching query: CatalogueListQuery) -> Int {
        guard let search = query.text.flatMap(search(for:)) else { return items.count { query.accepts($0) } }
        var count = 0
        search.forEachFound(items.indices) { place in
            if query.accepts(items[place]) { count += 1 }
            return true
        }
        return count
    }

    private func order(of field: CatalogueSort.Field) -> Order {
        let number = CatalogueSort.Field.allCases.firstIndex(of: field) ?? 0
        return orders[number].value { Order(items, by: field) }
    }
}

/// The positions of all items in ascending order of one field, then by id.
private struct Order: Sendable {
    private struct Entry: Sendable {
        let place: Int
        let number: Int64
        let text: String
        let id: [UInt8]

        init(_ cursor: PageCursor, place: Int = 0) {
            self.place = place
            number = cursor.number
            text = cursor.text
            id = cursor.ids.first?.rawBytes ?? []
        }

        /// Either the number or the text is the key; the other one is equal in all entries.
        static func < (left: Entry, right: Entry) -> Bool {
            if left.number != right.number { return left.number < right.number }
            return left.text == right.text ? left.id.lexicographicallyPrecedes(right.id) : left.text < right.text
        }
    }

    private let entries: [Entry]
    /// The positions of the entries, stored contiguously.
    private let places: [Int]

    init(_ items: [CatalogueItem], by field: CatalogueSort.Field) {
        entries = items.enumerated().map { Entry(Self.cursor($0.element, field), place: $0.offset) }
            .sorted { $0 < $1 }
        places = entries.map(\.place)
    }

    static func cursor(_ item: CatalogueItem, _ field: CatalogueSort.Field) -> PageCursor {
        switch field {
        case .name: PageCursor(text: TextFolding.fold(item.name), ids: [item.id])
        case .slug: PageCursor(text: item.slug, ids: [item.id])
        case .category: PageCursor(text: item.category, ids: [item.id])
        case .updatedAt: PageCursor(number: item.updatedAt.millisecondsSinceEpoch, ids: [item.id])
        }
    }

    /// The positions after a cursor in the given direction.
    func places(after cursor: PageCursor?, isDescending: Bool) -> some Sequence<Int> {
        var next = isDescending ? entries.count - 1 : 0
        if let last = cursor.map({ Entry($0) }) {
            let place = entries.partitionIndex { isDescending ? !($0 < last) : last < $0 }
            next = isDescending ? place - 1 : place
        }
        return sequence(state: next) { next in
            guard places.indices.contains(next) else { return nil }
            defer { next += isDescending ? -1 : 1 }
            return places[next]
        }
    }
}
