import Accounts
import Catalogue
import EventLog
package import HTTPServer
package import Logging
package import Outbound
import ServerAccess
import SubGuardContract
package import SubGuardDomain
package import Telemetry

/// The pages for browsers beside the API.
package struct BrowserPages: Sendable {
    /// Writes an error as a page; nil where programs ask.
    package typealias ErrorPage = @Sendable (HTTPFailure, Request) -> Response?

    package let bindings: [RouteBinding]
    package let errorPage: ErrorPage

    package init(bindings: [RouteBinding], errorPage: @escaping ErrorPage) {
        self.bindings = bindings
        self.errorPage = errorPage
    }
}

/// What the pages show and change.
package struct PageParts: Sendable {
    package let settings: Settings
    package let store: OpenStore
    package let gate: AdminGate
    package let features: AdminFeatures
    package let insights: InsightStore
    package let ranking: RankingStore
    package let storage: StorageWatch
    package let readiness: Readiness
    package let privacy: PrivacyRoutes
    package let startedAt: UTCInstant
    /// Ends what pages ask of other servers.
    package let outbound: OutboundStop
    package let logger: Logger
}

/// The features whose functions answer the admin calls of the API, and the forms of the console.
package struct AdminFeatures: Sendable {
    package let catalogue: AdminCatalogueRoutes
    package let suggestions: AdminSuggestionRoutes
    package let crashes: AdminCrashRoutes
    package let symbols: SymbolRoutes
    package let alerts: AlertRoutes
    package let alertRules: AlertRuleRoutes
    package let access: AccessRoutes
    package let customers: CustomerRoutes

    init(
        gate: AdminGate, store: OpenStore, publisher: CataloguePublisher, crashes: CrashStore, log: EventLog,
        alerts: AlertDispatcher, rules: AlertRuleEvaluator, premium: PremiumStore, workers: Int, logger: Logger
    ) {
        let context = store.context
        catalogue = AdminCatalogueRoutes(
            gate: gate, store: CatalogueStore(context: context), publisher: publisher, logos: store.logos,
            imports: ImportTracker(context: context))
        suggestions = AdminSuggestionRoutes(
            gate: gate, store: SuggestionStore(context: context), publisher: publisher,
            nearestItems: NearestItems(slots: Slots(max(1, workers / 4))))
        self.crashes = AdminCrashRoutes(gate: gate, store: crashes, now: context.now)
        symbols = SymbolRoutes(gate: gate, store: SymbolStore(context: context))
        self.alerts = AlertRoutes(gate: gate, dispatcher: alerts, log: log)
        alertRules = AlertRuleRoutes(gate: gate, store: alerts.store, evaluator: rules, logger: logger)
        access = AccessRoutes(
            gate: gate, tokens: gate.tokens, roles: RoleStore(context: context),
            log: AuditLog(context: context), now: context.now)
        customers = CustomerRoutes(gate: gate, store: premium)
    }

    func bindings() -> [RouteBinding] {
        [
            catalogue.bindings(), suggestions.bindings(), crashes.bindings(), symbols.bindings(), alerts.bindings(),
            alertRules.bindings(), access.bindings(), customers.bindings(),
        ].flatMap(\.self)
    }
}
