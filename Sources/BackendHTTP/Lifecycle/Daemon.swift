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
    private let server: HTTPServer
    private let store: OpenStore
    private let ingest: EventIngest
    private let jobs: Jobs
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
        store = try OpenStore(settings: settings, migrations: .apply, now: now)
        var limits = EventIngestLimits()
        limits.maximumWaitingEvents = settings.integer(.ingestMaximumWaitingEvents)
        limits.maximumEventsPerCommit = settings.integer(.ingestMaximumEventsPerCommit)
        ingest = EventIngest(context: store.context, limits: limits)
        let catalogue = CatalogueStore(context: store.context)
        let publisher = try CataloguePublisher(store: catalogue)
        let application = try SubGuardApplication.make(
            settings: settings, store: store, ingest: ingest, publisher: publisher, sink: sink, logger: logger,
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
        }
        let tombstoneDays = settings.integer(.catalogueTombstoneDays)
        jobs = Jobs(logger: logger)
        jobs.every(.seconds(1), "catalogue refresh") { try publisher.refresh() }
        jobs.every(.seconds(3600), "tombstone purge") {
            try catalogue.purgeTombstones(olderThan: now().adding(days: -tombstoneDays))
        }
        logger.notice("listening", metadata: ["host": "\(settings.text(.host))", "port": "\(server.port)"])
    }

    /// Stops taking connections, lets running requests and waiting batches finish, closes the store. Returns whether
    /// every request was answered in time.
    @discardableResult
    package func stop() -> Bool {
        draining.set()
        logger.notice("draining")
        let finished = server.stop(deadline: drainTimeout)
        jobs.stop()
        ingest.drain()
        store.close()
        logger.notice("stopped", metadata: ["all_answered": "\(finished)"])
        sink.flush()
        return finished
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
