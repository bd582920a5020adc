import Dispatch
import HTTPServer
import Locking
import SubGuardEngine

/// Tells open pages that the store has changed, as server-sent events.
final class LiveChanges: Sendable {
    /// Further pages are not told.
    private static let maximumPages = 24
    /// How long a page waits before it gets a sign of life, in seconds.
    private static let pulseSeconds = 10

    private struct State {
        var number: Int64 = 0
        var waiting: [ObjectIdentifier: DispatchSemaphore] = [:]
        var isStopped = false
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
            for semaphore in state.waiting.values { semaphore.signal() }
        }
    }

    private func tell(_ number: Int64) {
        state.withLock { state in
            state.number = number
            for semaphore in state.waiting.values { semaphore.signal() }
        }
    }

    /// The events of one page; nil when too many pages are open.
    func page() -> (any ChunkSource)? {
        let page = Page(self)
        let isTaken = state.withLock { state in
            guard state.waiting.count < Self.maximumPages, !state.isStopped else { return false }
            state.waiting[ObjectIdentifier(page)] = page.semaphore
            return true
        }
        return isTaken ? page : nil
    }

    private final class Page: ChunkSource {
        let semaphore = DispatchSemaphore(value: 0)
        private let changes: LiveChanges
        private let told: Guarded<Int64?> = Guarded(nil)

        init(_ changes: LiveChanges) { self.changes = changes }

        // The connection has closed.
        deinit { changes.state.withLock { _ = $0.waiting.removeValue(forKey: ObjectIdentifier(self)) } }

        /// Waits for a change, or for the next sign of life, which finds connections that have closed.
        func nextChunk() -> [UInt8]? {
            let isFirst = told.withLock { told in
                defer { told = told ?? changes.state.withLock { $0.number } }
                return told == nil
            }
            if isFirst { return Array("retry: 1000\n\n".utf8) }
            _ = semaphore.wait(timeout: .now() + .seconds(LiveChanges.pulseSeconds))
            let (number, isStopped) = changes.state.withLock { ($0.number, $0.isStopped) }
            guard !isStopped else { return nil }
            let isNew = told.withLock { told in
                defer { told = number }
                return told != number
            }
            return Array((isNew ? "event: change\ndata: \(number)\n\n" : ":\n\n").utf8)
        }
    }
}
