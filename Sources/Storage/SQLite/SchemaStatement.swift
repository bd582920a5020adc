/// The tokens of a statement that made a table, an index, a view or a trigger, without blanks and comments: equal ones
/// mean the same to SQLite. Names between quotation marks are told from words, and comments from names.
struct SchemaStatement: Equatable {
    private(set) var tokens: [String] = []

    /// - Parameter tables: names that are the same with and without quotation marks: SQLite quotes those of tables that
    ///   were renamed, as when figures that were computed again take the place of the former ones.
    init(_ text: String, tables: Set<String>) {
        let bytes = Array(text.utf8)
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            let next = place + 1 < bytes.count ? bytes[place + 1] : 0
            let end: Int
            switch byte {
            case 0x09, 0x0A, 0x0C, 0x0D, 0x20:
                place += 1
                continue
            case UInt8(ascii: "-") where next == byte:
                place = bytes[place...].firstIndex(of: 0x0A) ?? bytes.count
                continue
            case UInt8(ascii: "/") where next == UInt8(ascii: "*"):
                place = Self.endOfComment(bytes, place + 2)
                continue
            case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): end = Self.endOfQuoted(bytes, place, byte)
            case UInt8(ascii: "["): end = Self.endOfQuoted(bytes, place, UInt8(ascii: "]"))
            default:
                let word = bytes[place...].firstIndex { !Self.isOfWord($0) } ?? bytes.count
                end = max(word, place + 1)
            }
            let token = String(decoding: bytes[place..<end], as: UTF8.self)
            let name = String(token.dropFirst().dropLast())
            tokens.append(byte == UInt8(ascii: "\"") && tables.contains(name) ? name : token)
            place = end
        }
    }

    /// The index after the mark that ends a text or name; doubled marks belong to it.
    private static func endOfQuoted(_ bytes: [UInt8], _ start: Int, _ mark: UInt8) -> Int {
        var place = start + 1
        while let end = bytes[place...].firstIndex(of: mark) {
            guard mark != UInt8(ascii: "]"), end + 1 < bytes.count, bytes[end + 1] == mark else { return end + 1 }
            place = end + 2
        }
        return bytes.count
    }

    private static func endOfComment(_ bytes: [UInt8], _ start: Int) -> Int {
        var place = start
        while place + 1 < bytes.count {
            if bytes[place] == UInt8(ascii: "*"), bytes[place + 1] == UInt8(ascii: "/") { return place + 2 }
            place += 1
        }
        return bytes.count
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...: true
        default: false
        }
    }
}
