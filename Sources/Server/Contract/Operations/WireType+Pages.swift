package import Foundation
package import ServerAccess
package import SubGuardContract
package import SubGuardDomain

/// The format of a list or report.
package enum FigureFormat: String, Sendable, CaseIterable {
    case json
    case csv
}

/// The query or body of a call that declares none.
package struct NoFields: WireObject {
    package static let wire = WireSchema<NoFields>(nil, make: NoFields.init)
}

extension PageCursor {
    /// The detail of the fault for a cursor of another list.
    package static let fault: Sentence = "Must be a next_cursor of this list, with the same parameters."
}

extension WireType where Value == UUID {
    /// The cursor of a list sorted by id: the last id of the previous page.
    package static func cursor(of list: PageCursor.List) -> WireType<UUID> {
        .converted(.cursorText, else: .invalidCursor, PageCursor.fault) {
            PageCursor(ids: [$0]).encoded(for: list)
        } decode: {
            PageCursor($0, of: list)?.ids.first
        }
    }
}

extension Field where Value == Bool {
    /// The parameter `bom` of a query whose answer can be CSV. The answer's rendering reads it from the address.
    init(byteOrderMark get: @escaping @Sendable (Object) -> Bool) {
        self.init(
            "bom", get, .boolean, "Whether CSV begins with a byte order mark, by which Excel recognises UTF-8.",
            default: false)
    }
}

extension WireReading {
    /// Notes a fault if `cursor` belongs to another list, or to this list with other parameters.
    package func check(cursor: String?, of list: PageCursor.List) {
        guard let cursor, PageCursor(cursor, of: list) == nil else { return }
        at("cursor") { note(.invalidCursor, PageCursor.fault) }
    }
}

extension ListPage {
    /// Creates a page from rows that contain at least one row more than the page if another page follows.
    ///
    /// - Parameter cursor: the position of a row in the list.
    package init<Row>(
        _ rows: some Sequence<Row>, limit: Int, of list: PageCursor.List, cursor: (Row) -> PageCursor,
        item: (Row) -> Item
    ) {
        let rows = Array(rows.prefix(limit + 1))
        let page = rows.prefix(limit)
        self.init(
            items: page.map(item),
            nextCursor: rows.count > limit ? page.last.map { cursor($0).encoded(for: list) } : nil)
    }
}
