import SQLDatabase

/// The prepared statements of one connection, by text and argument types.
struct PostgresStatements {
    private struct Prepared {
        let name: String
        let types: [UInt32]

        /// NULL matches any type.
        func takes(_ arguments: [SQLValue]) -> Bool {
            types.count == arguments.count
                && zip(types, arguments).allSatisfy { $1 == .null || $0 == PostgresValue.oid(of: $1) }
        }
    }

    private static let most = 256
    private var prepared: [String: [Prepared]] = [:]
    /// Oldest first.
    private var order: [(sql: String, name: String)] = []
    private var count = 0

    func name(of sql: String, for arguments: [SQLValue]) -> String? {
        prepared[sql]?.first { $0.takes(arguments) }?.name
    }

    /// Removes and returns the oldest statement if another must make room for a new one; nil if there is room. Never
    /// returns one with the same text, which a batch that is still being prepared may need.
    mutating func surplus(besides text: String) -> String? {
        guard order.count >= Self.most, let place = order.firstIndex(where: { $0.sql != text }) else { return nil }
        let (sql, name) = order.remove(at: place)
        prepared[sql]?.removeAll { $0.name == name }
        if prepared[sql]?.isEmpty == true { prepared[sql] = nil }
        return name
    }

    mutating func newName() -> String {
        count += 1
        return "s\(count)"
    }

    mutating func add(_ name: String, sql: String, types: [UInt32]) {
        prepared[sql, default: []].append(Prepared(name: name, types: types))
        order.append((sql, name))
    }
}

/// Statements use `?` for both databases; PostgreSQL numbers its placeholders.
enum PostgresStatementText {
    /// Replaces `?` outside of quotes and comments by `$1`, `$2`, … Returns their number.
    static func numbered(_ sql: String) -> (text: String, placeholders: Int) {
        var text: [UInt8] = []
        text.reserveCapacity(sql.utf8.count + 16)
        var placeholders = 0
        var bytes = sql.utf8.makeIterator()
        var pending = bytes.next()
        /// Copies through the first `end`.
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
