import CPostgres

/// One snapshot or one transaction on one PostgreSQL connection.
struct PostgresSession: SQLTransaction {
    let connection: PostgresConnection

    func forEach(_ sql: String, _ arguments: [SQLValue], _ visit: (any SQLRow) throws -> Void) throws {
        try connection.query(sql, arguments, context: "query") { result in
            for index in 0..<PQntuples(result) { try visit(PostgresRow(result: result, index: index)) }
        }
    }

    @discardableResult
    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        try connection.query(sql, arguments, context: "execute") { result in
            let count = String(cString: PQcmdTuples(result))
            return PQresultStatus(result) == PGRES_COMMAND_OK ? Int(count) ?? 0 : 0
        }
    }

    func forEach(
        _ sql: String, rows: [[SQLValue]], _ visit: (Int, any SQLRow) throws -> Void
    ) throws {
        try connection.pipeline(sql, rows: rows, context: "rows") { number, result in
            for index in 0..<PQntuples(result) { try visit(number, PostgresRow(result: result, index: index)) }
        }
    }

    func forEach(
        _ statement: SQLBatchStatement, rows: [[SQLValue]], _ visit: (Int, any SQLRow) throws -> Void
    ) throws {
        for start in stride(from: 0, to: rows.count, by: Self.mostRowsAtOnce) {
            let part = rows[start..<min(start + Self.mostRowsAtOnce, rows.count)]
            try connection.query(statement.allRows, columnsOf: part, context: "rows") { result in
                for index in 0..<PQntuples(result) {
                    let number = try PostgresRow(result: result, index: index).integer(0)
                    guard (1...Int64(part.count)).contains(number) else { throw wrongNumber }
                    try visit(start + Int(number) - 1, PostgresRow(result: result, index: index, firstColumn: 1))
                }
            }
        }
    }

    func enter(_ line: SQLWriteLine) throws { try connection.run(line.lock, context: "enter line") }

    private var wrongNumber: SQLError { SQLError(code: .unexpectedType, number: 0, context: "row number") }

    /// Both ends hold what is under way in memory.
    private static let mostRowsAtOnce = 2048
}
