/// Decoding of `%41` in paths and queries (RFC 3986 section 2.1).
package enum PercentCoding {
    /// `nil` when an encoding is incomplete, or when the decoded octets are not UTF-8 or hold NUL.
    package static func decode(_ octets: some Collection<UInt8>, plusIsSpace: Bool = false) -> String? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(octets.count)
        var iterator = octets.makeIterator()
        while let octet = iterator.next() {
            if octet == UInt8(ascii: "%") {
                guard let high = iterator.next()?.hexDigitValue, let low = iterator.next()?.hexDigitValue else {
                    return nil
                }
                decoded.append(high << 4 | low)
            } else {
                decoded.append(plusIsSpace && octet == UInt8(ascii: "+") ? .space : octet)
            }
        }
        guard !decoded.contains(0) else { return nil }
        return String(validating: decoded, as: UTF8.self)
    }
}

/// The members of a query string in order. `a=1&b` gives `("a", "1")` and `("b", "")`; `+` means a blank, as forms send.
package struct QueryItems: Sendable, Equatable {
    package let items: [Item]

    package struct Item: Sendable, Equatable {
        package let name: String
        package let value: String
    }

    /// `nil` when a name or value cannot be decoded.
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
