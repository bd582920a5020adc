/// One statement for many rows of arguments, in the form that suits each database.
///
/// A database in this process takes rows one by one and loses nothing by it. For one behind a wire a statement costs
/// far more than a row: there all rows go along with one.
package struct SQLBatchStatement: Sendable {
    /// Run for each row; the row's values are its arguments.
    package let eachRow: String
    /// Run once for all rows, on PostgreSQL: argument N is the array of their values N. The first column of what it
    /// answers is the number of the row, from 1, and the others are those of ``eachRow``. Rows may be answered in any
    /// order.
    package let allRows: String

    package init(eachRow: String, allRows: String) {
        self.eachRow = eachRow
        self.allRows = allRows
    }

    /// A column, and the type that PostgreSQL calls it by.
    package enum Column: Sendable {
        case integer(String)
        case blob(String)

        var name: String {
            switch self {
            case .integer(let name), .blob(let name): name
            }
        }

        var array: String {
            switch self {
            case .integer: "bigint[]"
            case .blob: "bytea[]"
            }
        }
    }

    /// Inserts rows. `conflict` follows the values, such as `ON CONFLICT … DO UPDATE …`; no two rows of a call may then
    /// be in each other's way.
    package static func insertion(into table: String, _ columns: [Column], conflict: String = "") -> SQLBatchStatement {
        let start = "INSERT INTO \(table) (\(columns.map(\.name).joined(separator: ", ")))"
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        return SQLBatchStatement(
            eachRow: "\(start) VALUES (\(marks)) \(conflict)",
            allRows: "\(start) SELECT * FROM \(unnested(columns)) \(conflict)")
    }

    /// Sets columns of the rows whose key is given. Each row of arguments holds the values and then the key.
    package static func update(of table: String, setting columns: [Column], by key: Column) -> SQLBatchStatement {
        let given = columns.map { "\($0.name) = given.\($0.name)" }.joined(separator: ", ")
        let marks = columns.map { "\($0.name) = ?" }.joined(separator: ", ")
        return SQLBatchStatement(
            eachRow: "UPDATE \(table) SET \(marks) WHERE \(key.name) = ?",
            allRows: """
                UPDATE \(table) SET \(given) FROM \(unnested(columns + [key])) WHERE \(table).\(key.name) = given.\(key.name)
                """)
    }

    /// Removes the rows whose key is given, of those for which `condition` holds.
    package static func removal(
        from table: String, by key: [Column], where condition: String? = nil
    ) -> SQLBatchStatement {
        let marks = key.map { "\($0.name) = ?" }
        let given = key.map { "\(table).\($0.name) = given.\($0.name)" }
        let others = condition.map { [$0] } ?? []
        return SQLBatchStatement(
            eachRow: "DELETE FROM \(table) WHERE \((marks + others).joined(separator: " AND "))",
            allRows: """
                DELETE FROM \(table) USING \(unnested(key)) WHERE \((given + others).joined(separator: " AND "))
                """)
    }

    private static func unnested(_ columns: [Column]) -> String {
        let arrays = columns.map { "?::\($0.array)" }.joined(separator: ", ")
        return "unnest(\(arrays)) AS given (\(columns.map(\.name).joined(separator: ", ")))"
    }
}
