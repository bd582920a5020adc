import SubGuardDomain

/// Moments of the last days as text, without the calendar's arithmetic for each: the days are written once.
struct InstantText {
    /// `2026-11-20T10:00:00.000Z`
    static let length = 24
    private static let millisecondsPerDay: Int64 = 86_400_000

    private let firstDay: Int64
    private let days: [[UInt8]]

    /// For moments from `days` before `now` to a day after it.
    init(now: Int64, days count: Int) {
        firstDay = now / Self.millisecondsPerDay - Int64(count) - 1
        let first = firstDay
        days = (0..<Int64(count + 3)).map { offset in
            let noon = UTCInstant(millisecondsSinceEpoch: (first + offset) * Self.millisecondsPerDay)
            return Array(noon.rfc3339.utf8.prefix(10))
        }
    }

    /// Writes 24 characters at the position. A moment outside the range is taken for the nearest day in it.
    func write(_ milliseconds: Int64, to target: UnsafeMutableRawBufferPointer, at position: Int) {
        let day = milliseconds / Self.millisecondsPerDay
        let text = days[min(max(Int(day - firstDay), 0), days.count - 1)]
        for index in 0..<10 { target[position + index] = text[index] }
        let time = Int(milliseconds - day * Self.millisecondsPerDay)
        target[position + 10] = UInt8(ascii: "T")
        digits(time / 3_600_000, 2, target, position + 11)
        target[position + 13] = UInt8(ascii: ":")
        digits(time / 60_000 % 60, 2, target, position + 14)
        target[position + 16] = UInt8(ascii: ":")
        digits(time / 1000 % 60, 2, target, position + 17)
        target[position + 19] = UInt8(ascii: ".")
        digits(time % 1000, 3, target, position + 20)
        target[position + 23] = UInt8(ascii: "Z")
    }

    private func digits(_ value: Int, _ width: Int, _ target: UnsafeMutableRawBufferPointer, _ position: Int) {
        var rest = value
        for index in stride(from: position + width - 1, through: position, by: -1) {
            target[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }
}
