/// One statement for many rows of arguments, in the form that suits each database.
///
/// An in-process database takes rows one by one at no extra cost. Over a network a statement costs far more than a row,
/// so one statement takes all rows.
package struct SQLBatchStatement: Sendable {
    /// Run for each row, with the row's values as arguments.
    package let eachRow: String
    /// Run once for all rows, on PostgreSQL: argument N is the array of the Nth values. The first column of its result
    /// is the number of the row, from 1; the other columns are those of ``eachRow``. Result rows may be in any order.
    package let allRows: String

    package init(eachRow: String, allRows: String) {
        self.eachRow = eachRow
        self.allRows = allRows
    }

    /// A column with its PostgreSQL type.
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

    /// Inserts rows. `conflict` follows the values, such as `ON CONFLICT … DO UPDATE …`; the rows of a call must then
    /// not conflict with each other.
    package static func insertion(into table: String, _ columns: [Column], conflict: String = "") -> SQLBatchStatement {
        let start = "INSERT INTO \(table) (\(columns.map(\.name).joined(separator: ", ")))"
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        return SQLBatchStatement(
            eachRow: "\(start) VALUES (\(marks)) \(conflict)",
            allRows: "\(start) SELECT * FROM \(unnested(columns)) \(conflict)")
    }

    /// Deletes rows by key, if they satisfy `condition`.
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
