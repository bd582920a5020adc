import Dispatch
import Foundation
import Locking
package import SubGuardClient
import SubGuardEngine

/// The server that the program was started with.
package struct ServerLink: Sendable {
    let address: String
    let synchroniser: Synchroniser
    let account: AccountSession

    package init(address: String, synchroniser: Synchroniser, account: AccountSession) {
        self.address = address
        self.synchroniser = synchroniser
        self.account = account
    }
}

/// Syncs with the server from a page: one sync at a time, which goes on when the page does not wait for its end.
final class ServerDesk: Sendable {
    /// How long a form waits for the end of its sync, in seconds. A page that is open shows the end later, as any
    /// change.
    private static let timeoutSeconds = 10

    private struct State {
        var isRunning = false
        var report: SyncReport?
    }

    /// Nil when the program was started without a server.
    let link: ServerLink?
    private let state = Guarded(State())

    init(_ link: ServerLink?) { self.link = link }

    var isRunning: Bool { state.withLock { $0.isRunning } }
    /// What the last sync from a page did; nil before the first.
    var report: SyncReport? { state.withLock { $0.report } }

    /// Begins a sync unless one is running. Returns at its end, at the latest after ``timeoutSeconds``.
    func sync(_ store: DeviceStore, at moment: Moment) throws {
        guard let link else { return }
        let begins = state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard begins else { return }
        // Before the events are sent, so that today's is among them.
        try? store.analytics.recordOpening(at: moment)
        let ended = MonotonicSemaphore(value: 0)
        Task { [state] in
            let report = await link.synchroniser.run(force: true, at: moment)
            state.withLock { $0 = State(report: report) }
            ended.signal()
        }
        _ = ended.wait(timeout: .now() + .seconds(Self.timeoutSeconds))
    }

    /// Signs out. Returns whether the server was notified; nil without a server.
    func signOut(_ store: DeviceStore, at moment: Moment) throws -> Bool? {
        guard let link else { return nil }
        guard link.account.otherServer == nil else { throw ClientError.notSignedIn }
        let isNotified = try Waiting.value { try await link.account.signOut() }
        try store.premium.removeProof(at: moment)
        return isNotified
    }
}

/// Waits for asynchronous work on a worker of the HTTP server, which is a thread of its own.
enum Waiting {
    static func value<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let result = Guarded<Result<Value, any Error>?>(nil)
        let ended = DispatchSemaphore(value: 0)
        // On a queue of its own, so that it needs none of the few shared threads, which others may keep busy.
        Task(executorPreference: WaitingQueue()) {
            do {
                let value = try await body()
                result.withLock { $0 = .success(value) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
            ended.signal()
        }
        ended.wait()
        guard let result = result.withLock({ $0 }) else { throw CancellationError() }
        return try result.get()
    }
}

private final class WaitingQueue: TaskExecutor {
    private let queue = DispatchQueue(label: "subguard.app.waiting")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
