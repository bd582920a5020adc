import ArgumentParser
import DeviceSimulation
import Histogram
import LatencyHistogram

/// The bounds that a run must keep to pass.
struct Thresholds: ParsableArguments {
    /// A number of requests, or a percentage of them.
    struct Allowance: Sendable, Equatable, CustomStringConvertible {
        static let none = Allowance(amount: 0, isPercentage: false)

        let amount: Double
        let isPercentage: Bool

        func allows(_ count: Int, of total: Int) -> Bool {
            Double(count) <= (isPercentage ? Double(total) * amount / 100 : amount)
        }

        var description: String {
            (amount == amount.rounded() ? NumberText.fixed(amount) : "\(amount)") + (isPercentage ? " %" : "")
        }
    }

    @Option(help: "Maximum p95, such as 20ms; with --devices, of the catalogue.", transform: DurationText.parse)
    var p95: Duration?

    @Option(
        help: "Maximum p99; with --devices, of the catalogue. (default: none; with --ramp 20ms)",
        transform: DurationText.parse)
    var p99: Duration?

    @Option(
        help: "Maximum number of requests without a usable response, or their percentage, such as 0.1%. (default: 0)",
        transform: Allowance.init)
    var errors = Allowance.none

    @Option(
        help: "Maximum number of responses with a status of 400 or more, or their percentage. (default: 0)",
        transform: Allowance.init)
    var refused = Allowance.none

    /// What exceeds a bound, each beginning with its option.
    func failures(of result: LoadResult) -> [String] {
        let (total, latency, isOfDevices) = (result.total, result.latency, result.plan.isOfDevices)
        let subject = isOfDevices ? " of the catalogue" : ""
        var failures: [String] = []
        for case (let option, let percent, let bound?) in [("--p95", 95.0, p95), ("--p99", 99, p99)] {
            let (value, most) = (latency.value(at: percent), UInt64(max(0, bound.nanoseconds / 1000)))
            if latency.totalCount == 0 {
                failures.append("\(option): nothing was measured\(subject)")
            } else if value > most {
                let words = [value, most].map { NumberText.milliseconds(fromMicroseconds: $0) }
                failures.append("\(option): \(words[0])\(subject), more than \(words[1])")
            }
        }
        var errors = LoadFault.allCases.compactMap { fault in total.faults[fault].map { (fault.rawValue, $0) } }
        if total.unusable > 0 { errors.append(("unusable response", total.unusable)) }
        // A device cannot use a refusal, so each is one of the errors.
        let refusals = total.statuses.filter { !isOfDevices && $0.key >= 400 }.sorted { $0.key < $1.key }
        for (option, allowance, counts) in [
            ("--errors", self.errors, errors), ("--refused", refused, refusals.map { ("\($0.key)", $0.value) }),
        ] where !allowance.allows(counts.reduce(0) { $0 + $1.1 }, of: total.requests) {
            let words = counts.map { "\($0.0): \(NumberText.grouped($0.1))" }.joined(separator: ", ")
            failures.append("\(option): more than \(allowance): \(words)")
        }
        return failures
    }
}

extension Thresholds.Allowance {
    /// Parses `3` or `0.1%`.
    init(_ text: String) throws {
        let isPercentage = text.hasSuffix("%")
        let amount = isPercentage ? Double(text.dropLast()) : Int(text).map { Double($0) }
        guard let amount, amount >= 0, !isPercentage || amount <= 100 else {
            throw ValidationError("'\(text)' is neither a number of requests nor a percentage such as 0.1%")
        }
        self.init(amount: amount, isPercentage: isPercentage)
    }
}
