extension CalendarDay {
    /// Reads exactly `YYYY-MM-DD`; nil for any other form and for a day that does not exist.
    public init?(iso: String) {
        var iso = iso
        let parsed = iso.withUTF8 { Self.parse(UnsafeRawBufferPointer($0)) }
        guard let parsed else { return nil }
        self = parsed
    }

    /// Reads exactly `YYYY-MM-DD` from bytes.
    public init?(iso bytes: UnsafeRawBufferPointer) {
        guard let parsed = Self.parse(bytes) else { return nil }
        self = parsed
    }

    /// The day as `YYYY-MM-DD`.
    public var iso: String {
        String(unsafeUninitializedCapacity: 10) { buffer in
            var digits = DigitWriter(buffer)
            write(to: &digits)
            return digits.count
        }
    }

    func write(to digits: inout DigitWriter) {
        let (year, month, day) = components
        digits.append(year, width: 4)
        digits.append(UInt8(ascii: "-"))
        digits.append(month, width: 2)
        digits.append(UInt8(ascii: "-"))
        digits.append(day, width: 2)
    }

    private static func parse(_ bytes: UnsafeRawBufferPointer) -> CalendarDay? {
        var digits = DigitReader(bytes)
        guard bytes.count == 10, let day = digits.readDay() else { return nil }
        return day
    }
}

extension CalendarDay: CustomStringConvertible {
    public var description: String { iso }
}
