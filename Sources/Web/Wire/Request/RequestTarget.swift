import TextCoding

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Parses the request target in its three forms: origin, absolute and asterisk (RFC 9112 section 3.2).
enum RequestTarget {
    struct Parts {
        /// Host and port of an absolute target; else empty.
        var authority = 0..<0
        var path: Range<Int>
        var query: Range<Int>
    }

    /// Ranges are relative to `target`. An absolute target with an empty path has an empty range, which stands for `/`.
    static func parse(_ target: UnsafeRawBufferPointer, method: RequestMethod) throws(WireError) -> Parts {
        let query = target.index(of: UInt8(ascii: "?")) ?? target.count
        var index = 0
        while let stranger = OctetSet.target.firstStranger(target, from: index, to: target.count) {
            if stranger > query, OctetSet.browserQuery.contains(target[stranger]) {
                index = stranger + 1
                continue
            }
            // The brackets of an IPv6 literal are allowed in the authority; after it they are rejected below.
            guard target[stranger] == UInt8(ascii: "[") || target[stranger] == UInt8(ascii: "]"),
                stranger < query, target[0] != UInt8(ascii: "/")
            else { throw .malformed("The request target holds a character that a URI must percent-encode.") }
            index = stranger + 1
        }
        try checkPercentEncodings(target)
        if target[0] == UInt8(ascii: "/") { return split(target, from: 0) }
        if target.count == 1, target[0] == UInt8(ascii: "*") {
            guard method == .options else { throw .malformed("Only OPTIONS may have the target *.") }
            return Parts(path: 0..<1, query: 1..<1)
        }
        let end = try authorityEnd(target)
        guard !target[end..<query].contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }) else {
            throw .malformed("The request target holds a character that a URI must percent-encode.")
        }
        var parts = split(target, from: end)
        parts.authority = authorityStart(target)..<end
        return parts
    }

    /// The index after the `//` of an absolute target.
    private static func authorityStart(_ target: UnsafeRawBufferPointer) -> Int {
        (target.index(of: UInt8(ascii: "/")) ?? 0) + 2
    }

    private static func checkPercentEncodings(_ target: UnsafeRawBufferPointer) throws(WireError) {
        var index = 0
        while let mark = target.index(of: UInt8(ascii: "%"), from: index) {
            guard mark + 2 < target.count, target[mark + 1].hexDigitValue != nil, target[mark + 2].hexDigitValue != nil
            else { throw .malformed("The request target holds an incomplete percent-encoding.") }
            index = mark + 3
        }
    }

    private static func split(_ target: UnsafeRawBufferPointer, from start: Int) -> Parts {
        let mark = target.index(of: UInt8(ascii: "?"), from: start) ?? target.count
        return Parts(path: start..<mark, query: min(mark + 1, target.count)..<target.count)
    }

    /// The index at which the path of `http://authority/path` begins.
    private static func authorityEnd(_ target: UnsafeRawBufferPointer) throws(WireError) -> Int {
        let schemes: [StaticString] = ["http://", "https://"]
        for scheme in schemes {
            let count = scheme.utf8CodeUnitCount
            guard target.count > count,
                UnsafeRawBufferPointer(rebasing: target[..<count]).equalsIgnoringCase(scheme)
            else { continue }
            let end =
                target[count...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? target.count
            guard HostSyntax.isValid(UnsafeRawBufferPointer(rebasing: target[count..<end])) else { break }
            return end
        }
        throw .malformed("The request target must be a path, an http URI or *.")
    }
}

/// Syntax of host and port in the `Host` field and in an absolute target (RFC 9110 section 7.2).
enum HostSyntax {
    /// An empty host is rejected, because all our clients send an authority.
    static func isValid(_ host: UnsafeRawBufferPointer) -> Bool {
        guard let first = host.first else { return false }
        let nameEnd: Int
        if first == UInt8(ascii: "[") {
            guard let close = host.index(of: UInt8(ascii: "]")),
                isIPv6(UnsafeRawBufferPointer(rebasing: host[1..<close]))
            else { return false }
            nameEnd = close + 1
        } else {
            nameEnd = host.index(of: UInt8(ascii: ":")) ?? host.count
            guard nameEnd > 0, OctetSet.host.containsAll(host, to: nameEnd) else { return false }
        }
        guard nameEnd < host.count else { return true }
        guard host[nameEnd] == UInt8(ascii: ":"), host.count - nameEnd <= 6,
            OctetSet.digit.containsAll(host, from: nameEnd + 1)
        else { return false }
        return host[(nameEnd + 1)...].reduce(0) { $0 * 10 + Int($1 - 0x30) } <= 65535
    }

    /// RFC 3986 section 3.2.2, as parsed by the C library.
    private static func isIPv6(_ address: UnsafeRawBufferPointer) -> Bool {
        // The longest form is 45 octets, with an IPv4 address at its end.
        guard (2...45).contains(address.count), !address.contains(0) else { return false }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 46) { text in
            text.initialize(repeating: 0)
            for (index, octet) in address.enumerated() { text[index] = CChar(bitPattern: octet) }
            var parsed = in6_addr()
            return inet_pton(AF_INET6, text.baseAddress, &parsed) == 1
        }
    }
}

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
