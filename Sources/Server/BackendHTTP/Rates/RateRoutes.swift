import Catalogue
import HTTPServer
import ServerContract
import SubGuardContract

/// `GET /api/v1/rates`.
struct RateRoutes: Sendable {
    let store: RateStore
    let limits: ClientLimits

    private static let cacheControl = "public, max-age=3600, stale-if-error=86400"

    func bindings() -> [RouteBinding] {
        [
            RouteBinding(
                .rates,
                .blocking { request in
                    try limits.take(.renderedBytes, for: request)
                    let query = try RateQuery(query: request)
                    let body = try store.page(since: query.since).json(capacity: 4096)
                    limits.owe(.renderedBytes, count: body.count, for: request)
                    return try RenderedDocument(
                        body: body, contentType: "application/json", cacheControl: Self.cacheControl
                    ).response(for: request)
                })
        ]
    }
}
