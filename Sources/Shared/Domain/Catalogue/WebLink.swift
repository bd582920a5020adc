/// Checks the syntax of absolute https URLs (RFC 3986).
enum WebLink {
    /// Whether `url` is https with a host, without user information, with a port from 1 to 65535 if any, and contains
    /// only characters allowed by RFC 3986.
    static func isValid(_ url: String) -> Bool {
        let bytes = Array(url.utf8)
        let scheme = Array("https://".utf8)
        guard bytes.count > scheme.count, zip(bytes, scheme).allSatisfy({ lowercase($0) == $1 }) else { return false }
        let rest = bytes[scheme.count...]
        let endOfAuthority = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
        return isAuthority(rest[..<endOfAuthority]) && isTail(rest[endOfAuthority...])
    }

    private static func isAuthority(_ authority: ArraySlice<UInt8>) -> Bool {
        if authority.first == UInt8(ascii: "[") {
            guard let end = authority.firstIndex(of: UInt8(ascii: "]")) else { return false }
            let address = authority[(authority.startIndex + 1)..<end]
            return address.contains(UInt8(ascii: ":"))
                && address.allSatisfy { isHexadecimal($0) || ":.".utf8.contains($0) }
                && isPort(authority[(end + 1)...])
        }
        let endOfHost = authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
        return isHost(authority[..<endOfHost]) && isPort(authority[endOfHost...])
    }

    /// Labels of letters, digits and inner hyphens (RFC 1123 section 2.1). Other scripts are encoded as `xn--`.
    private static func isHost(_ host: ArraySlice<UInt8>) -> Bool {
        guard host.count <= 253 else { return false }
        return host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                && label.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
        }
    }

    private static func isPort(_ port: ArraySlice<UInt8>) -> Bool {
        guard !port.isEmpty else { return true }
        let digits = port.dropFirst()
        guard port.first == UInt8(ascii: ":"), (1...5).contains(digits.count), digits.allSatisfy(isDigit) else {
            return false
        }
        return (1...65535).contains(digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
    }

    private static func isTail(_ tail: ArraySlice<UInt8>) -> Bool {
        var index = tail.startIndex
        var hasFragment = false
        while index < tail.endIndex {
            let byte = tail[index]
            switch byte {
            case UInt8(ascii: "%"):
                guard index + 2 < tail.endIndex, isHexadecimal(tail[index + 1]), isHexadecimal(tail[index + 2]) else {
                    return false
                }
                index += 2
            case UInt8(ascii: "#"):
                guard !hasFragment else { return false }
                hasFragment = true
            default:
                guard isLetterOrDigit(byte) || "/?:@-._~!$&'()*+,;=".utf8.contains(byte) else { return false }
            }
            index += 1
        }
        return true
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercase(byte))
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(lowercase(byte))
    }
}
