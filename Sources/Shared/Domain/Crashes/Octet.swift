/// Classes of bytes for the rules of ``ScannedText``.
package enum Octet {
    package static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    package static func isUpper(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
    package static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
    package static func isLetter(_ byte: UInt8) -> Bool { isUpper(byte) || isLower(byte) }
    package static func isAlphanumeric(_ byte: UInt8) -> Bool { isDigit(byte) || isLetter(byte) }
    package static func isHex(_ byte: UInt8) -> Bool { isDigit(byte) || (0x61...0x66).contains(byte | 0x20) }
    /// Blanks, quotation marks and angle brackets, which end a word of any other characters.
    package static func isBlank(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "`")
            || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
    }
    /// Characters of a token, or of base64 in either alphabet.
    package static func isToken(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
    package static func isOneOf(_ byte: UInt8, _ others: StaticString) -> Bool {
        others.withUTF8Buffer { $0.contains(byte) }
    }
}
