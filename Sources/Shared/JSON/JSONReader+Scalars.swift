extension JSONReader {
    package mutating func readString() throws(JSONError) -> String {
        try readRawString().string
    }

    /// Reads the next string: checked, but neither decoded nor copied.
    package mutating func readRawString() throws(JSONError) -> JSONText {
        try expect(.string)
        return try scanString()
    }

    package mutating func readBool() throws(JSONError) -> Bool {
        try expect(.bool)
        let value = bytes[position] == UInt8(ascii: "t")
        try scanLiteral(value ? "true" : "false")
        return value
    }

    package mutating func readNull() throws(JSONError) {
        try expect(.null)
        try scanLiteral("null")
    }

    /// Reads the next number exactly as written.
    package mutating func readNumberText() throws(JSONError) -> String {
        try expect(.number)
        return String(decoding: bytes[try scanNumber()], as: UTF8.self)
    }

    /// Reads the next number as an exact integer. Rejects a fraction or an exponent even if the value is whole.
    package mutating func readInteger() throws(JSONError) -> Int64 {
        try expect(.number)
        let start = position
        let range = try scanNumber()
        let isNegative = bytes[start] == UInt8(ascii: "-")
        var value: Int64 = 0
        for byte in bytes[(isNegative ? start + 1 : start)..<range.upperBound] {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else {
                position = start
                throw failure(.notAnInteger)
            }
            // Summed as a negative number, whose range has one value more.
            let (product, first) = value.multipliedReportingOverflow(by: 10)
            let (sum, second) = product.subtractingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
            guard !first, !second else {
                position = start
                throw failure(rangeFailure(range))
            }
            value = sum
        }
        if isNegative { return value }
        guard value != .min else {
            position = start
            throw failure(.integerOutOfRange)
        }
        return -value
    }

    /// A number too long for an integer may also have a fraction, which is then reported instead.
    private func rangeFailure(_ range: Range<Int>) -> JSONError.Reason {
        let hasFractionOrExponent = bytes[range].contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
        return hasFractionOrExponent ? .notAnInteger : .integerOutOfRange
    }

    private mutating func scanLiteral(_ literal: StaticString) throws(JSONError) {
        for index in 0..<literal.utf8CodeUnitCount {
            guard position < bytes.count else { throw failure(.unexpectedEnd) }
            guard bytes[position] == literal.utf8Start[index] else { throw failure(.unexpectedByte) }
            position += 1
        }
    }

    /// Skips a number by the grammar of RFC 8259 section 6 and returns its range.
    mutating func scanNumber() throws(JSONError) -> Range<Int> {
        let start = position
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        let leadsWithZero = position < bytes.count && bytes[position] == UInt8(ascii: "0")
        let integerDigits = try scanDigits()
        guard !leadsWithZero || integerDigits == 1 else { throw failure(.invalidNumber, at: start) }
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position += 1
            _ = try scanDigits()
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
                position += 1
            }
            _ = try scanDigits()
        }
        return start..<position
    }

    /// Skips one or more digits and returns their number.
    private mutating func scanDigits() throws(JSONError) -> Int {
        let start = position
        while position < bytes.count, bytes[position] >= UInt8(ascii: "0"), bytes[position] <= UInt8(ascii: "9") {
            position += 1
        }
        guard position > start else {
            throw failure(position == bytes.count ? .unexpectedEnd : .invalidNumber)
        }
        return position - start
    }
}
