/// Numbers in SVG attributes: at most two decimals, no exponent, the same on every machine.
enum PlotNumber {
    static func text(_ number: Double) -> String {
        guard number.isFinite, abs(number) < 1e12 else { return "0" }
        let hundredths = Int64((number * 100).rounded(.toNearestOrAwayFromZero))
        let sign = hundredths < 0 ? "-" : ""
        let (whole, rest) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
        if rest == 0 { return "\(sign)\(whole)" }
        let decimals = rest % 10 == 0 ? "\(rest / 10)" : rest < 10 ? "0\(rest)" : "\(rest)"
        return "\(sign)\(whole).\(decimals)"
    }
}

/// A value axis with round steps.
package struct PlotScale: Sendable, Hashable {
    package let minimum: Double
    package let maximum: Double
    package let step: Double

    /// The smallest scale with 0 and all values, and at most five steps of 1, 2 or 5 times a power of ten.
    ///
    /// - Parameters:
    ///   - wholeNumbers: whether a step must be at least 1, for counts.
    ///   - ceiling: no tick beyond it, such as 100 for percentages.
    package init(of values: [Double], wholeNumbers: Bool = true, ceiling: Double? = nil) {
        let low = min(0, values.min() ?? 0)
        var high = max(0, values.max() ?? 0)
        if high == low { high = low + (wholeNumbers ? 4 : 1) }
        if let ceiling, high > ceiling * 0.8 { high = ceiling }
        var power = 1.0
        while power * 10 <= (high - low) / 5 { power *= 10 }
        while power > (high - low) / 5, !wholeNumbers || power > 1 { power /= 10 }
        var step = power
        for factor in [1.0, 2, 5, 10] where step * 5 < high - low || factor == 1 { step = power * factor }
        self.step = step
        minimum = (low / step).rounded(.down) * step
        maximum = (high / step).rounded(.up) * step
    }

    /// A scale for values near a ceiling, such as percentages of success: from a round value below the lowest up to the
    /// ceiling, with at most five steps. It does not begin at 0, so it is for lines only.
    package init(near values: [Double], ceiling: Double) {
        let low = min(values.min() ?? 0, ceiling)
        let span = max(ceiling - low, ceiling / 100)
        var power = 1.0
        while power * 10 <= span / 5 { power *= 10 }
        while power > span / 5 { power /= 10 }
        var step = power
        for factor in [1.0, 2, 5, 10] where step * 5 < span || factor == 1 { step = power * factor }
        self.step = step
        maximum = ceiling
        // A tiny excess of the division must not add a step.
        minimum = max(0, ceiling - (span / step - 0.001).rounded(.up) * step)
    }

    /// From the lowest to the highest.
    package var ticks: [Double] {
        let count = Int(((maximum - minimum) / step).rounded())
        return (0...max(count, 0)).map { minimum + Double($0) * step }
    }

    /// The distance of a value from the top of an area of this height.
    func distance(_ value: Double, height: Double) -> Double { height * (maximum - value) / (maximum - minimum) }
}

/// A moment to point out in a plot, such as a release.
package struct PlotMarker: Sendable, Hashable {
    /// The place among the points.
    package let index: Int
    package let label: String

    package init(index: Int, label: String) {
        self.index = index
        self.label = label
    }
}

/// A value to compare the points with, such as that of an alert rule.
package struct PlotLimit: Sendable, Hashable {
    package let value: Double
    package let label: String

    package init(value: Double, label: String) {
        self.value = value
        self.label = label
    }
}

/// A point of a plot: a period with its value.
package struct PlotPoint: Sendable, Hashable {
    /// The short label under the axis.
    package let label: String
    /// Nil where there is none, such as a rate of nothing.
    package let value: Double?
    /// Whether the period has not ended, so that the value will still change.
    package let isUnfinished: Bool

    package init(label: String, value: Double?, isUnfinished: Bool = false) {
        self.label = label
        self.value = value
        self.isUnfinished = isUnfinished
    }
}
