import CSQLite
import SQLDatabase

/// A prepared statement, finalized together with this value.
final class SQLiteStatement {
    let handle: OpaquePointer

    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit { sqlite3_finalize(handle) }

    /// Whether it is at a row of a result that has not been read completely.
    var isBusy: Bool { sqlite3_stmt_busy(handle) != 0 }

    /// Advances to the next row; returns false if there is none.
    func step(context: String) throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw SQLError(sqliteCode: code, context: context)
        }
    }

    /// Resets the statement and clears its arguments.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// Binds values by position. Throws unless there is one per placeholder: a missing one would silently be NULL.
    func bind(_ values: [SQLValue]) throws {
        guard Int(sqlite3_bind_parameter_count(handle)) == values.count else {
            throw SQLError(sqliteCode: SQLITE_MISUSE, context: "bind: number of arguments")
        }
        var index: CInt = 0
        for value in values {
            index += 1
            let code = bind(value, at: index)
            guard code == SQLITE_OK else { throw SQLError(sqliteCode: code, context: "bind") }
        }
    }

    private func bind(_ value: SQLValue, at index: CInt) -> CInt {
        switch value {
        case .null:
            return sqlite3_bind_null(handle, index)
        case .integer(let integer):
            return sqlite3_bind_int64(handle, index, integer)
        case .text(var text):
            return text.withUTF8 { utf8 in
                utf8.withMemoryRebound(to: CChar.self) { characters in
                    sqlite3_bind_text64(
                        handle, index, characters.baseAddress, UInt64(characters.count), Self.copied,
                        UInt8(SQLITE_UTF8))
                }
            }
        case .blob(let bytes):
            // An empty array may have a null address, which would bind NULL.
            if bytes.isEmpty { return sqlite3_bind_zeroblob(handle, index, 0) }
            return bytes.withUnsafeBytes { buffer in
                sqlite3_bind_blob64(handle, index, buffer.baseAddress, UInt64(buffer.count), Self.copied)
            }
        }
    }

    /// SQLITE_TRANSIENT, a cast that Swift does not import: SQLite copies the bytes before the call returns.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

/// The current row of a statement. Reads columns directly from SQLite, without copying the row.
struct SQLiteRow: SQLRow {
    let statement: OpaquePointer

    func integer(_ column: Int) throws -> Int64 {
        let index = CInt(clamping: column)
        guard sqlite3_column_type(statement, index) == SQLITE_INTEGER else { throw unexpectedType }
        return sqlite3_column_int64(statement, index)
    }

    func text(_ column: Int) throws -> String {
        let index = CInt(clamping: column)
        guard sqlite3_column_type(statement, index) == SQLITE_TEXT else { throw unexpectedType }
        // The pointer is requested before the length, because requesting the text may convert the value and change its
        // length.
        guard let start = sqlite3_column_text(statement, index) else { throw outOfMemory }
        let length = Int(sqlite3_column_bytes(statement, index))
        return String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
    }

    func blob(_ column: Int) throws -> [UInt8] {
        let index = CInt(clamping: column)
        guard sqlite3_column_type(statement, index) == SQLITE_BLOB else { throw unexpectedType }
        // SQLite returns null for an empty blob.
        guard let start = sqlite3_column_blob(statement, index) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index))))
    }

    func isNull(_ column: Int) -> Bool {
        sqlite3_column_type(statement, CInt(clamping: column)) == SQLITE_NULL
    }

    private var unexpectedType: SQLError {
        SQLError(code: .unexpectedType, number: Int(SQLITE_MISMATCH), context: "read column")
    }

    private var outOfMemory: SQLError {
        SQLError(code: .other, number: Int(SQLITE_NOMEM), context: "read column")
    }
}
