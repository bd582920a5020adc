import Backend
import Foundation
import HTTPServer
import Logging
package import SubGuardDomain
import Synchronization

/// The running server: the one place where store, features, jobs and HTTP meet.
package final class Daemon: Sendable {
    /// The port that is really bound.
    package var port: Int { server.port }
    /// The port that only sends people to the one with TLS, when there is one.
    package var redirectPort: Int? { redirect?.port }
    private let server: HTTPServer
    private let redirect: HTTPServer?
    private let store: OpenStore
    private let ingest: EventIngest
    private let jobs: Jobs
    /// Beside the others, because a backup takes its time.
    private let backupJobs: Jobs
    private let purgeJobs: Jobs
    /// Apart, too: it goes through the whole log of events.
    private let erasureJobs: Jobs
    private let apple: AppleServices
    /// Tells `restore` that the store is in use.
    private let lock: StoreLock
    private let alerts: AlertDispatcher
    private let sink: LogSink
    private let logger: Logger
    private let draining: Flag
    private let drainTimeout: Duration

    /// Opens and migrates the store, starts listening. Throws what the operator has to mend.
    ///
    /// `now` is asked for every instant that is stored, compared or logged; `log` is the descriptor of the log.
    package init(
        settings: Settings, now: @escaping @Sendable () -> UTCInstant = OpenStore.now, log: Int32 = STDERR_FILENO
    ) throws {
        let sink = LogSink(descriptor: log)
        self.sink = sink
        let logger = Self.makeLogger(settings, sink: sink, now: now)
        self.logger = logger
        let draining = Flag()
        self.draining = draining
        drainTimeout = settings.seconds(.drainTimeout)
        guard let serving = try StoreLock.serving(try StoreFiles(settings: settings).store) else {
            throw StartError.storeIsRestored
        }
        lock = serving.lock
        let startedAt = now()
        store = try OpenStore(settings: settings, migrations: .apply, now: now)
        // Whoever had begun them is gone. Not so where another server runs on the store.
        if serving.wasAlone { try IdempotencyStore(context: store.context).release(startedBefore: startedAt) }
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
        let application = try SubGuardApplication.make(
            settings: settings, store: store, log: log, ingest: ingest, alerts: alerts, publisher: publisher,
            apple: apple, sink: sink, logger: logger,
            isDraining: { draining.isSet })
        var configuration = HTTPServerConfiguration(settings)
        // Connections must not take the descriptors that the store needs.
        if !configuration.connections.fit(descriptors: DescriptorLimit.raise()) {
            logger.warning(
                "fewer connections than configured: the system allows too few open files",
                metadata: ["maximum_connections": "\(configuration.connections.inAll)"])
        }
        do {
            server = try HTTPServer(configuration: configuration, application: application)
        } catch let error as ListenError {
            throw StartError.cannotListen(error)
        } catch let error as TLSError {
            throw StartError.tls(error)
        }
        redirect = try Self.makeRedirect(settings, to: server)
        let tombstoneDays = settings.integer(.catalogueTombstoneDays)
        jobs = Jobs(logger: logger)
        jobs.every(.seconds(1), "catalogue refresh") { try publisher.refresh() }
        let retention = RetentionLog(context: store.context)
        jobs.every(.seconds(3600), "tombstone purge") {
            let removed = try catalogue.purgeTombstones(olderThan: now().adding(days: -tombstoneDays))
            try retention.note("catalogue_tombstones", removed: removed)
        }
        let collector = LogoCollector(context: store.context, folder: store.logos)
        jobs.every(.seconds(3600), "logo collection") {
            try retention.note("catalogue_logos", removed: try collector.run())
        }
        let answers = IdempotencyStore(context: store.context)
        jobs.every(.seconds(600), "idempotency purge") {
            try retention.note("idempotent_answers", removed: try answers.purge())
        }
        let ranking = RankingStore(context: store.context, log: log)
        jobs.every(.seconds(600), "ranking refresh") { try ranking.refreshIfDue() }
        let figurePurge = FigurePurge(context: store.context)
        jobs.every(.seconds(3600), "figure purge") {
            let removed = try figurePurge.run()
            try retention.note("figure_minutes", "subscription_moments", "user_absences", removed: removed)
        }
        let analyticsDays = settings.integer(.analyticsRetentionDays)
        // On a queue of its own: it may take minutes, and a server that is often started anew must come to it, too.
        let purges = Jobs(logger: logger)
        purgeJobs = purges
        purges.every(.seconds(3600), first: .seconds(300), "event purge") { [purges] in
            let bound = now().adding(days: -analyticsDays)
            try retention.note("event_blocks", removed: try log.purge(before: bound) { purges.isStopping })
        }
        jobs.every(.seconds(3600), "account purge") {
            try retention.note(
                "account_sessions", "session_tokens", "spent_proofs", removed: try apple.accounts.purge())
            try retention.note("purchases", "app_store_notifications", removed: try apple.premium.purge())
        }
        let erasures = Jobs(logger: logger)
        erasureJobs = erasures
        erasures.every(.seconds(5), first: .seconds(1), "analytics erasure") { [erasures] in
            guard try log.takeErasureStep() else { return }
            while !erasures.isStopping, try log.takeErasureStep() {}
        }
        let crashes = CrashStore(context: store.context)
        let crashDays = settings.integer(.crashRetentionDays)
        jobs.every(.seconds(3600), "crash purge") {
            let removed = try crashes.purge(before: now().adding(days: -crashDays))
            try retention.note(
                "crash_groups", "crash_samples", "crash_group_releases", "session_hours", "crash_sessions",
                "crash_releases",
                removed: removed)
        }
        backupJobs = Jobs(logger: logger)
        let backupHours = settings.integer(.backupIntervalHours)
        if backupHours > 0 {
            let backup = BackupJob(
                store: store, keep: settings.backupsKept, drills: settings.boolean(.backupDrill)
            ) { message, fields in
                logger.notice(
                    "\(message)", metadata: Logger.Metadata(uniqueKeysWithValues: fields.map { ($0, "\($1)") }))
            }
            backupJobs.every(.seconds(60), "backup") { try backup.runIfDue(everyHours: backupHours) }
        }
        if settings.usesTLS {
            jobs.every(.seconds(86_400), "session ticket keys") { [server] in server.renewTicketKeys() }
        }
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
        apple.stop()
        jobs.stop()
        backupJobs.stop()
        purgeJobs.stop()
        erasureJobs.stop()
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
