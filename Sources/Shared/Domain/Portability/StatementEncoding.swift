import TextCoding

/// The character encodings of statements and other files of spreadsheets; the raw value is the name for `--encoding`.
public enum StatementEncoding: String, Sendable, Hashable, CaseIterable {
    /// With or without a byte order mark.
    case utf8 = "utf-8"
    /// Includes ISO 8859-1.
    case windows1252 = "windows-1252"
    /// The byte order is known from the mark, or from where the zeros are.
    case utf16 = "utf-16"
    /// ISO 8859-15 (Latin-9): western European, with the sign of the euro.
    case iso8859p15 = "iso-8859-15"
    /// Windows-1250: central European.
    case windows1250 = "windows-1250"
    /// ISO 8859-2 (Latin-2): central European.
    case iso8859p2 = "iso-8859-2"
    /// Windows-1251: Cyrillic.
    case windows1251 = "windows-1251"
    /// Of files that were saved on old Macs.
    case macRoman = "macintosh"
    /// Of files that were saved under DOS.
    case cp850
    /// Windows-1253: Greek.
    case windows1253 = "windows-1253"
    /// Windows-1254: Turkish.
    case windows1254 = "windows-1254"
    /// Windows-1255: Hebrew.
    case windows1255 = "windows-1255"
    /// Windows-1256: Arabic.
    case windows1256 = "windows-1256"
    /// Cyrillic, as older programs write it.
    case koi8r = "koi8-r"
    /// Japanese, with the additions of Windows.
    case shiftJIS = "shift-jis"
    /// Simplified Chinese; includes GBK and GB 2312.
    case gb18030
    /// Traditional Chinese, with the additions of Windows.
    case big5
    /// Korean, with the additions of Windows.
    case eucKR = "euc-kr"

    /// The encoding of a name as programs write it: `ISO-8859-1`, `latin2`, `cp1252`, `1252`; nil for an unknown one.
    public init?(name: String) {
        let plain = name.lowercased().filter { $0.isLetter || $0.isNumber }
        guard let found = Self.names[plain] else { return nil }
        self = found
    }

    private static let names: [String: StatementEncoding] = [
        "utf8": .utf8, "unicode": .utf8, "usascii": .utf8, "ascii": .utf8, "utf16": .utf16, "utf16le": .utf16,
        "utf16be": .utf16, "windows1252": .windows1252, "cp1252": .windows1252, "1252": .windows1252,
        "ansi": .windows1252, "iso88591": .windows1252, "latin1": .windows1252, "88591": .windows1252,
        "iso885915": .iso8859p15, "latin9": .iso8859p15, "windows1250": .windows1250, "cp1250": .windows1250,
        "1250": .windows1250, "iso88592": .iso8859p2, "latin2": .iso8859p2, "windows1251": .windows1251,
        "cp1251": .windows1251, "1251": .windows1251, "macintosh": .macRoman, "macroman": .macRoman, "mac": .macRoman,
        "cp850": .cp850, "ibm850": .cp850, "850": .cp850, "cp858": .cp850, "windows1253": .windows1253,
        "cp1253": .windows1253, "1253": .windows1253, "windows1254": .windows1254, "cp1254": .windows1254,
        "1254": .windows1254, "iso88599": .windows1254, "latin5": .windows1254, "windows1255": .windows1255,
        "cp1255": .windows1255, "1255": .windows1255, "windows1256": .windows1256, "cp1256": .windows1256,
        "1256": .windows1256, "koi8r": .koi8r, "shiftjis": .shiftJIS, "sjis": .shiftJIS, "windows31j": .shiftJIS,
        "cp932": .shiftJIS, "932": .shiftJIS, "gb18030": .gb18030, "gbk": .gb18030, "gb2312": .gb18030,
        "cp936": .gb18030, "936": .gb18030, "big5": .big5, "cp950": .big5, "950": .big5, "euckr": .eucKR,
        "cp949": .eucKR, "949": .eucKR, "ksc56011987": .eucKR,
    ]

    /// Converts a text to UTF-8 without a byte order mark.
    ///
    /// - Parameter encoding: nil to detect: a byte order mark, or zeros as in UTF-16; else UTF-8 if the bytes are
    ///   valid; else the encoding that XML and OFX state; else the one in which the letters make most sense. Throws a
    ///   fault when the bytes contradict the given one.
    package static func utf8(
        _ bytes: [UInt8], _ encoding: StatementEncoding?
    ) throws(Fault) -> (text: [UInt8], encoding: StatementEncoding) {
        if let encoding { try require(encoding, in: bytes) }
        let found: StatementEncoding
        if let encoding { found = encoding } else { found = try detect(bytes) }
        let text: [UInt8]
        switch found {
        case .utf8:
            // A mark at the start proves nothing about the rest.
            guard isUTF8(bytes) else { throw .invalidStatementUTF8 }
            text = Array(bytes.withoutByteOrderMark)
        case .utf16: text = fromUTF16(bytes)
        case .shiftJIS, .gb18030, .big5, .eucKR:
            guard let decoded = found.text(bytes) else {
                throw Fault("encoding", .invalidFormat, "Not valid \(found.rawValue).")
            }
            text = Array(decoded.utf8)
        default: text = found.decoded(bytes)
        }
        guard !text.withUnsafeBytes(CharacterRuns.areTooLong) else { throw .tooManyStatementMarks }
        return (text, found)
    }

