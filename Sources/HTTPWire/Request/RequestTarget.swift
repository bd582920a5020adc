/// Reads the request target in its three forms: origin, absolute and asterisk (RFC 9112 section 3.2).
enum RequestTarget {
    struct Parts {
        var path: Range<Int>
        var query: Range<Int>
    }

    /// Ranges are relative to `target`. An absolute target of an empty path has the empty range; it stands for `/`.
    static func parse(_ target: UnsafeRawBufferPointer, method: RequestMethod) throws(WireError) -> Parts {
        for (index, octet) in target.enumerated() {
            guard OctetClass.of(octet).contains(.target) else {
                // An authority may hold an IPv6 literal's brackets; behind it they are looked for again.
                if octet == UInt8(ascii: "[") || octet == UInt8(ascii: "]"), target[0] != UInt8(ascii: "/") { continue }
                throw .malformed("The request target holds a character that a URI must percent-encode.")
            }
            if octet == UInt8(ascii: "%") {
                guard index + 2 < target.count, target[index + 1].hexDigitValue != nil,
                    target[index + 2].hexDigitValue != nil
                else { throw .malformed("The request target holds an incomplete percent-encoding.") }
            }
        }
        if target[0] == UInt8(ascii: "/") { return split(target, from: 0) }
        if target.count == 1, target[0] == UInt8(ascii: "*") {
            guard method == .options else { throw .malformed("Only OPTIONS may ask for the target *.") }
            return Parts(path: 0..<1, query: 1..<1)
        }
        let end = try authorityEnd(target)
        guard !target[end...].contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }) else {
            throw .malformed("The request target holds a character that a URI must percent-encode.")
        }
        return split(target, from: end)
    }

    private static func split(_ target: UnsafeRawBufferPointer, from start: Int) -> Parts {
        let mark = target[start...].firstIndex(of: UInt8(ascii: "?")) ?? target.count
        return Parts(path: start..<mark, query: min(mark + 1, target.count)..<target.count)
    }

    /// Where the path of `http://authority/path` begins.
    private static func authorityEnd(_ target: UnsafeRawBufferPointer) throws(WireError) -> Int {
        let schemes: [StaticString] = ["http://", "https://"]
        for scheme in schemes {
            let count = scheme.utf8CodeUnitCount
            guard target.count > count, target.prefix(count).map(\.asciiLowercased).elementsEqual(StaticOctets(scheme))
            else { continue }
            let end =
                target[count...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? target.count
            guard HostSyntax.isValid(UnsafeRawBufferPointer(rebasing: target[count..<end])) else { break }
            return end
        }
        throw .malformed("The request target must be a path, an http URI or *.")
    }
}

/// Host and port as they may stand in the `Host` field and in an absolute target (RFC 9110 section 7.2).
enum HostSyntax {
    /// An empty host is refused: our clients all have an authority.
    static func isValid(_ host: UnsafeRawBufferPointer) -> Bool {
        guard !host.isEmpty else { return false }
        var rest = host[...]
        if rest.first == UInt8(ascii: "[") {
            guard let close = rest.firstIndex(of: UInt8(ascii: "]")), close > 2 else { return false }
            let address = rest[1..<close]
            guard address.allSatisfy({ $0.hexDigitValue != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") })
            else { return false }
            rest = rest[(close + 1)...]
            guard rest.isEmpty || rest.first == UInt8(ascii: ":") else { return false }
        } else {
            let name = rest.prefix { $0 != UInt8(ascii: ":") }
            guard !name.isEmpty, name.allSatisfy({ OctetClass.of($0).contains(.host) }) else { return false }
            rest = rest[name.endIndex...]
        }
        guard !rest.isEmpty else { return true }
        let port = rest.dropFirst()
        guard port.count <= 5, port.allSatisfy({ OctetClass.of($0).contains(.digit) }) else { return false }
        return port.reduce(0) { $0 * 10 + Int($1 - 0x30) } <= 65535
    }
}
