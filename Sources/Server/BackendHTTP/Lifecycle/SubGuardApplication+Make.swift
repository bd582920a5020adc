import Accounts
import Catalogue
import EventLog
import Foundation
import HTTPServer
import HTTPWire
import Logging
import Operations
import SQLDatabase
import ServerAccess
import ServerContract
import SubGuardContract
import Telemetry

extension SubGuardApplication {
    /// Connects the features.
    static func make(
        settings: Settings, quotas: RateQuotas, store: OpenStore, log: EventLog, ingest: EventIngest,
        alerts: AlertDispatcher, rules: AlertRuleEvaluator, publisher: CataloguePublisher,
        apple: AppleServices, storage: StorageWatch, clock: ClockWatch, sink: LogSink, eventSink: EventSinkSender?,
        logger: Logger,
        isDraining: @escaping @Sendable () -> Bool, sharedAnswerAge: Duration, pages: (PageParts) -> BrowserPages
    ) throws -> SubGuardApplication {
        let context = store.context
        let limiter = RateLimiter(isEnabled: settings[\.rateLimitEnabled], quotas: quotas, now: context.now)
        let address = ClientAddress(
            trustedProxies: settings[\.trustedProxies], header: settings[\.clientAddressHeader])
        let limits = ClientLimits(limiter: limiter, address: address)
        let admission = IngestAdmission(
            limits: limits, users: KnownUsers(context: context),
            signatures: IngestSignatures(settings, now: context.now))
        let answers = IdempotentAnswers(store: IdempotencyStore(context: context)) { error in
            logger.error("a response was not stored for replay", metadata: ["error": "\(error)"])
        }
        let tokens = AccessTokenStore(context: context)
        let gate = AdminGate(
            tokens: tokens, answers: answers, limiter: limiter, address: address, logger: logger, now: context.now)
        let writeFailures = WriteFailures()
        let readiness = Readiness(
            probe: StoreProbe(context: context), isDraining: isDraining, schema: { try store.schema() },
            durabilityFault: { try store.durabilityFault(standbys: settings[\.databaseSynchronousStandbys]) },
            storageLevel: { storage.level }, isClockBehind: { clock.isBehind }, writeFailures: writeFailures)
        let startedAt = context.now()
        let crashes = CrashStore(
            context: context, limits: CrashStoreLimits(retentionDays: settings[\.crashRetentionDays]),
            knownReleases: KnownReleases(settings[\.knownReleases]))
        let crashCounters = CrashCounters()
        let crashQuotas = CrashQuotas(limiter: limiter, address: address, now: context.now)
        let intake = CrashIntake(store: crashes, counters: crashCounters, limits: limits, quotas: crashQuotas)
        let sentry = SentryRoutes(
            intake: intake, key: settings[\.ingestSentryKey],
            projectID: settings[\.ingestProjectID], now: context.now)
        let sessions = SessionGate(accounts: apple.accounts, limiter: limiter, address: address)
        let ids = DerivedEventIDs(seed: try context.read { session, _ in try EventLogState.load(in: session).seed })
        let insights = InsightStore(context: context, log: log)
        let privacy = PrivacyRoutes(
            context: context,
            registry: PrivacyRegistry(
                analyticsDays: settings[\.analyticsRetentionDays], eventIDDays: settings.daysOfEventIDs,
                crashDays: settings[\.crashRetentionDays]))
        let admin = AdminFeatures(
            gate: gate, store: store, publisher: publisher, crashes: crashes, log: log, alerts: alerts, rules: rules,
            premium: apple.premium, workers: settings[\.workers], logger: logger)
        let features =
            admin.bindings()
            + CatalogueRoutes(publisher: publisher, limits: limits, givesPremium: settings[\.premiumForAll]).bindings()
            + SuggestionRoutes(store: admin.suggestions.store, limits: limits).bindings()
            + LogoRoutes(contents: store.logos).bindings()
            + RateRoutes(store: RateStore(context: context), limits: limits).bindings()
            + AnalyticsRoutes(ingest: ingest, admission: admission, now: context.now).bindings()
            + AnalyticsErasureRoutes(log: log, limits: limits).bindings()
            + AccountRoutes(
                gate: sessions, accounts: apple.accounts, identity: apple.identity, logger: logger
            ).bindings()
            + PremiumRoutes(
                gate: sessions, store: apple.premium, isConfigured: !settings[\.appStoreBundleID].isEmpty,
                isForAll: settings[\.premiumForAll], now: context.now,
                logger: logger
            ).bindings()
            + PostHogRoutes(
                ingest: ingest, admission: admission, key: settings[\.ingestPostHogKey], ids: ids, now: context.now
            ).bindings()
            + sentry.bindings()
            + CrashRoutes(intake: intake, now: context.now).bindings()
            + InsightRoutes(
                gate: gate, store: insights,
                ranking: RankingStore(context: context, log: log)
            ).bindings()
            + EventExportRoutes(gate: gate, context: context, logger: logger).bindings()
            + privacy.bindings()
        let pages = pages(
            PageParts(
                settings: settings, store: store, gate: gate, features: admin, insights: insights,
                ranking: RankingStore(context: context, log: log), storage: storage, readiness: readiness,
                privacy: privacy, startedAt: startedAt, outbound: apple.outbound, logger: logger))
        let metrics = RequestMetrics(routeCount: APIOperation.all.count + pages.bindings.count)
        let operations = OperationRoutes(
            readiness: readiness, gate: MetricsGate(settings, limiter: limiter, address: address),
            sharedAnswerAge: sharedAnswerAge, now: context.now
        ) { templates in
            MetricsPage(
                requests: metrics, ingest: ingest, log: log, crashes: crashCounters,
                refreshes: apple.accounts.repetitions, alerts: alerts,
                backups: store.backups, storage: storage, standbyReads: context.store.standbyReads,
                sink: sink, eventSink: eventSink,
                startedAt: startedAt,
                templates: templates
            ).text()
        }
        let bindings = try operations.bindings(beside: features + pages.bindings).map {
            $0.countingInflation(by: limits)
        }
        let accessLog = AccessLog(
            sink: sink, format: settings[\.logFormat], now: context.now,
            isEnabled: settings[\.logLevel] <= .info, templates: bindings.map(\.template))
        return SubGuardApplication(
            routes: RouteTable(bindings.map(\.route)), bindings: bindings, limiter: limiter, storage: storage,
            clock: clock, address: address, requiresPath: !settings.pathOfRequests.isEmpty,
            crossOrigin: CrossOrigin(origins: settings[\.corsOrigins], bindings: bindings),
            metrics: metrics, accessLog: accessLog, writeFailures: writeFailures, now: context.now, logger: logger,
            errorPage: pages.errorPage)
    }
}
