import Synchronization

/// Ends transfers that are under way, and lets no further one begin.
package final class OutboundStop: Sendable {
    private let flag = Atomic<Bool>(false)

    package init() {}

    package var isStopped: Bool { flag.load(ordering: .relaxed) }
    package func stop() { flag.store(true, ordering: .relaxed) }
}
