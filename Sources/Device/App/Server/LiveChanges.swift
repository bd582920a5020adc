import Dispatch
import Foundation
import HTTPServer
import Locking
import SubGuardEngine

/// Tells open pages that the store has changed, as server-sent events.
final class LiveChanges: Sendable {
    /// Another page ends the events of the oldest one, most likely one that has been left: a connection that has closed
    /// is noticed with the next sign of life. A page that is still open connects again.
    private static let maximumPages = 24
    /// How long a page waits before it gets a sign of life, in seconds.
    private static let pulseSeconds = 5

    private struct State {
        var number: Int64 = 0
        /// The oldest first.
        var waiting: [(page: ObjectIdentifier, semaphore: MonotonicSemaphore)] = []
        var isStopped = false

        func signal() {
            for (_, semaphore) in waiting { semaphore.signal() }
        }
    }

    /// How often the store is asked for changes while pages are open, in seconds.
    private static let pollSeconds = 0.2

    private let state = Guarded(State())
    private let store: DeviceStore

    /// A thread of its own watches the store: this program blocks the threads of tasks.
    init(_ store: DeviceStore) {
        self.store = store
        let thread = Thread { [weak self] in
            while self?.look() ?? false { Thread.sleep(forTimeInterval: Self.pollSeconds) }
        }
        thread.stackSize = 512 * 1024
        thread.start()
    }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.signal()
        }
    }

    /// Tells the pages of a new revision. Returns false after ``stop()``.
    private func look() -> Bool {
        let (isStopped, isAwaited) = state.withLock { ($0.isStopped, !$0.waiting.isEmpty) }
        guard isAwaited, !isStopped, let number = try? store.revision() else { return !isStopped }
        state.withLock { state in
            guard state.number != number else { return }
            state.number = number
            state.signal()
        }
        return true
    }

    /// The events of one page.
    ///
    /// - Parameter shown: the revision that the page shows. A newer one is sent at once.
    func page(showing shown: Int64?) -> any ChunkSource {
        let number = try? store.revision()
        let page = Page(self, showing: shown)
        state.withLock { state in
            if let number, number > state.number { state.number = number }
            if shown != nil, shown != state.number { page.semaphore.signal() }
            if state.waiting.count >= Self.maximumPages { state.waiting.removeFirst().semaphore.signal() }
            state.waiting.append((ObjectIdentifier(page), page.semaphore))
        }
        return page
    }

    private final class Page: ChunkSource {
        let semaphore = MonotonicSemaphore(value: 0)
        private let changes: LiveChanges
        /// The last revision of the page; nil before the first chunk of one that did not say.
        private let told: Guarded<Int64?>
        private let hasBegun = Guarded(false)

        init(_ changes: LiveChanges, showing shown: Int64?) {
            self.changes = changes
            told = Guarded(shown)
        }

        // The connection has closed.
        deinit {
            let id = ObjectIdentifier(self)
            changes.state.withLock { state in state.waiting.removeAll { $0.page == id } }
        }

        /// Waits for a change, or for the next sign of life, which finds connections that have closed.
        func nextChunk() -> [UInt8]? {
            let isFirst = hasBegun.withLock { hasBegun in
                defer { hasBegun = true }
                return !hasBegun
            }
            if isFirst {
                told.withLock { told in told = told ?? changes.state.withLock { $0.number } }
                return Array("retry: 1000\n\n".utf8)
            }
            _ = semaphore.wait(timeout: .now() + .seconds(LiveChanges.pulseSeconds))
            let id = ObjectIdentifier(self)
            let number = changes.state.withLock { state in
                state.isStopped || !state.waiting.contains { $0.page == id } ? nil : state.number
            }
            guard let number else { return nil }
            let isNew = told.withLock { told in
                defer { told = number }
                return told != number
            }
            return Array((isNew ? "event: change\ndata: \(number)\n\n" : ":\n\n").utf8)
        }
    }
}
