import Accounts
import Catalogue
import Dispatch
import EventLog
import Logging
import Operations
import Outbound
import SQLDatabase
import SQLiteDatabase
import ServerAccess
import SubGuardDomain
import Synchronization
import Telemetry

/// The schedule of background jobs: jobs of each server, and jobs that one server runs for all.
final class Schedule: Sendable {
    /// Jobs of one queue wait for each other, so what may take long, or waits for others, has its own.
    private enum Queue: Int, CaseIterable {
        case jobs, backups, purges, erasures
        /// No other work may delay the check of free disk space.
        case storageLooks
        /// May wait for figures to be complete.
        case alertLooks
        /// A slow address holds them up.
        case fetches
        /// Waits for ClickHouse.
        case sinks
        /// A standby that is away holds it up.
        case standbyLooks
    }

    /// By the raw value of ``Queue``.
    private let queues: [Jobs]
    private let fetchStop = OutboundStop()
    private let listener: (any SQLListener)?

    init(
        settings: Settings, store: OpenStore, log: EventLog, apple: AppleServices, publisher: CataloguePublisher,
        storage: StorageWatch, clock: ClockWatch, alerts: AlertStore, rules: AlertRuleEvaluator,
        eventSink: EventSinkSender?, logger: Logger, renewTicketKeys: @escaping @Sendable () -> Void
    ) {
        queues = Queue.allCases.map { _ in Jobs(logger: logger) }
        // If the database sends notifications, changes are visible at once; the check every second is the fallback.
        listener = store.context.store.listen(to: "subguard_catalogue") {
            do { try publisher.refresh() } catch {
                logger.warning("catalogue refresh failed", metadata: ["error": "\(error)"])
            }
        }
        on(.jobs).every(.seconds(1), "catalogue refresh") { try publisher.refresh() }
        if settings.usesTLS { on(.jobs).every(.seconds(86_400), "session ticket keys", renewTicketKeys) }
        scheduleStorage(storage, logger)
        on(.storageLooks).every(.seconds(60), first: .milliseconds(0), "clock") { try clock.look() }
        scheduleAlertRules(alerts, rules, JobLeases(context: store.context), logger)
        if settings[\.alertsWeeklyDigest], !alerts.targets.isEmpty {
            let digester = AlertDigester(alerts: alerts, insights: InsightStore(context: store.context, log: log))
            on(.alertLooks).every(.seconds(60), first: .seconds(5), "weekly digest") { try digester.runIfDue() }
        }
        let purgeClock = PurgeClock(context: store.context)
        schedulePurges(settings, store, apple, purgeClock)
        if let sqlite = store.sqlite { scheduleLogEmptying(sqlite) }
        scheduleLogWork(settings, store, log, purgeClock, logger)
        scheduleBackups(settings, store, logger)
        scheduleRates(settings, store, logger)
        if let eventSink { scheduleEventSink(eventSink, settings, store, purgeClock, logger) }
        if settings[\.databaseReadURL] != nil {
            let watch = StandbyWatch(store: store.context.store, logger: logger)
            on(.standbyLooks).every(.seconds(60), first: .milliseconds(0), "standby watch") { try watch.look() }
        }
    }

    func stop() {
        listener?.stop()
        fetchStop.stop()
        for queue in queues { queue.stop() }
    }

    private func on(_ queue: Queue) -> Jobs { queues[queue.rawValue] }

    private func scheduleStorage(_ storage: StorageWatch, _ logger: Logger) {
        on(.storageLooks).every(.seconds(2), first: .milliseconds(0), "storage watch") {
            let finding = try storage.look()
            if finding.isNew {
                var metadata: Logger.Metadata = [
                    "storage": "\(finding.level.rawValue)", "used_bytes": "\(finding.measure.usedBytes)",
                    "maximum_bytes": "\(storage.limits.maximumBytes)",
                ]
                if let free = finding.measure.freeBytes { metadata["free_bytes"] = "\(free)" }
                logger.log(level: finding.level == .ok ? .notice : .warning, "storage level", metadata: metadata)
            }
            try storage.announce(finding)
        }
    }

