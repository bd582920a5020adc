import SQLDatabase

extension SQLError {
    /// Maps an SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html), whose five characters become
    /// the number, in base 36. Omits the server's message, which may contain values.
    init(sqlState: String, context: String) {
        self.init(code: Code(sqlState: sqlState), number: Int(sqlState, radix: 36) ?? 0, context: context)
    }

    /// The connection broke or could not be opened.
    static func disconnected(_ context: String) -> SQLError {
        SQLError(code: .disconnected, number: 0, context: context)
    }
}

extension SQLError.Code {
    init(sqlState: String) {
        switch sqlState {
        case "23505": self = .uniqueViolation
        case "23503": self = .foreignKeyViolation
        case "23514", "P0001": self = .checkViolation  // CHECK, and a trigger's RAISE
        case "23502": self = .notNullViolation
        case "22021": self = .invalidText
        case "25006": self = .readOnly
        case "53100": self = .diskFull
        case "58030": self = .inputOutput
        case "XX001", "XX002": self = .corrupt
        // Lock not available, deadlock, serialization failure, too many connections.
        case "55P03", "40P01", "40001", "53300": self = .busy
        case "57014": self = .interrupted
        // The server is stopping, starting or recovering.
        case "57P01", "57P02", "57P03": self = .disconnected
        default: self = sqlState.hasPrefix("08") ? .disconnected : .other
        }
    }
}
