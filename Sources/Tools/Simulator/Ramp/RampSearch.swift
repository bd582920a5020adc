/// Searches for the highest rate that holds: doubles the rate until it does not hold, then bisects the gap. The caller
/// runs each ``next`` rate and records the step.
package struct RampSearch: Sendable {
    /// The search ends when the gap between the highest rate that holds and the lowest that does not is at most this
    /// fraction of the former.
    private static let precision = 0.05
    /// Doubling a rate thirty times exceeds any server.
    private static let maximumSteps = 40

    private let start: Double
    package private(set) var steps: [RampStep] = []

    /// Starts at this rate, which should be low; if it does not hold, rates down to a hundredth of it are tried.
    package init(start: Double) { self.start = start }

    /// The highest rate that held; nil if none did.
    package var best: Double? { steps.filter(\.holds).map(\.rate).max() }

    /// The rate to try next; nil when the search is over.
    package var next: Double? {
        guard steps.count < Self.maximumSteps else { return nil }
        switch (best, steps.filter { !$0.holds }.map(\.rate).min()) {
        case (let holding?, let failing?):
            return failing - holding <= Self.precision * holding ? nil : (holding + failing) / 2
        case (let holding?, nil): return holding * 2
        case (nil, let failing?): return failing / 2 < start / 100 ? nil : failing / 2
        case (nil, nil): return start
        }
    }

    /// Records the outcome of ``next``.
    package mutating func record(_ step: RampStep) { steps.append(step) }
}
