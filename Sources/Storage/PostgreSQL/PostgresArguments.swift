import SQLDatabase

/// Arguments for libpq: type, address, length and format of each.
struct PostgresArguments {
    // One buffer for all values, so that only one address must stay valid.
    private var bytes: [UInt8] = []
    private var places: [Int?] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []
    /// 0 lets the server infer the type.
    private(set) var types: [UInt32] = []

    var count: Int32 { Int32(clamping: types.count) }

    /// One argument per value.
    init(_ values: [SQLValue]) {
        for value in values {
            begin(PostgresValue.oid(of: value), isNull: value == .null)
            PostgresValue.append(value, to: &bytes)
            end()
        }
    }

    /// One array per column of the rows. All rows have equally many values.
    init(columnsOf rows: some Collection<[SQLValue]>) {
        for column in 0..<(rows.first?.count ?? 0) {
            let first = rows.first { $0[column] != .null }?[column]
            begin(first.map { PostgresValue.arrayOID(of: $0) } ?? 0, isNull: false)
            if let first {
                appendArray(rows, column, of: PostgresValue.oid(of: first))
            } else {
                appendArrayOfNulls(rows.count)
            }
            end()
        }
    }

    /// `array_recv` in src/backend/utils/adt/arrayfuncs.c: dimensions, whether there are nulls, the type; size and
    /// first index of the only dimension; then length and bytes of each element.
    private mutating func appendArray(_ rows: some Collection<[SQLValue]>, _ column: Int, of type: UInt32) {
        append(1)
        append(rows.contains { $0[column] == .null } ? 1 : 0)
        append(Int32(bitPattern: type))
        append(Int32(clamping: rows.count))
        append(1)
        for row in rows {
            let start = bytes.count
            append(row[column] == .null ? -1 : 0)
            PostgresValue.append(row[column], to: &bytes)
            guard row[column] != .null else { continue }
            let length = Int32(clamping: bytes.count - start - 4)
            withUnsafeBytes(of: length.bigEndian) { length in
                for (index, byte) in length.enumerated() { bytes[start + index] = byte }
            }
        }
    }

    private mutating func append(_ number: Int32) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// As text, which is valid for any array type: the element type is unknown.
    private mutating func appendArrayOfNulls(_ count: Int) {
        formats[formats.count - 1] = 0
        bytes += Array("{\([String](repeating: "NULL", count: count).joined(separator: ","))}\0".utf8)
    }

    private mutating func begin(_ type: UInt32, isNull: Bool) {
        types.append(type)
        places.append(isNull ? nil : bytes.count)
        lengths.append(Int32(clamping: bytes.count))
        formats.append(1)
    }

    private mutating func end() {
        lengths[lengths.count - 1] = Int32(clamping: bytes.count) - lengths[lengths.count - 1]
        // Even an empty value needs an address that is not null.
        bytes.append(0)
    }

    func withPointers<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Result
    ) -> Result {
        bytes.withUnsafeBytes { buffer in
            let values = places.map { place in
                place.flatMap { buffer.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self) }
            }
            return body(values, lengths, formats)
        }
    }
}
