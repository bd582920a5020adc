/// A text in which the scrubber finds patterns, byte by byte. Each rule tests a single position and looks back as
/// little as possible; those whose matches have no limit remember how far they have looked in vain. So a pass takes
/// little more than linear time. Positions are tested in ascending order.
struct ScannedText {
    let bytes: [UInt8]
    /// The end of the last word that is no token. A part of it has fewer bytes of each kind, so it is none either.
    var plainWordEnd = 0
    /// The end of the last number without a currency. One that begins in its midst has the same end.
    var plainNumberEnd = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The match of the first rule that applies at this position.
    mutating func place(at position: Int, isInLink: Bool, isProse: Bool) -> MaskedPlace? {
        let byte = bytes[position]
        if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { return query(at: position, isInLink: isInLink) }
        if let place = userInLink(at: position) ?? homeDirectory(at: position) { return place }
        if let place = address6(at: position) { return place }
        guard !Octet.isBlank(byte) else { return nil }
        if let place = email(at: position) ?? address4(at: position) ?? knownToken(at: position) { return place }
        if let place = credential(at: position) ?? identifier(at: position) { return place }
        guard isProse else { return nil }
        return cardNumber(at: position) ?? unknownToken(at: position) ?? amount(at: position)
    }

    func byte(before position: Int) -> UInt8? { position > 0 ? bytes[position - 1] : nil }
    func byte(at position: Int) -> UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Whether a token of letters, digits, `_` and `-` begins here.
    func beginsToken(_ position: Int) -> Bool {
        Octet.isToken(bytes[position]) && !(byte(before: position).map(Octet.isToken) ?? false)
    }

    /// The end of the bytes that satisfy `condition`, examining at most `most` bytes.
    func runEnd(from start: Int, most: Int = .max, while condition: (UInt8) -> Bool) -> Int {
        var end = start
        while end < bytes.count, end - start < most, condition(bytes[end]) { end += 1 }
        return end
    }

    func has(_ text: StaticString, at position: Int) -> Bool {
        guard position >= 0, position + text.utf8CodeUnitCount <= bytes.count else { return false }
        return text.withUTF8Buffer { wanted in
            wanted.indices.allSatisfy { bytes[position + $0] == wanted[$0] }
        }
    }

    /// The same, ignoring case; `text` is lower case.
    func hasFolded(_ text: StaticString, at position: Int) -> Bool {
        guard position >= 0, position + text.utf8CodeUnitCount <= bytes.count else { return false }
        return text.withUTF8Buffer { wanted in
            wanted.indices.allSatisfy { index in
                let byte = bytes[position + index]
                return (Octet.isUpper(byte) ? byte | 0x20 : byte) == wanted[index]
            }
        }
    }

    func isMark(_ kind: Masking, at position: Int) -> Bool {
        bytes[min(position, bytes.count)...].starts(with: kind.mark)
    }
}

/// The kind of masked personal or secret text.
package enum Masking: String, Sendable, CaseIterable {
    case query, token, email, address, number, user, amount

    /// The replacement text. It matches no rule, so masking is idempotent.
    var mark: [UInt8] { Array("[\(rawValue)]".utf8) }
}

/// A match of a rule: bytes from the tested position up to `start` are kept, those from `start` to `end` are masked.
struct MaskedPlace {
    let kind: Masking
    let start: Int
    let end: Int
}
