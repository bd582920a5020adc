/// Statements are written with `?` for both databases; PostgreSQL numbers its placeholders.
enum PostgresStatementText {
    /// `?` outside of quotes and comments becomes `$1`, `$2`, … Returns how many there were.
    static func numbered(_ sql: String) -> (text: String, placeholders: Int) {
        var text: [UInt8] = []
        text.reserveCapacity(sql.utf8.count + 16)
        var placeholders = 0
        var bytes = sql.utf8.makeIterator()
        var pending = bytes.next()
        /// Copies up to and including the first `end`.
        func copy(through end: UInt8) {
            while let byte = bytes.next() {
                text.append(byte)
                if byte == end { break }
            }
            pending = bytes.next()
        }
        while let byte = pending {
            switch byte {
            case UInt8(ascii: "?"):
                placeholders += 1
                text += Array("$\(placeholders)".utf8)
                pending = bytes.next()
            case UInt8(ascii: "'"), UInt8(ascii: "\""):
                text.append(byte)
                copy(through: byte)
            case UInt8(ascii: "-"):
                text.append(byte)
                pending = bytes.next()
                if pending == byte {
                    text.append(byte)
                    copy(through: UInt8(ascii: "\n"))
                }
            default:
                text.append(byte)
                pending = bytes.next()
            }
        }
        return (String(decoding: text, as: UTF8.self), placeholders)
    }
}
