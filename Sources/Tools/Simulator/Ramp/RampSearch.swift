/// One rate that was tried.
package struct RampStep: Sendable, Equatable {
    /// Events or requests a second, as the plan counts them.
    package let rate: Double
    package let p99Microseconds: UInt64
    /// Whether the server kept the bound, and the rate, without a fault.
    package let holds: Bool

    package init(rate: Double, p99Microseconds: UInt64, holds: Bool) {
        self.rate = rate
        self.p99Microseconds = p99Microseconds
        self.holds = holds
    }
}

/// Looks for the highest rate that holds: doubles until one does not, then halves the gap until it is narrow. It knows
/// nothing of servers; the caller tries each ``next`` rate and tells.
package struct RampSearch: Sendable {
    /// The gap between the highest that holds and the lowest that does not, in parts of the former, at which it ends.
    private let precision: Double
    private let lowest: Double
    private var candidate: Double
    private var highestHolding: Double?
    private var lowestFailing: Double?
    package private(set) var steps: [RampStep] = []

    /// Starts at this rate, which should be low; down to a hundredth of it is tried when it is not.
    package init(start: Double, precision: Double = 0.05) {
        candidate = start
        lowest = start / 100
        self.precision = precision
    }

    /// The rate to try; nil when the search is over.
    package var next: Double? {
        if let highestHolding, let lowestFailing, lowestFailing - highestHolding <= precision * highestHolding {
            return nil
        }
        // Twice thirty times is beyond any server.
        return candidate < lowest || steps.count >= 40 ? nil : candidate
    }

    /// The highest rate that held; nil when none did.
    package var best: Double? { highestHolding }

    /// Tells how ``next`` went.
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
