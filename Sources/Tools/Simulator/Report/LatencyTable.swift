package import Histogram

/// The usual percentiles.
package struct LatencyTable: Sendable, Equatable {
    package struct Row: Sendable, Equatable {
        /// Its name in the table and, without the dot, in JSON.
        package let name: String
        package let fromDueMicroseconds: UInt64
        package let fromSentMicroseconds: UInt64
    }

    package let rows: [Row]

    package static let percentiles: [(name: String, percent: Double)] = [
        ("p50", 50), ("p90", 90), ("p99", 99), ("p99.9", 99.9),
    ]

    package init(fromDue: Histogram<UInt64>, fromSent: Histogram<UInt64>) {
        rows =
            Self.percentiles.map { name, percent in
                Row(
                    name: name, fromDueMicroseconds: Self.value(of: fromDue, at: percent),
                    fromSentMicroseconds: Self.value(of: fromSent, at: percent))
            } + [
                Row(
                    name: "max", fromDueMicroseconds: Self.value(of: fromDue, at: 100),
                    fromSentMicroseconds: Self.value(of: fromSent, at: 100))
            ]
    }

    package init(_ tally: LoadTally) { self.init(fromDue: tally.fromDue, fromSent: tally.fromSent) }

    /// Returns 0 if nothing was measured.
    static func value(of histogram: Histogram<UInt64>, at percent: Double) -> UInt64 {
        histogram.totalCount == 0 ? 0 : histogram.valueAtPercentile(percent)
    }

    /// Omits `fromDue` for a closed loop, in which both are the same.
    package func lines(isClosed: Bool) -> [String] {
        let heading =
            NumberText.left("latency, ms", 16)
            + NumberText.right(isClosed ? "from sent" : "from due", 12)
            + (isClosed ? "" : NumberText.right("from sent", 12))
        return [heading]
            + rows.map { row in
                let due = NumberText.milliseconds(fromMicroseconds: row.fromDueMicroseconds)
                let sent = NumberText.milliseconds(fromMicroseconds: row.fromSentMicroseconds)
                return NumberText.left("  \(row.name)", 16) + NumberText.right(isClosed ? sent : due, 12)
                    + (isClosed ? "" : NumberText.right(sent, 12))
            }
    }
}
