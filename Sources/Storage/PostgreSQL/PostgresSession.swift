import CPostgres
import SQLDatabase

/// One snapshot or one transaction on one PostgreSQL connection.
struct PostgresSession: SQLTransaction {
    let connection: PostgresConnection

    func forEach(_ sql: String, _ arguments: [SQLValue], _ visit: (any SQLRow) throws -> Void) throws {
        try connection.query(sql, arguments, context: "query") { result in
            for index in 0..<PQntuples(result) { try visit(PostgresRow(result: result, index: index)) }
        }
    }

    /// Without a cursor, libpq has the whole result before the first row is seen.
    func scan(_ sql: String, _ arguments: [SQLValue], _ visit: (any SQLRow) throws -> Void) throws {
        try connection.query("DECLARE scan NO SCROLL CURSOR FOR \(sql)", arguments, context: "scan") { _ in }
        var count: Int32
        repeat {
            count = try connection.query("FETCH 100 FROM scan", [], context: "scan") { result in
                for index in 0..<PQntuples(result) { try visit(PostgresRow(result: result, index: index)) }
                return PQntuples(result)
            }
        } while count > 0
        try connection.run("CLOSE scan", context: "scan")
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

    func enter(_ lane: SQLWriteLane) throws { try connection.run(lane.lock, context: "enter lane") }

    private var wrongNumber: SQLError { SQLError(code: .unexpectedType, number: 0, context: "row number") }

    /// Bounded, because both ends buffer pending rows in memory.
    private static let mostRowsAtOnce = 2048
}

/// One row of a result in binary form.
struct PostgresRow: SQLRow {
    let result: OpaquePointer
    let index: Int32
    /// Number of leading columns hidden from the reader.
    var firstColumn = 0

    func integer(_ column: Int) throws -> Int64 {
        guard let bytes = bytes(column), let value = PostgresValue.integer(bytes, oid: oid(column)) else {
            throw unexpectedType
        }
        return value
    }

    func text(_ column: Int) throws -> String {
        let texts = [PostgresValue.OID.text, PostgresValue.OID.varchar, PostgresValue.OID.name]
        guard texts.contains(oid(column)), let bytes = bytes(column) else { throw unexpectedType }
        return String(decoding: bytes, as: UTF8.self)
    }

    func blob(_ column: Int) throws -> [UInt8] {
        guard oid(column) == PostgresValue.OID.bytes, let bytes = bytes(column) else { throw unexpectedType }
        return [UInt8](bytes)
    }

    /// Also true for a column that does not exist; reading it throws.
    func isNull(_ column: Int) -> Bool { PQgetisnull(result, index, place(of: column)) == 1 }

    private func oid(_ column: Int) -> UInt32 { PQftype(result, place(of: column)) }

    private func place(of column: Int) -> Int32 { Int32(clamping: firstColumn + column) }

    /// Nil for NULL. Valid as long as the result.
    private func bytes(_ column: Int) -> UnsafeRawBufferPointer? {
        let column = place(of: column)
        guard column < PQnfields(result), PQgetisnull(result, index, column) == 0,
            let start = PQgetvalue(result, index, column)
        else { return nil }
        return UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, index, column)))
    }

    private var unexpectedType: SQLError { SQLError(code: .unexpectedType, number: 0, context: "read column") }
}
