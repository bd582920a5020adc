import EventLog
import SQLDatabase

/// The tables that a rebuild fills beside those of the figures, because they are large: pages of users, and changes by
/// the moment. They are empty otherwise.
enum RebuiltTables {
    static func insert(_ pages: ArraySlice<UserPage.Keyed>, in transaction: any SQLTransaction) throws {
        try transaction.execute(
            pageInsertion, rows: pages.map { [.integer($0.firstKey), .blob($0.page.bytes)] })
    }

    /// Removes some rows. Returns whether there may be more.
    static func clearStep(rows: Int, in transaction: any SQLTransaction) throws -> Bool {
        let pages = try transaction.execute(
            """
            DELETE FROM rebuilt_user_pages WHERE first_key IN (
                SELECT first_key FROM rebuilt_user_pages ORDER BY first_key LIMIT ?)
            """, [.integer(Int64(rows))])
        let moments = try transaction.execute(
            """
            DELETE FROM rebuilt_figure_moments WHERE (hour_number, number) IN (
                SELECT hour_number, number FROM rebuilt_figure_moments ORDER BY hour_number, number LIMIT ?)
            """, [.integer(Int64(rows))])
        return pages >= rows || moments >= rows
    }

    /// Puts the content in place of that of the figures. Readers see the one or the other, whole.
    ///
    /// SQLite's snapshots contain the names of tables, so the tables change names there, which takes no time. What was
    /// replaced is then in the rebuilt tables, for ``clearStep(rows:in:)``. In PostgreSQL, a snapshot taken before
    /// would find a table renamed later, without its rows; so the rows are copied.
    ///
    /// - Parameter moments: whether changes by the moment were rebuilt too.
    static func swap(_ dialect: SQLDialect, moments: Bool, in transaction: any SQLTransaction) throws {
        switch dialect {
        case .sqlite:
            for table in moments ? ["user_pages", "figure_moments"] : ["user_pages"] {
                try transaction.execute("ALTER TABLE \(table) RENAME TO replaced_\(table)")
                try transaction.execute("ALTER TABLE rebuilt_\(table) RENAME TO \(table)")
                try transaction.execute("ALTER TABLE replaced_\(table) RENAME TO rebuilt_\(table)")
            }
        case .postgres:
            // In parts, because a statement has a timeout.
            for keys in KeyRanges.all(32) {
                let bounds: [SQLValue] = [.integer(keys.lowerBound), .integer(keys.upperBound)]
                try transaction.execute("DELETE FROM user_pages WHERE first_key BETWEEN ? AND ?", bounds)
                try transaction.execute(
                    """
                    INSERT INTO user_pages (first_key, users)
                    SELECT first_key, users FROM rebuilt_user_pages WHERE first_key BETWEEN ? AND ? ORDER BY first_key
                    """, bounds)
            }
            guard moments else { return }
            try transaction.execute("DELETE FROM figure_moments")
            try transaction.execute(
                """
                INSERT INTO figure_moments (hour_number, number, change_count, last_at, changes)
                SELECT hour_number, number, change_count, last_at, changes FROM rebuilt_figure_moments
                ORDER BY hour_number, number
                """)
        }
    }

    private static let pageInsertion = SQLBatchStatement.insertion(
        into: "rebuilt_user_pages", [.integer("first_key"), .blob("users")])
}

/// Ranges of the keys by which users are stored.
enum KeyRanges {
    /// All keys, in so many ranges of about the same width.
    static func all(_ count: Int) -> [ClosedRange<Int64>] {
        let count = max(1, count)
        let width = UInt64.max / UInt64(count)
        func key(_ offset: UInt64) -> Int64 { Int64(bitPattern: offset ^ 1 << 63) }
        return (0..<count).map { index in
            let first = UInt64(index) * width
            return key(first)...(index == count - 1 ? Int64.max : key(first + width - 1))
        }
    }

    /// Nil for a single key.
    static func halves(of keys: ClosedRange<Int64>) -> [ClosedRange<Int64>]? {
        guard keys.lowerBound < keys.upperBound else { return nil }
        let width = UInt64(bitPattern: keys.upperBound &- keys.lowerBound)
        let middle = keys.lowerBound &+ Int64(bitPattern: width / 2)
        return [keys.lowerBound...middle, (middle + 1)...keys.upperBound]
    }
}
