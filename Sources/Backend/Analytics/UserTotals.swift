import SQLDatabase

/// How many users there are.
enum UserTotals {
    /// Users with at least one accepted event, those of the open transaction included.
    static func count(in session: any SQLSession) throws -> Int64 {
        try session.first("SELECT count(*) FROM users") { try $0.integer(0) } ?? 0
    }
}
