import Accounts
import Catalogue
import EventLog
import HTTPServer
import Logging
import ServerAccess
import SubGuardContract
import Telemetry

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
