import HTTPWire
import SubGuardDomain

/// Writes the time of a line as RFC 3339, with milliseconds only if they are not zero. Caches the text of the last
/// second, because most lines share it.
struct LineTime {
    private var second = Int64.min
    /// The text up to the seconds, without time zone.
    private var text: [UInt8] = []

    mutating func append(_ instant: UTCInstant, to output: inout OutputBuffer) {
        let (quotient, rest) = instant.millisecondsSinceEpoch.quotientAndRemainder(dividingBy: 1000)
        let millisecond = rest < 0 ? rest + 1000 : rest
        let current = rest < 0 ? quotient - 1 : quotient
        if current != second {
            second = current
            text = Array(UTCInstant(secondsSinceEpoch: current).rfc3339.utf8.dropLast())
        }
        output.append(text)
        if millisecond != 0 {
            output.append(UInt8(ascii: "."))
            for divisor: Int64 in [100, 10, 1] {
                output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: millisecond / divisor % 10))
            }
        }
        output.append(UInt8(ascii: "Z"))
    }
}
