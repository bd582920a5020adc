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
        guard let sqlState else { return "SQLError(\(code.rawValue), number \(number), \(context))" }
        return "SQLError(\(code.rawValue), SQLSTATE \(sqlState), \(context))"
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
