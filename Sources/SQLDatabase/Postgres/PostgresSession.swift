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
}
