import CPostgres

/// One row of an answer in binary form.
struct PostgresRow: SQLRow {
    let result: OpaquePointer
    let index: Int32
    /// Columns before it are not the reader's.
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

    /// True for a column that is not there, too: reading it throws.
    func isNull(_ column: Int) -> Bool { PQgetisnull(result, index, place(of: column)) == 1 }

    private func oid(_ column: Int) -> UInt32 { PQftype(result, place(of: column)) }

    private func place(of column: Int) -> Int32 { Int32(clamping: firstColumn + column) }

    /// Nil for NULL. Valid as long as the answer is.
    private func bytes(_ column: Int) -> UnsafeRawBufferPointer? {
        let column = place(of: column)
        guard column < PQnfields(result), PQgetisnull(result, index, column) == 0,
            let start = PQgetvalue(result, index, column)
        else { return nil }
        return UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, index, column)))
    }

    private var unexpectedType: SQLError { SQLError(code: .unexpectedType, number: 0, context: "read column") }
}
