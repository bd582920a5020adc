import Foundation
import Locking

extension DeviceStore {
    /// Notifies of changes: yields the new revision immediately for changes of this process, and within `polling` for
    /// changes of other processes. Changes that arrive faster than they are consumed are combined.
    ///
    /// ```swift
    /// for await revision in store.changes() { show(try store.subscriptions.list(at: moment)) }
    /// ```
    public func changes(polling: Duration = .milliseconds(200)) -> AsyncStream<Int64> {
        let (stream, continuation) = AsyncStream.makeStream(of: Int64.self, bufferingPolicy: .bufferingNewest(1))
        let last = Guarded((try? revision()) ?? 0)
        let look: @Sendable () -> Void = { [weak self] in
            guard let self, let revision = try? self.revision() else { return }
            let isNew = last.withLock { last in
                defer { last = max(last, revision) }
                return revision > last
            }
            if isNew { continuation.yield(revision) }
        }
        let listener = listen(look)
        let poll = Task.detached { [weak self] in
            while !Task.isCancelled {
                try? await Task.sleep(for: polling)
                guard self != nil else { break }
                look()
            }
            continuation.finish()
        }
        continuation.onTermination = { [weak self] _ in
            poll.cancel()
            self?.unlisten(listener)
        }
        return stream
    }
}
