/// A number with at most three decimals, exact: the value of a rule, or a measured one.
package struct AlertValue: Sendable, Hashable {
    package let thousandths: Int64

    package static let maximum: Int64 = 1_000_000_000

    package init(thousandths: Int64) { self.thousandths = thousandths }

    /// From 0 to a billion, without sign and exponent, such as `99.9`. Nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy(Self.isDigits), let whole = Int64(parts[0]),
            whole <= Self.maximum
        else { return nil }
        var thousandths = whole * 1000
        if parts.count == 2 {
            // Further decimals may only be zeros.
            let decimals = parts[1].prefix(3)
            guard parts[1].dropFirst(3).allSatisfy({ $0 == "0" }), let fraction = Int64(decimals) else { return nil }
            thousandths += fraction * [100, 10, 1][decimals.count - 1]
        }
        guard thousandths <= Self.maximum * 1000 else { return nil }
        self.thousandths = thousandths
    }

    var magnitude: AlertValue { AlertValue(thousandths: Int64(clamping: thousandths.magnitude)) }

    /// A measured change with its direction, growth being positive whatever the rule looks for, and with one decimal,
    /// as the dashboard has it. A rule for falls measures how much a figure fell.
    package func change(measuredFor comparison: AlertComparison) -> AlertValue {
        let isFall = (thousandths < 0) != (comparison == .fallsBy)
        let tenths = Int64(clamping: (thousandths.magnitude + 50) / 100)
        return AlertValue(thousandths: tenths * (isFall ? -100 : 100))
    }

    private static func isDigits(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.count <= 20 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// The shortest decimal text, which is also a JSON number: `99.9`, `-3`, `0.125`.
    package var text: String {
        let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
        var text = "\(thousandths < 0 ? "-" : "")\(whole)"
        if rest > 0 {
            var decimals = String(1000 + rest).dropFirst()
            while decimals.last == "0" { decimals.removeLast() }
            text += "." + decimals
        }
        return text
    }
}

/// A number of hours or days that ends now, as it was given: `24h`, `7d`.
package struct AlertWindow: Sendable, Hashable {
    package let text: String
    package let hours: Int64

    package static let pattern = "^(?:[1-9]|[1-9][0-9]|[1-6][0-9]{2}|7[01][0-9]|720)h$|^(?:[1-9]|[12][0-9]|30)d$"

    /// From 1h to 720h, or from 1d to 30d. Nil for anything else.
    package init?(_ text: String) {
        let digits = text.dropLast()
        guard let unit = text.last, unit == "h" || unit == "d", (1...3).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), digits.first != "0", let number = Int64(digits)
        else { return nil }
        let hours = unit == "h" ? number : number * 24
        guard hours <= 30 * 24 else { return nil }
        self.text = text
        self.hours = hours
    }

    var seconds: Int64 { hours * 3600 }
}
