import Foundation

/// Numbers as text: grouped by thousands, with a fixed number of decimals, independent of the locale.
package enum NumberText {
    package static func grouped(_ value: Int) -> String {
        let digits = Array(String(value.magnitude))
        var text = value < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return text
    }

    /// Grouped, rounded half to even; up to three decimals.
    package static func fixed(_ value: Double, _ decimals: Int = 0) -> String {
        guard value.isFinite else { return "-" }
        let factor = [1, 10, 100, 1000][min(max(decimals, 0), 3)]
        let scaled = (value * Double(factor)).rounded(.toNearestOrEven)
        guard abs(scaled) < 9e15 else { return String(value) }
        let whole = Int(abs(scaled))
        let rest = String(whole % factor)
        let fraction = decimals > 0 ? "." + String(repeating: "0", count: decimals - rest.count) + rest : ""
        return (scaled < 0 ? "-" : "") + grouped(whole / factor) + fraction
    }

    /// Without groups and unnecessary decimals.
    static func plain(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
    }

    /// With two decimals and the unit.
    package static func milliseconds(fromMicroseconds value: UInt64) -> String {
        "\(fixed(Double(value) / 1000, 2)) ms"
    }
}
