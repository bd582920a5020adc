import Synchronization

/// Why something did not get out, in words without the target, its credentials or what it answered.
package enum OutboundError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The target may not be reached.
    case notAllowed(String)
    case cannotResolve
    /// libcurl's own words for its error. `status` is what the other side said last, 0 for nothing.
    case failed(String, status: Int)
    case answerTooLarge
    /// ``OutboundStop/stop()`` was called.
    case stopped

    package var description: String {
        switch self {
        case .notAllowed(let reason): reason
        case .cannotResolve: "the name of the target cannot be resolved"
        case .failed(let words, let status): status > 0 ? "\(words) (status \(status))" : words
        case .answerTooLarge: "the answer is too large"
        case .stopped: "stopped"
        }
    }
}

/// Bounds of one transfer.
package struct OutboundLimits: Sendable {
    package var connectMilliseconds = 5_000
    /// From the end of resolving to the end of the answer.
    package var totalMilliseconds = 15_000
    package var maximumAnswerBytes = 65_536
    /// A PEM file of authorities to trust; nil for the system's.
    package var certificateAuthorities: String?

    package init() {}
}

/// Ends transfers that are under way, and lets no further one begin.
package final class OutboundStop: Sendable {
    private let flag = Atomic<Bool>(false)

    package init() {}

    package var isStopped: Bool { flag.load(ordering: .relaxed) }
    package func stop() { flag.store(true, ordering: .relaxed) }
}
