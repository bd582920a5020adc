package import BackendHTTP
import Console
import HTTPServer
import HTTPWire
import JSONWire
import PageAssets
import Publication
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

/// `GET /`: a small page for browsers, JSON for programs.
enum StartPage {
    static func binding(hasConsole: Bool, origin: ConsoleOrigin) -> RouteBinding {
        let document = RenderedDocument(
            body: json(hasConsole: hasConsole), contentType: "application/json", cacheControl: "public, max-age=300",
            more: [("Vary", "Accept")])
        return RouteBinding(
            console: .get, "/", allowance: .read, isPrivate: false,
            .immediate { request in
                guard isBrowser(request) else { return try document.response(for: request) }
                let visit = try ConsoleVisit(request, cookies: ConsoleCookies(isSecure: origin.isSecure(request)))
                if let redirect = visit.languageRedirect { return redirect }
                return ConsoleResponse.page(SignInPage.start(visit.frame, hasConsole: hasConsole))
            })
    }

    /// The files that pages refer to; the start page needs them too, so they are there without the console.
    static func assetBindings() -> [RouteBinding] {
        ConsoleAsset.all.map { asset in
            let document = RenderedDocument(
                body: asset.content, contentType: asset.contentType,
                cacheControl: "public, max-age=31536000, immutable",
                more: [("X-Content-Type-Options", "nosniff"), ("Cross-Origin-Resource-Policy", "same-origin")])
            return RouteBinding(
                console: .get, "/console/assets/\(asset.name)", allowance: .read, isPrivate: false,
                .immediate { try document.response(for: $0) })
        }
    }

    private static func json(hasConsole: Bool) -> [UInt8] {
        JSONWriter.bytes { writer in
            writer.field("name", "SubGuard")
            writer.field("version", BuildInfo.version)
            writer.field("documentation", PublishedPath.of("/api/v1/openapi.json"))
            writer.field("privacy", PublishedPath.of("/api/v1/privacy"))
            if hasConsole { writer.field("console", PublishedPath.of("/console")) }
        }
    }

    /// Whether the client prefers a page: browsers name `text/html` when they open an address.
    static func isBrowser(_ request: Request) -> Bool {
        request.head.hasMember(of: .accept) { member in
            var parts = ListMembers(member, separator: UInt8(ascii: ";"))
            return parts.next()?.equalsIgnoringCase("text/html") ?? false
        }
    }
}
