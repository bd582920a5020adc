/// Reads the fixed-width numbers and separators of a date.
struct DigitReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func read(width: Int) -> Int? {
        guard position + width <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[position..<position + width] {
            guard let digit = Self.digit(byte) else { return nil }
            value = value * 10 + digit
        }
        position += width
        return value
    }

    /// Reads the next byte if it is a digit.
    mutating func readDigit() -> Int? {
        guard let next, let digit = Self.digit(next) else { return nil }
        position += 1
        return digit
    }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    /// Reads `YYYY-MM-DD`; nil when the day does not exist.
    mutating func readDay() -> CalendarDay? {
        guard let year = read(width: 4), skip(UInt8(ascii: "-")), let month = read(width: 2),
            skip(UInt8(ascii: "-")), let day = read(width: 2)
        else { return nil }
        return CalendarDay(year: year, month: month, day: day)
    }

    private static func digit(_ byte: UInt8) -> Int? {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") ? Int(byte - UInt8(ascii: "0")) : nil
    }
}

/// Writes fixed-width numbers and separators into a buffer.
struct DigitWriter {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
        self.buffer = buffer
    }

    mutating func append(_ byte: UInt8) {
        buffer[count] = byte
        count += 1
    }

    /// Writes the last `width` digits of a non-negative number.
    mutating func append(_ value: Int, width: Int) {
        var rest = value
        for index in stride(from: count + width - 1, through: count, by: -1) {
            buffer[index] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
        count += width
    }
}