    /// Throws when another encoding was given than the one that the bytes prove.
    private static func require(_ encoding: StatementEncoding, in bytes: [UInt8]) throws(Fault) {
        let proven = provenEncoding(bytes)
        switch (encoding, proven) {
        case (.utf8, nil):
            throw .invalidStatementUTF8
        case (_, nil):
            let isUnused = bytes.contains { $0 >= 0x80 && encoding.scalar($0) == "\u{FFFD}" }
            guard encoding == .utf16 || !encoding.hasPairs && isUnused else { return }
        case (let given, let proven?) where given == proven: return
        // Plain ASCII is the same in all but UTF-16.
        case (.utf16, _): break
        case (_, .utf8): guard bytes.contains(where: { $0 >= 0x80 }) else { return }
        default: break
        }
        let fitting = proven ?? StatementLetters.encoding(of: bytes)
        throw Fault(
            "encoding", .invalidFormat,
            "The file is not in \(encoding.rawValue). Use --encoding \(fitting.rawValue), or leave it out.")
    }

    private static func detect(_ bytes: [UInt8]) throws(Fault) -> StatementEncoding {
        if let proven = provenEncoding(bytes) { return proven }
        guard let stated = statedName(bytes) else { return StatementLetters.encoding(of: bytes) }
        guard let encoding = StatementEncoding(name: stated) else {
            throw Fault(
                "encoding", .invalidFormat,
                "The file says that it is in \(RefusedBooking.shown(stated)), which is not supported. Save it in UTF-8."
            )
        }
        switch encoding {
        case .utf8, .utf16: return StatementLetters.encoding(of: bytes)
        // The sign of the euro has no place in ISO 8859-1, but banks write it all the same.
        case .windows1252:
            return bytes.contains(0xA4) && !bytes.contains { (0x80...0x9F).contains($0) } ? .iso8859p15 : encoding
        default: return encoding
        }
    }

    /// The encoding that is beyond doubt; nil for those of one byte for each character.
    private static func provenEncoding(_ bytes: [UInt8]) -> StatementEncoding? {
        if bytes.starts(with: [UInt8].byteOrderMark) { return .utf8 }
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) { return .utf16 }
        let head = bytes.prefix(512)
        // Statements are mostly ASCII, so that every other byte is zero.
        if head.count >= 8, head.count(where: { $0 == 0 }) > head.count / 4 { return .utf16 }
        return isUTF8(bytes) ? .utf8 : nil
    }

    /// `encoding="ISO-8859-2"` of XML, `CHARSET:1252` of OFX; nil without one.
    private static func statedName(_ bytes: [UInt8]) -> String? {
        let head = String(decoding: bytes.prefix(400).map { $0 < 0x80 ? $0 : 0x3F }, as: UTF8.self)
        if head.contains("<?xml"), let start = head.firstRange(of: "encoding=") {
            let rest = head[start.upperBound...]
            guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
            return rest.dropFirst().split(separator: quote, omittingEmptySubsequences: false).first.map(String.init)
        }
        guard head.contains("OFXHEADER"), let start = head.firstRange(of: "CHARSET:") else { return nil }
        let name = head[start.upperBound...].prefix { !$0.isWhitespace && $0 != "<" }
        return name.isEmpty || name == "NONE" ? nil : String(name)
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

    /// From an encoding of one byte for each character.
    private func decoded(_ bytes: [UInt8]) -> [UInt8] {
        let table = (UInt8(0x80)...0xFF).map { UTF8.encode(scalar($0)).map(Array.init) ?? [] }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + bytes.count / 8)
        for byte in bytes {
            if byte < 0x80 { text.append(byte) } else { text += table[Int(byte) - 0x80] }
        }
        return text
    }
}

extension Fault {
    fileprivate static let invalidStatementUTF8 = Fault(
        "encoding", .invalidUTF8, "Not valid UTF-8. Use --encoding windows-1252 or utf-16.")

    package static let tooManyStatementMarks = Fault(
        "file", .invalidFormat,
        "At most \(CharacterRuns.mostMarks) combining marks on a letter and \(CharacterRuns.mostFlags) flags in a row.")
}
