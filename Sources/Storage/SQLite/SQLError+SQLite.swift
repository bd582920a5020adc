import CSQLite
import SQLDatabase

extension SQLError {
    /// Maps an extended result code (https://www.sqlite.org/rescode.html). Omits SQLite's message, which may contain
    /// values.
    init(sqliteCode: CInt, context: String) {
        self.init(code: Code(sqliteCode: sqliteCode), number: Int(sqliteCode), context: context)
    }
}

extension SQLError.Code {
    init(sqliteCode: CInt) {
        // The low byte is the primary code; the rest is the detail.
        switch sqliteCode & 0xff {
        case SQLITE_CONSTRAINT: self = .init(constraintDetail: sqliteCode >> 8)
        case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
        case SQLITE_READONLY: self = .readOnly
        case SQLITE_FULL: self = .diskFull
        case SQLITE_IOERR: self = .inputOutput
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt
        case SQLITE_CANTOPEN, SQLITE_PERM: self = .cannotOpen
        case SQLITE_INTERRUPT: self = .interrupted
        default: self = .other
        }
    }

    /// The detail is the second byte of a constraint's code. Swift does not import the C macros for the whole codes.
    private init(constraintDetail: CInt) {
        switch constraintDetail {
        case 1, 7, 12: self = .checkViolation  // CHECK, TRIGGER's RAISE, DATATYPE of a STRICT table
        case 3: self = .foreignKeyViolation
        case 5: self = .notNullViolation
        case 6, 8, 10: self = .uniqueViolation  // PRIMARYKEY, UNIQUE, ROWID
        default: self = .other
        }
    }
}
