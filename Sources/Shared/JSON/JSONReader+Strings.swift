import TextCoding

extension JSONReader {
    /// Skips the string that begins at `position` and checks it completely: escapes, control characters, UTF-8.
    mutating func scanString() throws(JSONError) -> JSONText {
        position += 1
        let start = position
        var hasEscapes = false
        var isMultibyte = false
        while true {
            skipPlainBytes()
            guard position < bytes.count else { throw failure(.unexpectedEnd) }
            switch bytes[position] {
            case UInt8(ascii: "\""):
                let raw = UnsafeRawBufferPointer(rebasing: bytes[start..<position])
                let text = JSONText(rawBytes: raw, hasEscapes: hasEscapes)
                if raw.count >= CharacterRuns.fewestBytes, hasEscapes || isMultibyte,
                    text.withDecodedBytes(CharacterRuns.areTooLong)
                {
                    throw failure(.longRun, at: start)
                }
                position += 1
                return text
            case UInt8(ascii: "\\"):
                hasEscapes = true
                try scanEscape()
            case ..<0x20: throw failure(.controlCharacter)
            case 0x80...:
                isMultibyte = true
                try scanMultibyte()
            default: position += 1
            }
        }
    }

    /// Skips ASCII without special characters, eight bytes at a time.
    private mutating func skipPlainBytes() {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highBits: UInt64 = 0x8080_8080_8080_8080
        while position + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            // A borrow into the high bit marks a byte below the subtrahend. Bytes from 0x80 on are marked by the first
            // or the second difference; a false mark only sends the word through the slow path.
            let quote = (word ^ (ones &* 0x22)) &- ones
            let backslash = (word ^ (ones &* 0x5C)) &- ones
            let control = word &- (ones &* 0x20)
            guard (quote | backslash | control) & highBits == 0 else { break }
            position += 8
        }
        while position < bytes.count {
            let byte = bytes[position]
            guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else { return }
            position += 1
        }
    }

    /// Skips one escape sequence, or both of a surrogate pair.
    private mutating func scanEscape() throws(JSONError) {
        let start = position
        guard position + 1 < bytes.count else { throw failure(.unexpectedEnd, at: bytes.count) }
        switch bytes[position + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 2
        case UInt8(ascii: "u"):
            let unit = try scanCodeUnit()
            guard unit & 0xFC00 != 0xDC00 else { return try takeLoneSurrogate(at: start) }
            guard unit & 0xFC00 == 0xD800 else { return }
            guard position < bytes.count else { throw failure(.unexpectedEnd) }
            guard bytes[position] == UInt8(ascii: "\\") else { return try takeLoneSurrogate(at: start) }
            guard position + 1 < bytes.count else { throw failure(.unexpectedEnd, at: bytes.count) }
            guard bytes[position + 1] == UInt8(ascii: "u") else { return try takeLoneSurrogate(at: start) }
            let next = position
            guard try scanCodeUnit() & 0xFC00 == 0xDC00 else {
                // It may be the first of a pair itself.
                position = next
                return try takeLoneSurrogate(at: start)
            }
        default: throw failure(.invalidEscape)
        }
    }

    private func takeLoneSurrogate(at start: Int) throws(JSONError) {
        guard replacesLoneSurrogates else { throw failure(.loneSurrogate, at: start) }
    }

    /// Reads a backslash, a `u` and four hexadecimal digits.
    private mutating func scanCodeUnit() throws(JSONError) -> UInt16 {
        var value: UInt16 = 0
        for offset in 2..<6 {
            guard position + offset < bytes.count else { throw failure(.unexpectedEnd, at: bytes.count) }
            guard let digit = Self.hexadecimalValue(bytes[position + offset]) else { throw failure(.invalidEscape) }
            value = value << 4 | UInt16(digit)
        }
        position += 6
        return value
    }

    /// Skips one UTF-8 sequence of two to four bytes (RFC 3629 section 4, table of well-formed sequences).
    private mutating func scanMultibyte() throws(JSONError) {
        let lead = bytes[position]
        let following: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch lead {
        case 0xC2...0xDF: following = 1
        case 0xE0: (following, second) = (2, 0xA0...0xBF)
        case 0xED: (following, second) = (2, 0x80...0x9F)
        case 0xE1...0xEF: following = 2
        case 0xF0: (following, second) = (3, 0x90...0xBF)
        case 0xF1...0xF3: following = 3
        case 0xF4: (following, second) = (3, 0x80...0x8F)
        default: throw failure(.invalidUTF8)
        }
        for offset in 1...following {
            guard position + offset < bytes.count else { throw failure(.unexpectedEnd, at: bytes.count) }
            let range = offset == 1 ? second : 0x80...0xBF
            guard range.contains(bytes[position + offset]) else { throw failure(.invalidUTF8) }
        }
        position += following + 1
    }

    static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
