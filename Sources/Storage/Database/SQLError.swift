/// An error of the database. Branch on ``code``; ``number`` is the engine's own code for the log: SQLite's extended
/// result code, or PostgreSQL's SQLSTATE, read as a number in base 36.
///
/// The description never contains bound values or the statement's text, which may be secret or personal.
package struct SQLError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The closed set of codes to branch on.
    package enum Code: String, Sendable {
        case uniqueViolation, foreignKeyViolation, checkViolation, notNullViolation
        case busy, readOnly, diskFull, inputOutput, corrupt, cannotOpen, interrupted
        /// The database server cannot be reached, or the connection broke.
        case disconnected
        /// A text has a character that the database cannot store: in PostgreSQL, NUL.
        case invalidText
        case unexpectedType, closed, other
    }

    package let code: Code
    package let number: Int
    /// A few fixed words that describe the operation, such as `open`. Never data.
    package let context: String

    package init(code: Code, number: Int, context: String) {
        self.code = code
        self.number = number
        self.context = context
    }

    package var description: String {
        if let sqlState { return "\(reason) (SQLSTATE \(sqlState), \(context))" }
        return number == 0 ? "\(reason) (\(context))" : "\(reason) (SQLite error \(number), \(context))"
    }

    /// What went wrong, and what to do where that is known, as the end of a sentence.
    package var reason: String {
        switch code {
        case .uniqueViolation: "a value that must be unique is there already"
        case .foreignKeyViolation: "a row that another one names is missing"
        case .checkViolation: "a value breaks a rule of the schema"
        case .notNullViolation: "a value is missing"
        case .busy: "the database is busy"
        case .readOnly: "the database is read-only"
        case .diskFull: "the disk is full"
        case .inputOutput: "the disk fails"
        case .corrupt: "the database is damaged"
        case .cannotOpen: "the database cannot be opened"
        case .interrupted: "the statement took too long"
        case .disconnected: "the database does not respond"
        case .invalidText: "a text has a character that the database cannot store"
        case .unexpectedType: "a value is not of the expected type"
        case .closed: "the database is closed"
        case .other:
            switch sqlState {
            case "42501":
                "this role lacks a permission: make it the owner of the database and of its tables, or grant it CREATE "
                    + "on the schema and access to the tables"
            case "42P01": "a table is missing"
            case "42703": "a column is missing"
            default: "the database refuses the statement"
            }
        }
    }

    /// Whether the disk took no write: reads may go on.
    package var isOfDisk: Bool { [.diskFull, .readOnly, .inputOutput].contains(code) }

    /// Whether PostgreSQL gave up waiting for a lock (`lock_not_available`).
    package var isLockTimeout: Bool { sqlState == "55P03" }

    /// The code in appendix A of PostgreSQL's manual; nil for an error of SQLite or of this program.
    package var sqlState: String? {
        // Every class except the successful "00" is above the 16-bit codes of SQLite.
        guard number > 1 << 16 else { return nil }
        let digits = String(number, radix: 36, uppercase: true)
        return String(repeating: "0", count: max(0, 5 - digits.count)) + digits
    }
}
