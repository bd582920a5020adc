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
