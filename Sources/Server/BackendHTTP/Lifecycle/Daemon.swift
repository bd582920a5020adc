import Catalogue
import EventLog
import Foundation
package import HTTPServer
import Logging
import Operations
import Outbound
import Publication
import SQLDatabase
import ServerAccess
import ServerContract
import SubGuardContract
package import SubGuardDomain
import Synchronization
import Telemetry
import TextCoding

/// The running server: connects the database, features, jobs and HTTP.
package final class Daemon: Sendable {
    /// The bound port.
    package var port: Int { server.port }
    private let server: HTTPServer
    /// The bound port of the metrics listener, if configured.
    package var metricsPort: Int? { operations?.port }
    /// The pages and forms of the console.
    package let consoleBindings: [ConsoleBinding]
    private let redirect: HTTPServer?
    private let operations: HTTPServer?
    private let store: OpenStore
    private let ingest: EventIngest
    private let schedule: Schedule
    private let apple: AppleServices
    /// Signals to `restore` that the database is in use. Nil unless the database is a file.
    private let lock: StoreLock?
    private let alerts: AlertDispatcher
    private let sink: LogSink
    private let logger: Logger
    private let draining: Flag
    /// Ends what is being sent to the event sink.
    private let sinkStop = OutboundStop()
    private let drainTimeout: Duration

    /// Opens and migrates the database and starts listening. Throws an error that describes what the operator must fix.
    ///
    /// `now` is the clock for everything that is stored, compared or logged; `log` is the descriptor of the log;
    /// `sharedAnswerAge` is the maximum age of a shared response to `/metrics` or `/readyz`; `tune` replaces constants
    /// of the server and of its quotas; `pages` makes the pages for browsers.
    package init(
        settings: Settings, now: @escaping @Sendable () -> UTCInstant = OpenStore.now, log: Int32 = STDERR_FILENO,
        sharedAnswerAge: Duration = .seconds(1),
        tune: (inout HTTPServerConfiguration, inout RateQuotas) -> Void = { _, _ in },
        pages: (PageParts) -> BrowserPages
    ) throws {
        let sink = LogSink(descriptor: log)
        self.sink = sink
        let logger = Self.makeLogger(settings, sink: sink, now: now)
        if !settings.ignoredVariables.isEmpty {
            logger.notice(
                "environment variables of a service called subguard are ignored; they are no settings",
                metadata: ["variables": "\(settings.ignoredVariables.joined(separator: " "))"])
        }
        self.logger = logger
        let draining = Flag()
        self.draining = draining
        drainTimeout = settings[\.drainTimeout]
        try settings.requireCertificateAuthorities()
        let serving = try StoreFiles(settings: settings).store.map { path in
            guard let serving = try StoreLock.serving(path) else { throw StartError.storeIsRestored }
            return serving
        }
        lock = serving?.lock
        let startedAt = now()
        store = try OpenStore(settings: settings, migrations: .apply, now: now)
        if let fault = try store.durabilityFault(standbys: settings[\.databaseSynchronousStandbys]) {
            throw StartError.commitsAreNotDurable(fault, standbys: settings[\.databaseSynchronousStandbys])
        }
        if try store.schema() == .newer, let last = try store.migrationStatus().newer.last {
            logger.notice(
                "a newer release has migrated the database; this one goes on",
                metadata: ["migration": "\(last.number)-\(last.slug)"])
        }
        // Requests left running by a previous process are released, unless another server uses the database.
        if serving?.wasAlone == true { try IdempotencyStore(context: store.context).release(startedBefore: startedAt) }
        let alertChannels = AlertChannels(settings: settings, now: now)
        let alertStore = AlertStore(context: store.context, targets: alertChannels.targets)
        try alertStore.announceWaiting()
        try alertStore.fireReached()
        var shape = EventIDIndexShape()
        shape.daysRemembered = settings.daysOfEventIDs
        shape.filterMemory = settings[\.eventIDMemory]
        shape.filterFolder = store.files.folder
        let log = EventLog(context: store.context, alerts: alertStore, shape: shape)
        ingest = EventIngest(log: log)
        alerts = AlertDispatcher(store: alertStore, channels: alertChannels, logger: logger)
        let apple = try AppleServices(settings: settings, context: store.context, logger: logger)
        self.apple = apple
        let catalogue = CatalogueStore(context: store.context)
        let publisher = try CataloguePublisher(store: catalogue)
        let storage = StorageWatch(
            context: store.context, alerts: alertStore, path: store.files.store, limits: StorageLimits(settings))
        // Before the first request, which must be rejected if the database is full.
        try storage.look(reports: false)
        // Before the first events, which must not be rejected as events of the future.
        let clock = ClockWatch(context: store.context)
        try clock.refresh()
        let rules = AlertRuleEvaluator(
            alerts: alertStore, insights: InsightStore(context: store.context, log: log),
            storagePercent: { storage.percent })
        let eventSink = try EventSinkSender(settings, context: store.context, stop: sinkStop, logger: logger)
        var (configuration, quotas) = (HTTPServerConfiguration(settings), RateQuotas(settings))
        tune(&configuration, &quotas)
        PublishedPath.publish(under: settings.publicAddress?.path ?? "")
        let application = try SubGuardApplication.make(
            settings: settings, quotas: quotas, store: store, log: log, ingest: ingest, alerts: alerts, rules: rules,
            publisher: publisher, apple: apple, storage: storage, clock: clock, sink: sink, eventSink: eventSink,
            logger: logger, isDraining: { draining.isSet }, sharedAnswerAge: sharedAnswerAge, pages: pages)
        consoleBindings = application.bindings.compactMap(\.consoleBinding)
        let hasOwnListener = settings[\.metricsPort] > 0
        // Leave file descriptors for the database.
        if !configuration.connections.fit(descriptors: DescriptorLimit.raise()) {
            logger.warning(
                "fewer connections than configured: the system allows too few open files",
                metadata: ["maximum_connections": "\(configuration.connections.inAll)"])
        }
        do {
            configuration.inherited = try InheritedSocket(ProcessInfo.processInfo.environment)
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
            clock: clock, alerts: alertStore, rules: rules, eventSink: eventSink, logger: logger,
            renewTicketKeys: { [server] in server.renewTicketKeys() })
        ingest.start()
        alerts.start()
        logger.notice("listening", metadata: ["host": "\(settings[\.host])", "port": "\(server.port)"])
    }

    /// Stops accepting connections, waits for running requests and waiting batches, and closes the database. Returns
    /// whether all requests were completed in time.
    @discardableResult
    package func stop() -> Bool {
        draining.set()
        logger.notice("draining")
        redirect?.stop(deadline: .zero)
        let finished = server.stop(deadline: drainTimeout)
        // Last, so that probes work while the main listener drains.
        operations?.stop(deadline: .milliseconds(500))
        apple.stop()
        sinkStop.stop()
        schedule.stop()
        ingest.drain()
        alerts.stop()
        store.close()
        logger.notice("stopped", metadata: ["all_answered": "\(finished)"])
        sink.flush()
        return finished
    }

    /// Reloads the certificate and key after SIGHUP. If they are unusable, the previous ones stay in use and the reason
    /// is logged. Open connections are not affected.
    package func reload() {
        do throws(TLSError) {
            guard let expiresAt = try server.reloadTLS() else {
                return logger.notice("nothing to reload: no TLS certificate is configured")
            }
            let instant = UTCInstant(millisecondsSinceEpoch: Int64(expiresAt) * 1000)
            logger.notice("certificate reloaded", metadata: ["expires_at": "\(instant.rfc3339)"])
        } catch {
            logger.error(
                "certificate not reloaded; the previous one stays in use",
                metadata: ["error": "\(StartError.tls(error))"])
        }
    }

    private static func makeRedirect(_ settings: Settings, to server: HTTPServer) throws -> HTTPServer? {
        let port = settings[\.httpRedirectPort]
        guard port > 0 else { return nil }
        do {
            return try HTTPServer(
                configuration: HTTPSRedirect.configuration(host: settings[\.host], port: port),
                application: HTTPSRedirect(port: server.port))
        } catch let error as ListenError {
            server.stop(deadline: .zero)
            throw StartError.cannotRedirect(error)
        }
    }

    /// A small listener for probes and metrics, isolated from the load of the main one.
    private static func makeOperations(
        _ settings: Settings, _ application: SubGuardApplication, beside others: [HTTPServer?]
    ) throws -> HTTPServer {
        var configuration = HTTPServerConfiguration()
        configuration.host = settings[\.metricsHost]
        configuration.port = settings[\.metricsPort]
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
        let (level, format) = (settings[\.logLevel], settings[\.logFormat])
        return Logger(label: "subguardd") { _ in
            LineLogHandler(sink: sink, format: format, now: now, logLevel: level)
        }
    }
}

/// A flag that can be set once from any thread.
final class Flag: Sendable {
    private let state = Atomic<Bool>(false)

    var isSet: Bool { state.load(ordering: .relaxed) }
    func set() { state.store(true, ordering: .relaxed) }
}