    private func scheduleAlertRules(
        _ alerts: AlertStore, _ rules: AlertRuleEvaluator, _ leases: JobLeases, _ logger: Logger
    ) {
        let seconds: Int64 = 30
        on(.alertLooks).every(.seconds(Int(seconds)), first: .seconds(2), "alert rules") {
            // Without rules nothing is written, not even a lease.
            guard try alerts.hasRules() else { return }
            // Short, so that after a kill another look is taken soon.
            try leases.run("alert rules", everySeconds: seconds, leaseSeconds: 2 * seconds) {
                for notice in try rules.run() {
                    logger.log(
                        level: notice.isFiring ? .warning : .notice, "alert rule",
                        metadata: [
                            "rule": "\(notice.name)", "state": "\(notice.isFiring ? "firing" : "ok")",
                            "figure": "\(notice.figure.rawValue)", "value": "\(notice.measured?.text ?? "")",
                        ])
                }
            }
        }
    }

    /// What was deleted or erased stays readable in SQLite's log until that is emptied.
    private func scheduleLogEmptying(_ store: SQLiteStore) {
        on(.jobs).every(.seconds(60), "write-ahead log") { try store.emptyLog() }
    }

    private func schedulePurges(
        _ settings: Settings, _ store: OpenStore, _ apple: AppleServices, _ clock: PurgeClock
    ) {
        let context = store.context
        let leases = JobLeases(context: context)
        on(.jobs).every(.seconds(60), first: .milliseconds(0), "purge clock") {
            try leases.run("purge clock", everySeconds: 600, retrySeconds: 600) { try clock.advance() }
        }
        let retention = RetentionLog(context: context)
        let catalogue = CatalogueStore(context: context)
        on(.jobs).everyOnce(seconds: 3600, "tombstone purge", leases, by: clock) {
            let bound = context.now().adding(days: -CatalogueStore.tombstoneDays)
            let removed = try catalogue.purgeTombstones(olderThan: bound)
            try retention.note("catalogue_tombstones", removed: removed)
        }
        let collector = LogoCollector(context: context, contents: store.logos)
        on(.jobs).everyOnce(seconds: 3600, "logo collection", leases, by: clock) {
            try retention.note("catalogue_logos", "catalogue_logo_contents", removed: try collector.run())
        }
        let answers = IdempotencyStore(context: context)
        on(.jobs).everyOnce(seconds: 600, "idempotency purge", leases, by: clock) {
            try retention.note("idempotent_answers", removed: try answers.purge())
        }
        let sessions = ConsoleSessionStore(context: context)
        on(.jobs).everyOnce(seconds: 600, "console session purge", leases, by: clock) {
            try retention.note(
                "console_sessions", "console_notices", "console_links", "console_challenges", "console_openid_pending",
                removed: try sessions.purge())
        }
        let figurePurge = FigurePurge(context: context)
        on(.jobs).everyOnce(seconds: 3600, "figure purge", leases, by: clock) {
            let removed = try figurePurge.run()
            try retention.note("figure_hours", "figure_moments", removed: removed)
        }
        on(.jobs).everyOnce(seconds: 3600, "account purge", leases, by: clock) {
            try retention.note(
                "account_sessions", "session_tokens", "spent_proofs", removed: try apple.accounts.purge())
            try retention.note("purchases", "app_store_notifications", removed: try apple.premium.purge())
        }
        let crashes = CrashStore(context: context)
        let crashDays = settings[\.crashRetentionDays]
        on(.jobs).everyOnce(seconds: 3600, "crash purge", leases, by: clock) {
            let removed = try crashes.purge(before: context.now().adding(days: -crashDays))
            try retention.note(
                "crash_groups", "crash_samples", "crash_group_releases", "session_hours", "crash_sessions",
                "crash_releases",
                removed: removed)
            try SymbolStore(context: context).purge()
        }
    }

