/// Why a store refused. Branch on ``code``; ``number`` is the engine's own for the log: SQLite's extended result code,
/// or PostgreSQL's SQLSTATE, whose five characters are read as a number in base 36.
///
/// The printed form never holds bound values or the statement's text: they may be secrets or somebody's data.
package struct SQLError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The closed set that callers may branch on.
    package enum Code: String, Sendable {
        case uniqueViolation, foreignKeyViolation, checkViolation, notNullViolation
        case busy, readOnly, diskFull, inputOutput, corrupt, cannotOpen, interrupted
        /// The database's server cannot be reached, or the connection broke.
        case disconnected
        case unexpectedType, closed, other
    }

    package let code: Code
    package let number: Int
    /// A few fixed words about what was being done, e.g. `open`. Never data.
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

    /// As PostgreSQL's manual lists them (appendix A); nil for an error of SQLite or of ours.
    package var sqlState: String? {
        // Every class but the successful "00" lies above the numbers of SQLite, which have 16 bits.
        guard number > 1 << 16 else { return nil }
        let digits = String(number, radix: 36, uppercase: true)
        return String(repeating: "0", count: max(0, 5 - digits.count)) + digits
    }
}
