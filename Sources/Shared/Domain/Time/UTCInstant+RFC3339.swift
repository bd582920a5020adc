extension UTCInstant {
    /// Reads an RFC 3339 date-time with a zone; see the initializer for bytes.
    public init?(rfc3339: String) {
        var rfc3339 = rfc3339
        let parsed = rfc3339.withUTF8 { Self.parse(UnsafeRawBufferPointer($0)) }
        guard let parsed else { return nil }
        self = parsed
    }

    /// Reads an RFC 3339 date-time, or a day (`YYYY-MM-DD`) for its first moment in UTC.
    package init?(rfc3339OrDay text: String) {
        guard let instant = UTCInstant(rfc3339: text) ?? CalendarDay(iso: text).map({ UTCInstant(startOf: $0) }) else {
            return nil
        }
        self = instant
    }

    /// Reads an RFC 3339 date-time (section 5.6) with a zone.
    ///
    /// Fractions have one to nine digits and are truncated to milliseconds. The second 60 is accepted only at 23:59 UTC
    /// and counts as the following second. `T` and `Z` may be lower case. Rejects a blank instead of `T`, and instants
    /// outside the years 0001 to 9999.
    public init?(rfc3339 bytes: UnsafeRawBufferPointer) {
        guard let parsed = Self.parse(bytes) else { return nil }
        self = parsed
    }

    /// The instant in UTC, with milliseconds only if they are not 0: `2026-11-20T10:00:00Z`.
    public var rfc3339: String {
        String(unsafeUninitializedCapacity: Self.rfc3339Bytes, initializingUTF8With: writeRFC3339)
    }

    /// Maximum length of ``rfc3339`` in bytes.
    package static let rfc3339Bytes = 24

    /// Writes ``rfc3339`` and returns its length in bytes.
    package func writeRFC3339(to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var digits = DigitWriter(buffer)
        day.write(to: &digits)
        let time = Int(millisecondOfDay)
        digits.append(UInt8(ascii: "T"))
        digits.append(time / 3_600_000, width: 2)
        digits.append(UInt8(ascii: ":"))
        digits.append(time / 60_000 % 60, width: 2)
        digits.append(UInt8(ascii: ":"))
        digits.append(time / 1000 % 60, width: 2)
        if time % 1000 != 0 {
            digits.append(UInt8(ascii: "."))
            digits.append(time % 1000, width: 3)
        }
        digits.append(UInt8(ascii: "Z"))
        return digits.count
    }

    private static func parse(_ bytes: UnsafeRawBufferPointer) -> UTCInstant? {
        var digits = DigitReader(bytes)
        guard let day = digits.readDay(), digits.skip(UInt8(ascii: "T")) || digits.skip(UInt8(ascii: "t")),
            let hour = digits.read(width: 2), hour < 24, digits.skip(UInt8(ascii: ":")),
            let minute = digits.read(width: 2), minute < 60, digits.skip(UInt8(ascii: ":")),
            let second = digits.read(width: 2), second <= 60,
            let fraction = readFraction(&digits), let offsetMinutes = readOffset(&digits), digits.isAtEnd
        else { return nil }
        let minuteOfEpoch = day.daysSinceEpoch * 1440 + hour * 60 + minute - offsetMinutes
        // True at 23:59 UTC, also before the epoch.
        let isLastMinuteOfDay = (minuteOfEpoch + 1).isMultiple(of: 1440)
        guard second < 60 || isLastMinuteOfDay else { return nil }
        let milliseconds = (Int64(minuteOfEpoch) * 60 + Int64(second)) * 1000 + Int64(fraction)
        guard (earliest.millisecondsSinceEpoch...latest.millisecondsSinceEpoch).contains(milliseconds) else {
            return nil
        }
        return UTCInstant(millisecondsSinceEpoch: milliseconds)
    }

    /// Milliseconds of the fraction; 0 without one, nil when it is malformed.
    private static func readFraction(_ digits: inout DigitReader) -> Int? {
        guard digits.skip(UInt8(ascii: ".")) else { return 0 }
        var milliseconds = 0
        var count = 0
        while let digit = digits.readDigit() {
            if count < 3 { milliseconds = milliseconds * 10 + digit }
            count += 1
        }
        switch count {
        case 1: return milliseconds * 100
        case 2: return milliseconds * 10
        case 3...9: return milliseconds
        default: return nil
        }
    }

    /// The zone offset in minutes east of UTC; nil when it is missing or malformed.
    private static func readOffset(_ digits: inout DigitReader) -> Int? {
        if digits.skip(UInt8(ascii: "Z")) || digits.skip(UInt8(ascii: "z")) { return 0 }
        let isWest = digits.next == UInt8(ascii: "-")
        guard digits.skip(UInt8(ascii: "-")) || digits.skip(UInt8(ascii: "+")),
            let hours = digits.read(width: 2), hours < 24, digits.skip(UInt8(ascii: ":")),
            let minutes = digits.read(width: 2), minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (isWest ? -1 : 1)
    }
}

extension UTCInstant: CustomStringConvertible {
    /// The instant in UTC, such as `2026-11-20T10:00:00Z`; the same as ``rfc3339``.
    public var description: String { rfc3339 }
}
