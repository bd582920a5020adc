package import Foundation
package import HTML
import SubGuardDomain

/// The address of a list with its filters and its order: links, forms and the way back lead to the same list.
package struct ListAddress: Sendable {
    private let path: [String]
    /// Filters and order.
    package private(set) var parameters: [NamedValue]
    /// Where the part of the list begins that is shown; nil for its beginning.
    package private(set) var cursor: String?

    /// - Parameter query: of the list, as the address of a page or the hidden fields of a form have it. The format of a
    ///   download is left out.
    package init(_ path: String..., query: [NamedValue]) {
        self.path = ["console"] + path
        parameters = query.filter { !["cursor", "format"].contains($0.name) }
        cursor = query.last { $0.name == "cursor" }?.value
    }

    /// The value of a parameter.
    package subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// The beginning of the list with another value of a parameter; without it if nil.
    func with(_ name: String, _ value: String?) -> ListAddress {
        var address = self
        address.cursor = nil
        let place = parameters.firstIndex { $0.name == name } ?? parameters.endIndex
        address.parameters.removeAll { $0.name == name }
        if let value { address.parameters.insert((name, value), at: place) }
        return address
    }

    /// The beginning of the list, with further parameters.
    package func link(_ more: [NamedValue] = []) -> HTMLLink { HTMLLink(path: path, query: parameters + more) }

    /// The part of the list that is shown. Forms are sent there, so that a refused one keeps the address.
    package func here(_ more: [NamedValue] = []) -> HTMLLink { HTMLLink(path: path, query: shown + more) }

    /// The page of a row, from which the way back leads to this list.
    package func link(
        to id: UUID, _ further: String..., more: [NamedValue] = [], fragment: String? = nil
    ) -> HTMLLink {
        HTMLLink(path: path + [id.lowercased] + further, query: parameters + more, fragment: fragment)
    }

    /// The hidden fields of a form that leads back to this part of the list.
    package var hidden: [NamedValue] { shown.ofList }

    private var shown: [NamedValue] { parameters + .given([("cursor", cursor)]) }
}

extension [NamedValue] {
    /// With a value for a parameter that is not given.
    package func defaulting(_ name: String, _ value: String) -> [NamedValue] {
        contains { $0.name == name } ? self : [(name, value)] + self
    }
}