    private func scheduleLogWork(
        _ settings: Settings, _ store: OpenStore, _ log: EventLog, _ clock: PurgeClock, _ logger: Logger
    ) {
        let context = store.context
        let leases = JobLeases(context: context)
        let retention = RetentionLog(context: context)
        let ranking = RankingStore(context: context, log: log)
        on(.jobs).everyOnce(seconds: 600, "ranking refresh", leases) { try ranking.refreshIfDue() }
        // Events dated ahead are counted when their moment has come, though nothing else may arrive.
        on(.jobs).every(.seconds(60), "due events") { try log.settle(until: .now() + .seconds(2)) }
        let analyticsDays = settings[\.analyticsRetentionDays]
        // The purge may take minutes. It starts early, so that it also runs on a server that restarts often.
        on(.purges).everyOnce(seconds: 3600, first: .seconds(300), "event purge", leases, by: clock) {
            [purges = on(.purges)] in
            let bound = context.now().adding(days: -analyticsDays)
            try retention.note("event_blocks", removed: try log.purge(before: bound) { purges.isStopping })
        }
        on(.purges).everyOnce(seconds: 3600, first: .seconds(300), "event block joining", leases) {
            [purges = on(.purges)] in
            while !purges.isStopping, try log.joinStep() {}
        }
        // Scans the whole log. Each step is a separate transaction, so several servers can share the work.
        let discarder = EventDiscarder(log: log)
        on(.erasures).every(.seconds(5), first: .seconds(1), "analytics erasure") { [erasures = on(.erasures)] in
            try log.eraseIfDue(leases) { erasures.isStopping }
        }
        // Continues the discard of a killed command; purges and erasures wait for it.
        on(.erasures).every(.seconds(5), first: .seconds(1), "figures discard") { [erasures = on(.erasures)] in
            while !erasures.isStopping, try discarder.takeAbandonedStep() {}
        }
        let zone = ReportZone(context: context, log: log)
        let name = settings[\.reportsTimeZone]
        let isAdopted = Mutex(false)
        // Once in the life of a process, so that servers with different settings do not undo each other's work for
        // ever.
        on(.erasures).every(.seconds(30), first: .milliseconds(0), "figures zone") {
            [erasures = on(.erasures), fetchStop] in
            guard !isAdopted.withLock({ $0 }) else { return }
            let change = try leases.hold("figures zone") { _ in
                try zone.adopt(name, by: Actor(tokenID: nil, name: "setting", requestID: nil)) {
                    erasures.isStopping
                }
            }
            guard let change else { return }
            isAdopted.withLock { $0 = true }
            switch change {
            case .recounted: logger.notice("days of the figures are cut in another zone", metadata: ["zone": "\(name)"])
            case .from(let day):
                logger.notice(
                    "days of the figures will be cut in another zone",
                    metadata: ["zone": "\(name)", "from": "\(day.iso)"])
            case nil: return
            }
            // The views of the event sink cut days as well. Without ClickHouse, `sink status` tells that they must be
            // renewed.
            guard settings[\.eventSinkURL] != nil,
                let sink = EventSinkOperator(settings, context: context, stop: fetchStop)
            else { return }
            _ = try sink.migrate()
        }
        // Clears up after a killed command.
        let rebuilder = FigureRebuilder(context: context, log: log)
        on(.erasures).every(.seconds(5), first: .seconds(1), "figures rebuild") { [erasures = on(.erasures)] in
            while !erasures.isStopping, try rebuilder.takeAbandonedStep() {}
        }
    }

    private func scheduleBackups(_ settings: Settings, _ store: OpenStore, _ logger: Logger) {
        let hours = settings[\.backupIntervalHours]
        guard hours > 0, store.sqlite != nil else { return }
        let backup = BackupJob(
            store: store, keep: settings[\.backupKeep], drills: settings[\.backupDrill]
        ) { message, fields in
            logger.notice(
                "\(message)", metadata: Logger.Metadata(uniqueKeysWithValues: fields.map { ($0, "\($1)") }))
        }
        on(.backups).every(.seconds(60), "backup") { try backup.runIfDue(everyHours: hours) }
    }

    private func scheduleRates(_ settings: Settings, _ store: OpenStore, _ logger: Logger) {
        let context = store.context
        let rates = RateStore(context: context)
        guard let fetch = RateFetch(settings, store: rates, now: context.now, stop: fetchStop) else { return }
        let leases = JobLeases(context: context)
        on(.fetches).every(.seconds(60), first: .seconds(1), "rates") {
            // After a failure an hour passes, for the sake of the other side.
            try leases.run("rates", everySeconds: 86_400, retrySeconds: 3_600) {
                let (count, changed) = try fetch.run()
                logger.notice("rates fetched", metadata: ["rates": "\(count)", "changed": "\(changed)"])
            }
        }
    }

    private func scheduleEventSink(
        _ sender: EventSinkSender, _ settings: Settings, _ store: OpenStore, _ clock: PurgeClock, _ logger: Logger
    ) {
        on(.sinks).every(.milliseconds(500), "event sink") { try sender.run() }
        guard let sinkOperator = EventSinkOperator(settings, context: store.context, stop: fetchStop) else { return }
        on(.sinks).everyOnce(
            seconds: 3600, first: .seconds(60), "event sink retention", JobLeases(context: store.context), by: clock
        ) {
            let weeks = try sinkOperator.dropOldWeeks()
            guard !weeks.isEmpty else { return }
            logger.notice("event sink: old weeks removed", metadata: ["weeks": "\(weeks.joined(separator: " "))"])
        }
    }
}
