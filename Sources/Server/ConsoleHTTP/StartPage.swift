import BackendHTTP
import Console
import HTTPServer
import HTTPWire
import JSONWire
import PageAssets
import Publication

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
