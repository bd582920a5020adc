import GRDB
import GRDBSQLite

/// The row on which a statement stands. Reads each column straight from SQLite, without a copy of the row.
struct SQLiteRow: SQLRow {
    let statement: SQLiteStatement

    func integer(_ column: Int) throws -> Int64 {
        let index = CInt(clamping: column)
        guard sqlite3_column_type(statement, index) == SQLITE_INTEGER else { throw unexpectedType }
        return sqlite3_column_int64(statement, index)
    }

    func text(_ column: Int) throws -> String {
        let index = CInt(clamping: column)
        guard sqlite3_column_type(statement, index) == SQLITE_TEXT else { throw unexpectedType }
        // The pointer comes before the length: asking for the text may convert the value and so change its length.
        guard let start = sqlite3_column_text(statement, index) else { throw outOfMemory }
        let length = Int(sqlite3_column_bytes(statement, index))
        return String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
    }

    func blob(_ column: Int) throws -> [UInt8] {
        let index = CInt(clamping: column)
        guard sqlite3_column_type(statement, index) == SQLITE_BLOB else { throw unexpectedType }
        // SQLite has no address for an empty blob.
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
