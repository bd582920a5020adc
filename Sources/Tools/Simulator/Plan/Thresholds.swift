package import ArgumentParser
import Histogram

/// The bounds that a run must keep to pass.
package struct Thresholds: ParsableArguments, Sendable {
    /// A number of requests, or a percentage of them.
    package enum Allowance: Sendable, Equatable, CustomStringConvertible {
        case count(Int)
        case percent(Double)

        static let none = Allowance.count(0)

        /// Parses `3` or `0.1%`.
        package init(_ text: String) throws {
            if text.hasSuffix("%"), let percent = Double(text.dropLast()), (0...100).contains(percent) {
                self = .percent(percent)
            } else if let count = Int(text), count >= 0 {
                self = .count(count)
            } else {
                throw ValidationError("'\(text)' is neither a number of requests nor a percentage such as 0.1%")
            }
        }

        func allows(_ count: Int, of total: Int) -> Bool {
            switch self {
            case .count(let most): count <= most
            case .percent(let percent): Double(count) <= Double(total) * percent / 100
            }
        }

        package var description: String {
            switch self {
            case .count(let count): NumberText.grouped(count)
            case .percent(let percent): "\(percent == percent.rounded() ? "\(Int(percent))" : "\(percent)") %"
            }
        }
    }

    @Option(
        name: .customLong("p95"), help: "Maximum p95, such as 20ms; with --devices, of the catalogue.",
        transform: DurationText.parse)
    package var p95: Duration?

    @Option(
        name: .customLong("p99"),
        help: "Maximum p99; with --devices, of the catalogue. (default: none; with --ramp 20ms)",
        transform: DurationText.parse)
    package var p99: Duration?

    @Option(
        help: "Maximum number of requests without a usable response, or their percentage, such as 0.1%. (default: 0)",
        transform: Allowance.init)
    package var errors = Allowance.none

    @Option(
        help: "Maximum number of responses with a status of 400 or more, or their percentage. (default: 0)",
        transform: Allowance.init)
    package var refused = Allowance.none

    package init() {}

    func check() throws(LoadOptionError) {
        for (option, bound) in [("--p95", p95), ("--p99", p99)] {
            if let bound, bound <= .zero { throw LoadOptionError(option, "must be greater than 0") }
        }
    }

    /// What exceeds a bound, each beginning with its option.
    ///
    /// - Parameters:
    ///   - total: the counts of all requests.
    ///   - latency: what the bounds of latency are for; `subject` names it.
    ///   - checksRefusals: false where every refusal is an unusable response, too.
    func failures(
        _ total: RouteTally, latency: Histogram<UInt64>, of subject: String = "", checksRefusals: Bool = true
    ) -> [String] {
        var failures: [String] = []
        for (option, percent, bound) in [("--p95", 95.0, p95), ("--p99", 99, p99)] {
            guard let bound else { continue }
            let (value, most) = (latency.value(at: percent), UInt64(max(0, bound.nanoseconds / 1000)))
            if latency.totalCount == 0 {
                failures.append("\(option): nothing was measured\(subject)")
            } else if value > most {
                failures.append(
                    "\(option): \(NumberText.milliseconds(fromMicroseconds: value))\(subject), more than "
                        + NumberText.milliseconds(fromMicroseconds: most))
            }
        }
        var errors = LoadFault.allCases.compactMap { fault in total.faults[fault].map { (fault.rawValue, $0) } }
        if total.unusable > 0 { errors.append(("answer of no use", total.unusable)) }
        let refusals = total.statuses.filter { $0.key >= 400 }.sorted { $0.key < $1.key }.map {
            ("\($0.key)", $0.value)
        }
        let bounds = [("--errors", self.errors, errors)] + (checksRefusals ? [("--refused", refused, refusals)] : [])
        for (option, allowance, counts) in bounds
        where !allowance.allows(counts.reduce(0) { $0 + $1.1 }, of: total.requests) {
            let words = counts.map { "\($0.0): \(NumberText.grouped($0.1))" }.joined(separator: ", ")
            failures.append("\(option): more than \(allowance): \(words)")
        }
        return failures
    }
}
