import SubGuardDomain

/// Numbers as text: grouped by thousands, with a fixed number of decimals, independent of the locale.
package enum NumberText {
    package static func grouped(_ value: Int) -> String { fixed(Double(value)) }

    /// Grouped, rounded half to even; up to three decimals.
    package static func fixed(_ value: Double, _ decimals: Int = 0) -> String {
        guard value.isFinite else { return "-" }
        let factor = [1, 10, 100, 1000][min(max(decimals, 0), 3)]
        let scaled = (value * Double(factor)).rounded(.toNearestOrEven)
        guard abs(scaled) < 9e15 else { return String(value) }
        let (whole, rest) = Int(abs(scaled)).quotientAndRemainder(dividingBy: factor)
        let text = (scaled < 0 ? "-" : "") + AmountStyle.english.grouped(whole)
        return decimals > 0 ? text + "." + String(String(factor + rest).dropFirst()) : text
    }

    /// With two decimals and the unit.
    package static func milliseconds(fromMicroseconds value: UInt64) -> String {
        "\(fixed(Double(value) / 1000, 2)) ms"
    }
}
