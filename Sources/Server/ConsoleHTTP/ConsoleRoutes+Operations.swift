import BackendHTTP
import Console
import Dispatch
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import HTTPWire
import JSONWire
import Locking
import Logging
import Operations
import SQLDatabase
import ServerAccess
import ServerContract
import SubGuardContract
import SubGuardDomain
import Synchronization
import Telemetry

/// What the pages of operations show.
struct ConsoleOperations: Sendable {
    let settings: Settings
    let store: OpenStore
    let storage: StorageWatch
    let readiness: Readiness
    let privacy: PrivacyRoutes
    let startedAt: UTCInstant
    let work: BackupWork

    /// More would be a list of its own; `backup_keep` is 7 by default.
    private static let listedBackups = 30
    /// A sink that is behind for so long needs attention.
    private static let mostLagMinutes: Int64 = 10
    private static let forgottenAfterSeconds: Int64 = 3_600

    func page() throws -> OperationsPage {
        let now = store.context.now()
        let status = try store.migrationStatus()
        let backups = store.backups
        let hours = settings[\.backupIntervalHours]
        return OperationsPage(
            version: BuildInfo.version, startedAt: startedAt,
            checks: readiness.parts().map {
                ($0.part, $0.failure == nil, $0.failure)
            },
            storage: (
                storage.level, storage.measure, storage.limits,
                store.context.store.dialect == .sqlite ? "SQLite" : "PostgreSQL"
            ),
            backups: store.sqlite == nil
                ? nil
                : BackupSection(
                    folder: backups.path, newest: backups.newest(Self.listedBackups, at: now),
                    status: BackupStatus(in: backups), state: work.state, everyHours: hours > 0 ? hours : nil,
                    keep: settings[\.backupKeep]),
            migrations: (
                status.applied.count, status.applied.last.map { "\($0.number)-\($0.slug)" },
                status.pending.map { "\($0.number)-\($0.slug)" }
            ),
            jobs: try JobLeases(context: store.context).list(), now: now)
    }

    /// What of it needs attention.
    func attention() throws -> [Attention] {
        var found: [Attention] = []
        if storage.level != .ok { found.append(.storage(storage.level)) }
        let failing = readiness.parts().count { $0.failure != nil && $0.part != .storage }
        if failing > 0 { found.append(.failingChecks(Int64(failing))) }
        if store.sqlite != nil {
            let hours = settings[\.backupIntervalHours]
            let status = BackupStatus(in: store.backups)
            BackupConcern(status, everyHours: hours > 0 ? hours : nil, at: store.context.now()).map {
                found.append(.backup($0))
            }
        }
        let now = store.context.now()
        let lag = try store.context.store.read { try EventSinkLag.present(at: now, in: $0) }
        let minutes = Int64(lag?.seconds ?? 0) / 60
        if minutes >= Self.mostLagMinutes { found.append(.eventSinkLag(minutes)) }
        // One that is long due is not scheduled any more, so nothing will clear its failure.
        let failed = try JobLeases(context: store.context).list().count {
            $0.failedAt != nil && ($0.isRunning || $0.dueAt > now.adding(seconds: -Self.forgottenAfterSeconds))
        }
        if failed > 0 { found.append(.failedJobs(Int64(failed))) }
        return found
    }

    var configuration: [SettingEntry] {
        settings.entries.map { entry in
            (
                entry.setting.key, entry.printable, Self.origin(entry.origin), entry.origin == .standard,
                entry.setting.summary
            )
        }
    }
}

extension ConsoleOperations {
    private static func origin(_ origin: Settings.Origin) -> Sentence {
        switch origin {
        case .flag: "flag"
        case .environment: "environment"
        case .file(let path): "file \(path)"
        case .standard: "default"
        }
    }
}

extension ConsoleRoutes {
    func operationBindings() -> [RouteBinding] {
        [
            gate.page("/console/operations", for: .owner) { _ in try operations.page() },
            gate.form("/console/operations", for: .owner, FormShape(["idempotency_key", "work"])) { visit in
                let form = try visit.form()
                guard let work = form["work"].flatMap({ BackupSection.Work(rawValue: $0) }) else {
                    throw HTTPFailure.invalid("form", .unknownValue, "The form does not say what to do.")
                }
                try operations.work.start(work, key: form["idempotency_key"], by: try visit.actor())
                return ConsoleResponse.seeOther("/console/operations")
            },
            gate.form("/console/operations/backups", for: .owner, FormShape(["download"])) { visit in
                // It holds everything at once.
                try gate.confirmed(visit) { visit in try download(try visit.form()["download"] ?? "", visit) }
            },
            gate.page("/console/operations/configuration", for: .owner) { visit in
                let showsAll = !visit.query.contains { $0.name == "show" && $0.value == "set" }
                return SimplePage.configuration(operations.configuration, showsAll: showsAll)
            },
            gate.page("/console/operations/privacy", for: .owner) { _ in
                SimplePage.privacy(try operations.privacy.report())
            },
        ]
    }

    /// Records the download of a backup and begins it. Throws 404 for one that is not there.
    private func download(_ name: String, _ visit: ConsoleVisit) throws -> Response {
        let store = operations.store
        guard store.sqlite != nil, let archive = store.backups.archive(of: name) else {
            throw HTTPFailure(.notFound, "There is no such backup.")
        }
        let actor = try visit.actor()
        let (folder, byteCount) = (archive.name, archive.byteCount)
        let after = JSONWriter.text { writer in
            writer.field("name", folder)
            writer.field("bytes", byteCount)
        }
        try AuditLog(context: store.context).append(
            AuditChange(actor: actor, action: .storeDownload, subjectID: nil, before: nil, after: after))
        let pieces = Mutex(archive)
        let (session, sessions) = (visit.session?.id, gate.sessions)
        var response = ConsoleResponse.page([])
        response.fields[.contentType] = "application/x-tar"
        response.fields[.contentDisposition] = "attachment; filename=\"\(folder).tar\""
        response.body = .chunks(
            GuardedDownload(
                name: "a download of a backup", actor: actor, permissions: Set(Permission.allCases),
                tokens: gate.tokens, hasSession: { try session.map(sessions.exists) ?? false }, now: gate.now,
                logger: gate.logger
            ) { try pieces.withLock { try $0.nextPiece() } })
        return response
    }
}

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
        let done = MonotonicSemaphore(value: 0)
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
