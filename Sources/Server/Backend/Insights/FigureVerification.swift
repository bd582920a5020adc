/// Where the kept figures and those of the raw events differ.
package struct FigureVerification: Sendable {
    package struct Difference: Sendable, Hashable {
        /// What it is about, e.g. `2026-11-20: retention_d7` or `user 17: last_seen_at`.
        package let subject: String
        package let kept: String
        package let recomputed: String
    }

    /// Raw events that the figures were compared with.
    package var eventCount = 0
    /// Raw events that have yet to be counted, and so are in no figure.
    package var waitingCount = 0
    package var userCount = 0
    /// All that were found.
    package internal(set) var differenceCount = 0
    /// The first of them.
    package internal(set) var differences: [Difference] = []
    /// What could not be looked at because raw events have been purged, a sentence each.
    package internal(set) var unverified: [String] = []

    package var agrees: Bool { differenceCount == 0 }

    /// A store that is wrong throughout shall not fill the memory, nor the terminal.
    private static let maximumDifferences = 100

    mutating func compare<Value: Equatable>(
        _ subject: @autoclosure () -> String, kept: Value, recomputed: Value, _ text: (Value) -> String
    ) {
        guard kept != recomputed else { return }
        differenceCount += 1
        guard differences.count < Self.maximumDifferences else { return }
        differences.append(Difference(subject: subject(), kept: text(kept), recomputed: text(recomputed)))
    }

    mutating func compare(_ subject: @autoclosure () -> String, kept: Int64, recomputed: Int64) {
        compare(subject(), kept: kept, recomputed: recomputed) { "\($0)" }
    }
}
