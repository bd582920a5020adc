package import Backend
package import Foundation
package import SubGuardContract
import SubGuardDomain

/// How a list or a report is written.
package enum FigureFormat: String, Sendable, CaseIterable {
    case json
    case csv
}

/// A query that takes no parameters.
package struct NoParameters: WireObject {
    package static let wire = WireSchema<NoParameters>(nil, make: NoParameters.init)
}

extension WireType where Value == Int {
    /// How many items a page of a list has.
    package static var pageLimit: WireType { integer(1...500) }
}

extension WireType where Value == String {
    /// The opaque place at which a page of a list begins.
    package static var cursorText: WireType {
        text(1...512, pattern: "^[A-Za-z0-9_-]+$", example: "AZNPDnwqfT6bGlxtfo-aCw")
    }
}

extension PageCursor {
    /// The detail of the fault of a cursor of another list.
    package static let fault = "Must be a next_cursor of this list, with the same parameters."
}

extension WireType where Value == UUID {
    /// The cursor of a list that is ordered by id: the id of the last item.
    package static func cursor(of list: PageCursor.List) -> WireType<UUID> {
        .converted(.cursorText, else: .invalidCursor, PageCursor.fault) {
            PageCursor(ids: [$0]).encoded(for: list)
        } decode: {
            PageCursor($0, of: list)?.ids.first
        }
    }
}
