package import BackendHTTP
import Console
import ServerAccess

extension BrowserPages {
    /// The start page, the console unless it is turned off, and errors as pages.
    package static func all(_ parts: PageParts) -> BrowserPages {
        let origin = ConsoleOrigin(parts.settings, address: parts.gate.address)
        let console = parts.settings[\.consoleEnabled] ? ConsoleRoutes(parts, origin: origin) : nil
        return BrowserPages(
            bindings: (console?.bindings() ?? []) + StartPage.assetBindings() + [
                StartPage.binding(hasConsole: console != nil, origin: origin)
            ], errorPage: ConsoleErrors(origin: origin, hasConsole: console != nil).page)
    }
}

extension ConsoleRoutes {
    init(_ parts: PageParts, origin: ConsoleOrigin) {
        let (settings, context, gate) = (parts.settings, parts.store.context, parts.gate)
        self.init(
            gate: ConsoleGate(
                sessions: ConsoleSessionStore(context: context), tokens: gate.tokens, answers: gate.answers,
                limiter: gate.limiter, address: gate.address, origin: origin,
                openID: OpenIDProvider(
                    settings, now: context.now, logger: parts.logger, stop: parts.outbound),
                waiting: WaitingCounts(now: context.now), storage: parts.storage, logger: parts.logger,
                now: context.now),
            passkeys: PasskeyStore(context: context), insights: parts.insights, ranking: parts.ranking,
            explorer: EventExplorer(settings, context: context, stop: parts.outbound, logger: parts.logger),
            features: parts.features,
            operations: ConsoleOperations(
                settings: settings, store: parts.store, storage: parts.storage, readiness: parts.readiness,
                privacy: parts.privacy, startedAt: parts.startedAt,
                work: BackupWork(store: parts.store, settings: settings, logger: parts.logger)),
            notices: ConsoleNotices(store: ConsoleNoticeStore(context: context), now: context.now))
    }

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
