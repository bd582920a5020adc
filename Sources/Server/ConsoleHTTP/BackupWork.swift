import BackendHTTP
import Console
import Dispatch
import JSONWire
import Logging
import Operations
import ServerAccess
import SubGuardContract
import SubGuardDomain
import Synchronization

/// Backups and their verification on request of the console, one at a time, in the background.
final class BackupWork: Sendable {
    private let store: OpenStore
    private let keep: Int
    private let logger: Logger
    private let queue = DispatchQueue(label: "subguard.console.backup", qos: .utility)
    private let held = Mutex((state: BackupSection.WorkState(), keys: [String]()))

    /// Small databases are done within this time, so that the page that follows has the result.
    private static let timeout = DispatchTimeInterval.seconds(3)
    private static let rememberedKeys = 50

    init(store: OpenStore, settings: Settings, logger: Logger) {
        self.store = store
        keep = settings[\.backupKeep]
        self.logger = logger
    }

    var state: BackupSection.WorkState { held.withLock { $0.state } }

    /// Starts the work and waits a moment for its end. A form sent twice starts it once. Throws 409 while other work
    /// runs, and for a database that has no backups of its own.
    func start(_ work: BackupSection.Work, key: String?, by actor: Actor) throws(HTTPFailure) {
        guard store.sqlite != nil else {
            throw HTTPFailure(.conflict, "The database is PostgreSQL: back it up with its own tools.")
        }
        let startedAt = store.context.now()
        let (isRepeated, isBusy) = held.withLock { held in
            if let key, held.keys.contains(key) { return (true, false) }
            guard held.state.running == nil else { return (false, true) }
            held.state.running = (work, startedAt)
            if let key { held.keys = held.keys.suffix(Self.rememberedKeys) + [key] }
            return (false, false)
        }
        guard !isRepeated else { return }
        guard !isBusy else {
            throw HTTPFailure(.conflict, "A backup or its verification is running. Wait for its end.")
        }
        let done = DispatchSemaphore(value: 0)
        queue.async { [self] in
            var failure: String?
            do {
                try run(work, by: actor)
            } catch {
                failure = "\(error)"
                logger.warning("\(work.rawValue) by the console failed", metadata: ["error": "\(error)"])
            }
            held.withLock { held in
                held.state.running = nil
                held.state.last = (work, startedAt, failure)
            }
            done.signal()
        }
        _ = done.wait(timeout: .now() + Self.timeout)
    }

    private func run(_ work: BackupSection.Work, by actor: Actor) throws {
        let after = try JSONWriter.text { writer in
            switch work {
            case .backup:
                let backup = try store.backUp(to: store.backups)
                store.backups.prune(keeping: keep, written: backup.path, at: store.context.now())
                writer.field("path", backup.path)
                writer.field("bytes", backup.manifest.byteCount)
            case .drill:
                let proven = try store.files.drill()
                writer.field("path", proven.backup)
                writer.field("events", Int64(proven.copy.events))
            }
        }
        let action: AuditAction = work == .backup ? .storeBackup : .storeDrill
        try AuditLog(context: store.context).append(
            AuditChange(actor: actor, action: action, subjectID: nil, before: nil, after: after))
    }
}
