import Dispatch
import HTTPServer
import Locking
import SubGuardEngine

/// Tells open pages that the store has changed, as server-sent events.
final class LiveChanges: Sendable {
    /// Another page ends the events of the oldest one, most likely one that has been left: a connection that has closed is
    /// noticed with the next sign of life. A page that is still open connects again.
    private static let maximumPages = 24
    /// How long a page waits before it gets a sign of life, in seconds.
    private static let pulseSeconds = 5

    private struct State {
        var number: Int64 = 0
        /// The oldest first.
        var waiting: [(page: ObjectIdentifier, semaphore: DispatchSemaphore)] = []
        var isStopped = false

        func signal() {
            for (_, semaphore) in waiting { semaphore.signal() }
        }
    }

    private let state = Guarded(State())
    private let watch: Guarded<Task<Void, Never>?> = Guarded(nil)

    init(_ store: DeviceStore) {
        let task = Task { [weak self] in
            for await number in store.changes() { self?.tell(number) }
        }
        watch.withLock { $0 = task }
    }

    func stop() {
        watch.withLock { $0?.cancel() }
        state.withLock { state in
            state.isStopped = true
            state.signal()
        }
    }

    private func tell(_ number: Int64) {
        state.withLock { state in
            state.number = number
            state.signal()
        }
    }

    /// The events of one page.
    func page() -> any ChunkSource {
        let page = Page(self)
        state.withLock { state in
            if state.waiting.count >= Self.maximumPages { state.waiting.removeFirst().semaphore.signal() }
            state.waiting.append((ObjectIdentifier(page), page.semaphore))
        }
        return page
    }

    private final class Page: ChunkSource {
        let semaphore = DispatchSemaphore(value: 0)
        private let changes: LiveChanges
        private let told: Guarded<Int64?> = Guarded(nil)

        init(_ changes: LiveChanges) { self.changes = changes }

        // The connection has closed.
        deinit {
            let id = ObjectIdentifier(self)
            changes.state.withLock { state in state.waiting.removeAll { $0.page == id } }
        }

        /// Waits for a change, or for the next sign of life, which finds connections that have closed.
        func nextChunk() -> [UInt8]? {
            let isFirst = told.withLock { told in
                defer { told = told ?? changes.state.withLock { $0.number } }
                return told == nil
            }
            if isFirst { return Array("retry: 1000\n\n".utf8) }
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
