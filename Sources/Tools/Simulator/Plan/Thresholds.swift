import Histogram

/// The bounds that a run must keep to pass.
package struct Thresholds: Sendable, Equatable {
    /// A number of requests, or a percentage of them.
    package enum Allowance: Sendable, Equatable {
        case count(Int)
        case percent(Double)

        /// Parses `3` or `0.1%`; `option` is named in the error.
        package init(_ text: String, option: String) throws(LoadOptionError) {
            if text.hasSuffix("%"), let percent = Double(text.dropLast()), (0...100).contains(percent) {
                self = .percent(percent)
            } else if let count = Int(text), count >= 0 {
                self = .count(count)
            } else {
                throw LoadOptionError(option, "'\(text)' is neither a number of requests nor a percentage such as 0.1%")
            }
        }

        func allows(_ count: Int, of total: Int) -> Bool {
            switch self {
            case .count(let most): count <= most
            case .percent(let percent): Double(count) <= Double(total) * percent / 100
            }
        }

        var text: String {
            switch self {
            case .count(let count): NumberText.grouped(count)
            case .percent(let percent): "\(NumberText.plain(percent)) %"
            }
        }
    }

    /// Bounds of latency; nil for none.
    package var p95: Duration?
    package var p99: Duration?
    /// Requests without a usable response.
    package var errors = Allowance.count(0)
    /// Responses with a status of 400 or more.
    package var refused = Allowance.count(0)

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
            let value = latency.value(at: percent)
            if latency.totalCount == 0 {
                failures.append("\(option): nothing was measured\(subject)")
            } else if value > UInt64(max(0, bound.nanoseconds / 1000)) {
                let most = UInt64(max(0, bound.nanoseconds / 1000))
                failures.append(
                    "\(option): \(NumberText.milliseconds(fromMicroseconds: value)) ms\(subject), more than "
                        + "\(NumberText.milliseconds(fromMicroseconds: most)) ms")
            }
        }
        let errors = total.errors
        let errorCount = errors.reduce(0) { $0 + $1.count }
        if !self.errors.allows(errorCount, of: total.requests) {
            failures.append("--errors: more than \(self.errors.text): " + Self.words(errors))
        }
        let refusals = total.statuses.filter { $0.key >= 400 }.sorted { $0.key < $1.key }
        if checksRefusals, !refused.allows(refusals.reduce(0) { $0 + $1.value }, of: total.requests) {
            failures.append(
                "--refused: more than \(refused.text): " + Self.words(refusals.map { ("\($0.key)", $0.value) }))
        }
        return failures
    }

    private static func words(_ counts: [(name: String, count: Int)]) -> String {
        counts.map { "\($0.name): \(NumberText.grouped($0.count))" }.joined(separator: ", ")
    }
}

extension RouteTally {
    /// Requests without a usable response, by reason.
    var errors: [(name: String, count: Int)] {
        LoadFault.allCases.compactMap { fault in faults[fault].map { (fault.rawValue, $0) } }
            + (unusable > 0 ? [("answer of no use", unusable)] : [])
    }
}
