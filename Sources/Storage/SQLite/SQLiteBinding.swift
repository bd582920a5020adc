import GRDB
import GRDBSQLite

/// Binds values by position.
enum SQLiteBinding {
    /// Throws when the number of values is not the number of placeholders: a missing one would be NULL in silence.
    static func bind(_ values: [SQLValue], to statement: SQLiteStatement) throws {
        guard Int(sqlite3_bind_parameter_count(statement)) == values.count else {
            throw SQLError(sqliteCode: SQLITE_MISUSE, context: "bind: number of arguments")
        }
        var index: CInt = 0
        for value in values {
            index += 1
            let code = bind(value, at: index, to: statement)
            guard code == SQLITE_OK else { throw SQLError(sqliteCode: code, context: "bind") }
        }
    }

    private static func bind(_ value: SQLValue, at index: CInt, to statement: SQLiteStatement) -> CInt {
        switch value {
        case .null:
            return sqlite3_bind_null(statement, index)
        case .integer(let integer):
            return sqlite3_bind_int64(statement, index, integer)
        case .text(var text):
            return text.withUTF8 { utf8 in
                utf8.withMemoryRebound(to: CChar.self) { characters in
                    sqlite3_bind_text64(
                        statement, index, characters.baseAddress, UInt64(characters.count), copied,
                        UInt8(SQLITE_UTF8))
                }
            }
        case .blob(let bytes):
            // An empty array may have no address, which would bind NULL.
            if bytes.isEmpty { return sqlite3_bind_zeroblob(statement, index, 0) }
            return bytes.withUnsafeBytes { buffer in
                sqlite3_bind_blob64(statement, index, buffer.baseAddress, UInt64(buffer.count), copied)
            }
        }
    }

    /// SQLITE_TRANSIENT, a cast that Swift does not import: SQLite copies the bytes before the call returns.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
