import Catalogue
import HTTPServer
import HTTPTypes
import HTTPWire
import ServerContract
import SubGuardContract
import SubGuardDomain
import Synchronization

/// Catalogue routes for devices, served from the view in memory; only a sync token of a later revision has it compared
/// with the database.
struct CatalogueRoutes: Sendable {
    let publisher: CataloguePublisher
    let limits: ClientLimits
    /// Whether every client has premium, which devices learn here without a request of its own.
    let givesPremium: Bool

    private static let cacheControl = "public, max-age=300, stale-if-error=86400"

    func bindings() -> [RouteBinding] {
        [
            RouteBinding(
                .catalogue,
                remembered { request, view in
                    let listing = try CatalogueListing(request)
                    // Another server may have given the token after a change that this one has not seen yet.
                    let page = try listing.body(from: listing.isAhead(of: view) ? publisher.comparedView() : view)
                    let premium = givesPremium ? [(APIOperation.premiumField, "all")] : []
                    return (page.bytes, PageLink.fields(request, next: page.next) + premium)
                }),
            RouteBinding(.catalogueItem, .blocking { try item($0) }),
            RouteBinding(.catalogueSearch, remembered { (try search($0, in: $1), []) }),
        ]
    }

    /// Responds from the view's cache on the event loop; renders missing responses on a worker.
    private func remembered(
        _ make: @escaping @Sendable (Request, CatalogueView) throws -> (body: [UInt8], fields: [(String, String)])
    ) -> Endpoint {
        .remembered(
            { request in
                // Responses that may be 412 are created on the worker.
                request.head.contains(.ifMatch)
                    ? nil : try? publisher.view.answers.document(for: request.head)?.response(for: request)
            },
            otherwise: .blocking { request in
                // Clients can vary URLs at will, and each new URL costs rendering and compression.
                try limits.take(.renderedBytes, for: request)
                let view = publisher.view
                let (body, fields) = try make(request, view)
                limits.owe(.renderedBytes, count: body.count, for: request)
                let document = RenderedDocument(
                    body: body, contentType: "application/json", cacheControl: Self.cacheControl, more: fields)
                view.answers.keep(document, for: request.head, bytes: body.count)
                return try document.response(for: request)
            })
    }

    private func item(_ request: Request) throws -> Response {
        let id = try request.parameters.uuid()
        let view = publisher.view
        if let item = view.item(id) {
            return try RenderedDocument(
                body: item.json(capacity: 512), contentType: "application/json", cacheControl: Self.cacheControl
            ).response(for: request)
        }
        guard let primary = view.tombstone(id)?.mergedInto else {
            throw HTTPFailure(.notFound, "There is no such item.")
        }
        return Response(
            status: .movedPermanently,
            fields: [.location: "/api/v1/catalogue/\(primary.lowercased)", .cacheControl: Self.cacheControl])
    }

    private func search(_ request: Request, in view: CatalogueView) throws -> [UInt8] {
        let query = try CatalogueSearchQuery(query: request)
        let matches = view.matcher.search(query.text, limit: query.limit).compactMap { match in
            view.item(match.id).map { CatalogueMatch(item: $0, score: match.score, matched: match.matched) }
        }
        return WholeList(items: matches).json(capacity: 4096)
    }
}

/// `GET /logos/{file}`: a name always identifies the same content, so clients may cache responses permanently.
struct LogoRoutes: Sendable {
    private let contents: any LogoContents
    private let kept = KeptLogos()

    init(contents: any LogoContents) { self.contents = contents }

    func bindings() -> [RouteBinding] {
        [
            RouteBinding(
                .logo,
                .remembered(
                    { request in
                        guard !request.head.contains(.ifMatch), let name = try? request.parameters.text() else {
                            return nil
                        }
                        return try? kept.document(name)?.response(for: request)
                    },
                    otherwise: .blocking { request in
                        try document(try request.parameters.text()).response(for: request)
                    }))
        ]
    }

    private func document(_ name: String) throws -> RenderedDocument {
        guard let format = LogoFile.format(ofName: name), let bytes = try contents.read(name) else {
            throw HTTPFailure.notFound
        }
        let document = RenderedDocument(
            body: bytes, contentType: format.mediaType, cacheControl: "public, max-age=31536000, immutable",
            more: [("X-Content-Type-Options", "nosniff"), ("Content-Security-Policy", "default-src 'none'; sandbox")],
            isCodable: false)
        kept.keep(document, name, bytes: bytes.count)
        return document
    }
}

/// Cache of recently requested logos with a size limit.
private final class KeptLogos: Sendable {
    private struct State {
        var documents: [String: RenderedDocument] = [:]
        var bytes = 0
    }

    private static let maximumBytes = 32 << 20
    private let state = Mutex(State())

    func document(_ name: String) -> RenderedDocument? { state.withLock { $0.documents[name] } }

    func keep(_ document: RenderedDocument, _ name: String, bytes: Int) {
        state.withLock { state in
            if state.bytes + bytes > Self.maximumBytes { state = State() }
            guard state.documents.updateValue(document, forKey: name) == nil else { return }
            state.bytes += bytes
        }
    }
}
