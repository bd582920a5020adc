import Backend
import EventLog
import HTTPServer
import Logging
import SubGuardContract

/// The features whose functions answer the admin calls of the API, and the forms of the console.
struct AdminFeatures: Sendable {
    let catalogue: AdminCatalogueRoutes
    let suggestions: AdminSuggestionRoutes
    let crashes: AdminCrashRoutes
    let symbols: SymbolRoutes
    let alerts: AlertRoutes
    let alertRules: AlertRuleRoutes
    let access: AccessRoutes
    let customers: CustomerRoutes

    init(
        gate: AdminGate, store: OpenStore, publisher: CataloguePublisher, crashes: CrashStore, log: EventLog,
        alerts: AlertDispatcher, rules: AlertRuleEvaluator, premium: PremiumStore, logger: Logger
    ) {
        let context = store.context
        catalogue = AdminCatalogueRoutes(
            gate: gate, store: CatalogueStore(context: context), publisher: publisher, logos: store.logos,
            imports: ImportTracker(context: context))
        suggestions = AdminSuggestionRoutes(
            gate: gate, store: SuggestionStore(context: context), publisher: publisher, nearestItems: NearestItems())
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

extension ConsoleRoutes {
    func bindings() -> [RouteBinding] {
        let areas = [
            signInBindings(), openIDBindings(), figureBindings(), eventBindings(), catalogueBindings(),
            catalogueFileBindings(), suggestionBindings(), suggestionPageBindings(), crashBindings(),
            crashReleaseBindings(), symbolBindings(), alertBindings(), alertRuleBindings(), accountBindings(),
            accessBindings(), sessionBindings(), passkeyBindings(), auditBindings(), operationBindings(),
            searchBindings(),
        ]
        return areas.flatMap(\.self)
    }
}
