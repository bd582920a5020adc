import TextCoding

/// The character encodings of statements and other files of spreadsheets; the raw value is the name for `--encoding`.
public enum StatementEncoding: String, Sendable, Hashable, CaseIterable {
    /// With or without a byte order mark.
    case utf8 = "utf-8"
    /// Includes ISO 8859-1.
    case windows1252 = "windows-1252"
    /// The byte order is told from the mark, or from where the zeros are.
    case utf16 = "utf-16"

    /// Converts a text to UTF-8 without a byte order mark.
    ///
    /// - Parameter encoding: nil to detect: a byte order mark, or zeros as in UTF-16; else UTF-8 if the bytes are
    /// valid,
    ///   else Windows-1252.
    package static func utf8(
        _ bytes: [UInt8], _ encoding: StatementEncoding?
    ) throws(Fault) -> (text: [UInt8], encoding: StatementEncoding) {
        let encoding = encoding ?? detect(bytes)
        switch encoding {
        case .utf8:
            guard isUTF8(bytes) else {
                throw Fault("file", .invalidUTF8, "Not valid UTF-8. Use --encoding windows-1252 or utf-16.")
            }
            return (Array(bytes.withoutByteOrderMark), encoding)
        case .windows1252: return (fromWindows1252(bytes), encoding)
        case .utf16: return (fromUTF16(bytes), encoding)
        }
    }

    private static func detect(_ bytes: [UInt8]) -> StatementEncoding {
        if bytes.starts(with: [UInt8].byteOrderMark) { return .utf8 }
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) { return .utf16 }
        let head = bytes.prefix(512)
        // Statements are mostly ASCII, so that every other byte is zero.
        if head.count >= 8, head.count(where: { $0 == 0 }) > head.count / 4 { return .utf16 }
        return isUTF8(bytes) ? .utf8 : .windows1252
    }

    /// `String(validating:as:)` needs iOS 18.
    private static func isUTF8(_ bytes: [UInt8]) -> Bool {
        if bytes.allSatisfy({ $0 < 0x80 }) { return true }
        return String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes)
    }

    private static func fromUTF16(_ bytes: [UInt8]) -> [UInt8] {
        let isBigEndian: Bool
        var start = 0
        if bytes.starts(with: [0xFE, 0xFF]) {
            (isBigEndian, start) = (true, 2)
        } else if bytes.starts(with: [0xFF, 0xFE]) {
            (isBigEndian, start) = (false, 2)
        } else {
            let head = bytes.prefix(512).enumerated()
            let zeros = { (rest: Int) in head.count { $0.element == 0 && $0.offset % 2 == rest } }
            isBigEndian = zeros(0) > zeros(1)
        }
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        for index in stride(from: start, to: bytes.count - 1, by: 2) {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(isBigEndian ? first << 8 | second : second << 8 | first)
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    private static func fromWindows1252(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + bytes.count / 8)
        for byte in bytes {
            guard byte >= 0x80 else {
                text.append(byte)
                continue
            }
            let value = byte < 0xA0 ? specials[Int(byte - 0x80)] : UInt16(byte)
            if let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar) {
                text.append(contentsOf: encoded)
            }
        }
        return text
    }

    /// The characters 0x80…0x9F of Windows-1252; the five unused codes are replacement characters.
    private static let specials: [UInt16] = [
        0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD,
        0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0xFFFD, 0x017E, 0x0178,
    ]
}
