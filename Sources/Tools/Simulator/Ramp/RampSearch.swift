/// A tried rate.
package struct RampStep: Sendable, Equatable {
    /// Events or requests per second, depending on the plan.
    package let rate: Double
    package let p99Microseconds: UInt64
    /// Whether the server kept the latency bound and the rate without errors.
    package let holds: Bool

    package init(rate: Double, p99Microseconds: UInt64, holds: Bool) {
        self.rate = rate
        self.p99Microseconds = p99Microseconds
        self.holds = holds
    }
}

/// Searches for the highest rate that holds: doubles the rate until it does not hold, then bisects the gap. The caller
/// runs each ``next`` rate and records the step.
package struct RampSearch: Sendable {
    /// The search ends when the gap between the highest rate that holds and the lowest that does not is at most this
    /// fraction of the former.
    private let precision: Double
    private let lowest: Double
    private var candidate: Double
    private var highestHolding: Double?
    private var lowestFailing: Double?
    package private(set) var steps: [RampStep] = []

    /// Starts at this rate, which should be low; if it does not hold, rates down to a hundredth of it are tried.
    package init(start: Double, precision: Double = 0.05) {
        candidate = start
        lowest = start / 100
        self.precision = precision
    }

    /// The rate to try next; nil when the search is over.
    package var next: Double? {
        if let highestHolding, let lowestFailing, lowestFailing - highestHolding <= precision * highestHolding {
            return nil
        }
        // Doubling it thirty times exceeds any server.
        return candidate < lowest || steps.count >= 40 ? nil : candidate
    }

    /// The highest rate that held; nil if none did.
    package var best: Double? { highestHolding }

    /// Records the outcome of ``next``.
    package mutating func record(_ step: RampStep) {
        steps.append(step)
        if step.holds {
            highestHolding = max(highestHolding ?? 0, step.rate)
        } else {
            lowestFailing = min(lowestFailing ?? .infinity, step.rate)
        }
        switch (highestHolding, lowestFailing) {
        case (let low?, let high?): candidate = (low + high) / 2
        case (let low?, nil): candidate = low * 2
        case (nil, let high?): candidate = high / 2
        case (nil, nil): break
        }
    }
}
