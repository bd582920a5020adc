/// An exact number of a report: a whole count, or a percentage with one decimal.
package enum FigureNumber: Sendable, Hashable {
    case count(Int64)
    /// Tenths, so that 12.5 is 125 and no floating point is needed.
    case tenths(Int64)

    /// The number as decimal text that JSON takes as it stands: `42`, `-3`, `66.7`, `0.0`.
    package var text: String {
        switch self {
        case .count(let value): "\(value)"
        case .tenths(let value):
            "\(value < 0 ? "-" : "")\(value.magnitude / 10).\(value.magnitude % 10)"
        }
    }

    /// In tenths, whichever it is; held within the range of the type.
    var inTenths: Int64 {
        switch self {
        case .count(let value): Int64(clamping: Int128(value) * 10)
        case .tenths(let value): value
        }
    }

    /// `part` in percent of `whole`, rounded once, half to even; nil unless `whole` is above zero.
    package static func percent(_ part: Int64, of whole: Int64) -> FigureNumber? {
        guard whole > 0 else { return nil }
        let (quotient, remainder) = (Int128(part) * 1000).quotientAndRemainder(dividingBy: Int128(whole))
        let twice = remainder.magnitude * 2
        let isRoundedAway =
            twice > UInt128(whole) || twice == UInt128(whole) && !quotient.isMultiple(of: 2)
        let step: Int128 = isRoundedAway ? (part < 0 ? -1 : 1) : 0
        return .tenths(Int64(clamping: quotient + step))
    }
}
