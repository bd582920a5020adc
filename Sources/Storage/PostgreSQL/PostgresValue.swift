import SQLDatabase

/// Values in PostgreSQL's binary form (`src/backend/utils/adt`, functions `…send` and `…recv`): numbers big-endian,
/// texts and blobs unchanged.
enum PostgresValue {
    /// OIDs of `pg_type`, which are the same in every installation.
    enum OID {
        static let boolean: UInt32 = 16
        static let bytes: UInt32 = 17
        static let int8: UInt32 = 20
        static let int2: UInt32 = 21
        static let int4: UInt32 = 23
        static let text: UInt32 = 25
        static let name: UInt32 = 19
        static let varchar: UInt32 = 1043
        static let numeric: UInt32 = 1700
        static let void: UInt32 = 2278
        static let bytesArray: UInt32 = 1001
        static let texts: UInt32 = 1009
        static let int8s: UInt32 = 1016
    }

    /// The type of an argument; 0 for NULL, which lets the server infer it.
    static func oid(of value: SQLValue) -> UInt32 {
        switch value {
        case .null: 0
        case .integer: OID.int8
        case .text: OID.text
        case .blob: OID.bytes
        }
    }

    /// The type of an array of such values.
    static func arrayOID(of value: SQLValue) -> UInt32 {
        switch value {
        case .null: 0
        case .integer: OID.int8s
        case .text: OID.texts
        case .blob: OID.bytesArray
        }
    }

    /// Appends nothing for NULL.
    static func append(_ value: SQLValue, to bytes: inout [UInt8]) {
        switch value {
        case .null: break
        case .integer(let integer): withUnsafeBytes(of: integer.bigEndian) { bytes.append(contentsOf: $0) }
        case .text(let text): bytes.append(contentsOf: text.utf8)
        case .blob(let blob): bytes.append(contentsOf: blob)
        }
    }

    /// Nil unless the column is a whole number that fits into 64 bits.
    static func integer(_ bytes: UnsafeRawBufferPointer, oid: UInt32) -> Int64? {
        switch (oid, bytes.count) {
        case (OID.int8, 8): Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        case (OID.int4, 4): Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case (OID.int2, 2): Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        case (OID.boolean, 1): bytes[0] == 0 ? 0 : 1
        case (OID.numeric, 8...): wholeNumeric(bytes)
        default: nil
        }
    }

    /// The result of `sum` over 64-bit numbers: digits in base 10,000 after a header with the weight of the first one.
    private static func wholeNumeric(_ bytes: UnsafeRawBufferPointer) -> Int64? {
        func word(_ index: Int) -> Int16 {
            Int16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2 * index, as: Int16.self))
        }
        let (count, weight, sign) = (Int(word(0)), Int(word(1)), UInt16(bitPattern: word(2)))
        guard count >= 0, bytes.count == 8 + 2 * count, sign == 0 || sign == 0x4000, weight < 5 else { return nil }
        var value: Int64 = 0
        for place in 0...max(weight, count - 1, 0) {
            let digit = place < count ? Int64(word(4 + place)) : 0
            // Digits after the decimal point.
            if place > weight {
                guard digit == 0 else { return nil }
                continue
            }
            let (shifted, overflow) = value.multipliedReportingOverflow(by: 10_000)
            // Summed as a negative number, whose range has one value more.
            let (sum, overflowOfSum) = shifted.subtractingReportingOverflow(digit)
            guard !overflow, !overflowOfSum else { return nil }
            value = sum
        }
        if sign != 0 { return value }
        return value == .min ? nil : -value
    }
}
