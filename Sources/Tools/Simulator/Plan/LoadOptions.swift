/// Durations on the command line: `20ms`, `1.5s`, `2m`, `1h`, `500us`.
package enum DurationText {
    /// `option` is named in the error.
    package static func parse(_ text: String, option: String) throws(LoadOptionError) -> Duration {
        let unit = text.reversed().prefix { !$0.isNumber }.reversed()
        guard let number = Double(text.dropLast(unit.count)), number.isFinite, (0...1e9).contains(number),
            let microseconds = microseconds[String(unit)]
        else { throw LoadOptionError(option, "'\(text)' is not a duration such as 20ms, 1.5s or 2m") }
        return .microseconds(Int64((number * microseconds).rounded()))
    }

    private static let microseconds: [String: Double] = [
        "us": 1, "ms": 1000, "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000,
    ]
}

extension Duration {
    /// Clamped to the range of the type, 292 years.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : product + attoseconds / 1_000_000_000
    }

    package var inSeconds: Double { Double(nanoseconds) / 1e9 }
}

/// An option with an unusable value.
package struct LoadOptionError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The name on the command line, including its hyphens.
    package let option: String
    package let reason: String

    package init(_ option: String, _ reason: String) {
        self.option = option
        self.reason = reason
    }

    package var description: String { "\(option): \(reason)" }
}
