/// Percent-coding of paths and queries, such as `%41` (RFC 3986 section 2.1).
package enum PercentCoding {
    /// Encodes everything except RFC 3986's unreserved characters and those in `kept` as `%XX`.
    package static func encode(_ text: some StringProtocol, keeping kept: StaticString = "") -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for octet in text.utf8 {
            if isUnreserved(octet) || kept.withUTF8Buffer({ $0.contains(octet) }) {
                bytes.append(octet)
            } else {
                bytes += [UInt8(ascii: "%"), Hexadecimal.upper(octet >> 4), Hexadecimal.upper(octet & 15)]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A query, or the body of a form: `a=1&b=2`.
    package static func encode(pairs: [(name: String, value: String)]) -> String {
        pairs.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
    }

    /// Whether an octet stands for itself in any part of a URL (RFC 3986 section 2.3).
    package static func isUnreserved(_ octet: UInt8) -> Bool {
        switch octet {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// `nil` if an encoding is incomplete, or if the decoded octets are not UTF-8, contain NUL, or have
    /// ``CharacterRuns`` that are too long.
    @inlinable package static func decode(_ octets: some Collection<UInt8>, plusIsSpace: Bool = false) -> String? {
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
                decoded.append(plusIsSpace && octet == UInt8(ascii: "+") ? UInt8(ascii: " ") : octet)
            }
        }
        guard !decoded.contains(0), !decoded.withUnsafeBytes(CharacterRuns.areTooLong) else { return nil }
        // Invalid UTF-8 is replaced and so differs. `String(validating:as:)` needs iOS 18.
        let text = String(decoding: decoded, as: UTF8.self)
        return text.utf8.elementsEqual(decoded) ? text : nil
    }
}
