/// A text in which the scrubber looks for shapes, byte by byte. Each rule asks at one position only, and looks back no
/// further than it must, so that a walk over the text costs little more than its length.
struct ScannedText {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The first rule that finds something at this position.
    func place(at position: Int, isInLink: Bool, isProse: Bool) -> MaskedPlace? {
        let byte = bytes[position]
        if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { return query(at: position, isInLink: isInLink) }
        if let place = userInLink(at: position) ?? homeDirectory(at: position) { return place }
        if let place = address6(at: position) { return place }
        guard !Octet.isBlank(byte) else { return nil }
        if let place = email(at: position) ?? address4(at: position) ?? knownToken(at: position) { return place }
        if let place = credential(at: position) ?? identifier(at: position) { return place }
        guard isProse else { return nil }
        return cardNumber(at: position) ?? unknownToken(at: position)
    }

    func byte(before position: Int) -> UInt8? { position > 0 ? bytes[position - 1] : nil }
    func byte(at position: Int) -> UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Whether the letters, digits, `_` and `-` of a token begin here.
    func beginsToken(_ position: Int) -> Bool {
        Octet.isToken(bytes[position]) && !(byte(before: position).map(Octet.isToken) ?? false)
    }

    /// Where the bytes that fulfil `condition` end, looking at `most` bytes at most.
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

    /// The same without regard to case; `text` is lower case.
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

/// What kind of personal or secret text was masked.
package enum Masking: String, Sendable, CaseIterable {
    case query, token, email, address, number, user

    /// What stands in its place. Holds nothing that any rule looks for, so that masking twice changes nothing.
    var mark: [UInt8] { Array("[\(rawValue)]".utf8) }
}

/// A place that a rule has found: from the byte that was looked at, what comes before `start` stays, and what comes then
/// is masked up to `end`.
struct MaskedPlace {
    let kind: Masking
    let start: Int
    let end: Int
}

/// What bytes are to the rules of ``ScannedText``.
enum Octet {
    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    static func isUpper(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
    static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
    static func isLetter(_ byte: UInt8) -> Bool { isUpper(byte) || isLower(byte) }
    static func isAlphanumeric(_ byte: UInt8) -> Bool { isDigit(byte) || isLetter(byte) }
    static func isHex(_ byte: UInt8) -> Bool { isDigit(byte) || (0x61...0x66).contains(byte | 0x20) }
    /// Blanks, quotation marks and angle brackets: what ends a word that may hold anything else.
    static func isBlank(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "`")
            || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
    }
    /// Of a token or of base64 in either alphabet.
    static func isToken(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
    static func isOneOf(_ byte: UInt8, _ others: StaticString) -> Bool {
        others.withUTF8Buffer { $0.contains(byte) }
    }
}
