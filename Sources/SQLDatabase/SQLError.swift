/// Why a store refused. Branch on ``code``; ``number`` is the engine's own (SQLite's extended result code) for the log.
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

    package var description: String { "SQLError(\(code.rawValue), number \(number), \(context))" }
}
