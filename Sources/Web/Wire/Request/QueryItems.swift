import TextCoding

/// The items of a query string in order. `a=1&b` gives `("a", "1")` and `("b", "")`; `+` is a blank, as in forms.
package struct QueryItems: Sendable, Equatable {
    package let items: [Item]

    package struct Item: Sendable, Equatable {
        package let name: String
        package let value: String
    }

    /// `nil` if a name or value cannot be decoded.
    package init?(_ query: UnsafeRawBufferPointer) {
        var items: [Item] = []
        for part in query.split(separator: UInt8(ascii: "&")) {
            let mark = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            guard let name = PercentCoding.decode(part[..<mark], plusIsSpace: true),
                let value = PercentCoding.decode(part[mark...].dropFirst(), plusIsSpace: true)
            else { return nil }
            items.append(Item(name: name, value: value))
        }
        self.items = items
    }

    package subscript(name: String) -> String? { items.first { $0.name == name }?.value }
}
