import Backend
import EventLog
import Foundation
import HTTPServer
import Logging
import SubGuardContract
package import SubGuardDomain
import Synchronization

/// The running server: the one place where store, features, jobs and HTTP meet.
package final class Daemon: Sendable {
    /// The port that is really bound.
    package var port: Int { server.port }
    /// The port that only sends people to the one with TLS, when there is one.
    package var redirectPort: Int? { redirect?.port }
    private let server: HTTPServer
    /// The port of the listener for metrics, when there is one.
    package var metricsPort: Int? { operations?.port }
    private let redirect: HTTPServer?
    private let operations: HTTPServer?
    private let store: OpenStore
    private let ingest: EventIngest
    private let schedule: Schedule
    private let apple: AppleServices
    /// Tells `restore` that the store is in use. Nil when it is no file.
    private let lock: StoreLock?
    private let alerts: AlertDispatcher
    private let sink: LogSink
    private let logger: Logger
    private let draining: Flag
    private let drainTimeout: Duration

    /// Opens and migrates the store, starts listening. Throws what the operator has to mend.
    ///
    /// `now` is asked for every instant that is stored, compared or logged; `log` is the descriptor of the log;
    /// `sharedAnswerAge` is how old an answer to `/metrics` or `/readyz` may be to be given again.
    package init(
        settings: Settings, now: @escaping @Sendable () -> UTCInstant = OpenStore.now, log: Int32 = STDERR_FILENO,
        sharedAnswerAge: Duration = .seconds(1)
    ) throws {
        let sink = LogSink(descriptor: log)
        self.sink = sink
        let logger = Self.makeLogger(settings, sink: sink, now: now)
        self.logger = logger
        let draining = Flag()
        self.draining = draining
        drainTimeout = settings.seconds(.drainTimeout)
        let serving = try StoreFiles(settings: settings).store.map { path in
            guard let serving = try StoreLock.serving(path) else { throw StartError.storeIsRestored }
            return serving
        }
        lock = serving?.lock
        let startedAt = now()
        store = try OpenStore(settings: settings, migrations: .apply, now: now)
        // Whoever had begun them is gone. Not so where another server runs on the store, or may.
        if serving?.wasAlone == true { try IdempotencyStore(context: store.context).release(startedBefore: startedAt) }
        var limits = EventIngestLimits()
        limits.maximumWaitingEvents = settings.integer(.ingestMaximumWaitingEvents)
        limits.maximumEventsPerCommit = settings.integer(.ingestMaximumEventsPerCommit)
        let alertChannels = AlertChannels(settings: settings, now: now)
        let alertStore = AlertStore(
            context: store.context, targets: alertChannels.targets,
            maximumAttempts: settings.integer(.alertsMaximumAttempts))
        try alertStore.fireReached()
        limits.commitDelayMilliseconds = settings.integer(.ingestCommitDelay)
        let log = EventLog(context: store.context, alerts: alertStore)
        ingest = EventIngest(log: log, limits: limits)
        alerts = AlertDispatcher(store: alertStore, channels: alertChannels, logger: logger)
        let apple = try AppleServices(settings: settings, context: store.context, logger: logger)
        self.apple = apple
        let catalogue = CatalogueStore(context: store.context)
        let publisher = try CataloguePublisher(store: catalogue)
        let storage = StorageWatch(
            context: store.context, alerts: alertStore, path: store.files.store, limits: StorageLimits(settings))
        // Before the first request, which a full store could not take.
        try storage.look(reports: false)
        let application = try SubGuardApplication.make(
            settings: settings, store: store, log: log, ingest: ingest, alerts: alerts, publisher: publisher,
            apple: apple, storage: storage, sink: sink, logger: logger,
            isDraining: { draining.isSet }, sharedAnswerAge: sharedAnswerAge)
        let hasOwnListener = settings.integer(.metricsPort) > 0
        var configuration = HTTPServerConfiguration(settings)
        // Connections must not take the descriptors that the store needs.
        if !configuration.connections.fit(descriptors: DescriptorLimit.raise()) {
            logger.warning(
                "fewer connections than configured: the system allows too few open files",
                metadata: ["maximum_connections": "\(configuration.connections.inAll)"])
        }
        do {
            server = try HTTPServer(
                configuration: configuration,
                application: hasOwnListener ? application.serving { $0 != .metrics } : application)
        } catch let error as ListenError {
            throw StartError.cannotListen(error)
        } catch let error as TLSError {
            throw StartError.tls(error)
        }
        redirect = try Self.makeRedirect(settings, to: server)
        operations = hasOwnListener ? try Self.makeOperations(settings, application, beside: [server, redirect]) : nil
        schedule = Schedule(
            settings: settings, store: store, log: log, apple: apple, publisher: publisher, storage: storage,
            logger: logger, renewTicketKeys: { [server] in server.renewTicketKeys() })
        ingest.start()
        alerts.start()
        logger.notice("listening", metadata: ["host": "\(settings.text(.host))", "port": "\(server.port)"])
    }

    /// Stops taking connections, lets running requests and waiting batches finish, closes the store. Returns whether
    /// every request was answered in time.
    @discardableResult
    package func stop() -> Bool {
        draining.set()
        logger.notice("draining")
        redirect?.stop(deadline: .zero)
        let finished = server.stop(deadline: drainTimeout)
        // Last, so that it can be asked while the other drains.
        operations?.stop(deadline: .milliseconds(500))
        apple.stop()
        schedule.stop()
        ingest.drain()
        alerts.stop()
        store.close()
        logger.notice("stopped", metadata: ["all_answered": "\(finished)"])
        sink.flush()
        return finished
    }

    /// Reads certificate and key anew, as SIGHUP asks for. When they cannot be used, those before go on being used and the
    /// log says why; open connections notice nothing either way.
    package func reload() {
        do throws(TLSError) {
            guard let expiresAt = try server.reloadTLS() else {
                return logger.notice("nothing to reload: only the certificate is, and there is none")
            }
            let instant = UTCInstant(millisecondsSinceEpoch: Int64(expiresAt) * 1000)
            logger.notice("certificate reloaded", metadata: ["expires_at": "\(instant.rfc3339)"])
        } catch {
            logger.error(
                "certificate not reloaded; the one before stays", metadata: ["error": "\(StartError.tls(error))"])
        }
    }

    private static func makeRedirect(_ settings: Settings, to server: HTTPServer) throws -> HTTPServer? {
        let port = settings.integer(.httpRedirectPort)
        guard port > 0 else { return nil }
        do {
            return try HTTPServer(
                configuration: HTTPSRedirect.configuration(host: settings.text(.host), port: port),
                application: HTTPSRedirect(port: server.port))
        } catch let error as ListenError {
            server.stop(deadline: .zero)
            throw StartError.cannotRedirect(error)
        }
    }

    /// A small listener for probes and metrics; what keeps it busy cannot keep the real one busy.
    private static func makeOperations(
        _ settings: Settings, _ application: SubGuardApplication, beside others: [HTTPServer?]
    ) throws -> HTTPServer {
        var configuration = HTTPServerConfiguration()
        configuration.host = settings.text(.metricsHost)
        configuration.port = settings.integer(.metricsPort)
        configuration.loops = 1
        configuration.workers = 2
        configuration.connections.inAll = 256
        configuration.maximumBodyMemoryBytes = 1 << 20
        configuration.maximumAnswerMemoryBytes = 8 << 20
        do {
            return try HTTPServer(
                configuration: configuration,
                application: application.serving { [.metrics, .health, .readiness].contains($0) })
        } catch let error as ListenError {
            for server in others { server?.stop(deadline: .zero) }
            throw StartError.cannotServeMetrics(error)
        }
    }

    private static func makeLogger(
        _ settings: Settings, sink: LogSink, now: @escaping @Sendable () -> UTCInstant
    ) -> Logger {
        let level = Logger.Level(rawValue: settings.text(.logLevel)) ?? .info
        let format = LineLogHandler.Format(rawValue: settings.text(.logFormat)) ?? .text
        return Logger(label: "subguardd") { _ in
            LineLogHandler(sink: sink, format: format, now: now, logLevel: level)
        }
    }
}

/// Set once, seen by all.
final class Flag: Sendable {
    private let state = Atomic<Bool>(false)

    var isSet: Bool { state.load(ordering: .relaxed) }
    func set() { state.store(true, ordering: .relaxed) }
}

extension StorageLimits {
    init(_ settings: Settings) {
        self.init(
            maximumBytes: Int64(settings.integer(.maximumStoreMebibytes)) << 20,
            minimumFreeBytes: Int64(settings.integer(.minimumFreeDiskMebibytes)) << 20)
    }
}
