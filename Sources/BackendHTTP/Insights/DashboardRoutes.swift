import Backend
import HTTPServer
import HTTPTypes
import JSONWire
import SubGuardAPI
import SubGuardDomain

/// `GET /api/v1/admin/dashboard`.
struct DashboardRoutes: Sendable {
    let gate: AdminGate
    let store: InsightStore

    func bindings() -> [RouteBinding] {
        [gate.binding(.dashboard) { request, _ in Self.response(try store.dashboard(), to: request) }]
    }

    private static func response(_ dashboard: Dashboard, to request: Request) -> Response {
        // The moment of asking is not part of what the figures say, so the same figures keep the same tag.
        let tag = EntityTag(content: render(dashboard, asOf: nil))
        return RenderedDocument(
            body: render(dashboard, asOf: dashboard.computedAt.rfc3339), contentType: "application/json", tag: tag,
            cacheControl: "private, no-cache"
        ).response(for: request)
    }

    private static func render(_ dashboard: Dashboard, asOf: String?) -> [UInt8] {
        let definitions = Dictionary(Dashboard.definitions.map { ($0.figure, $0.definition) }) { first, _ in first }
        var writer = JSONWriter(capacity: 2048)
        writer.beginObject()
        if let asOf { writer.field("as_of", asOf) }
        writer.field("zone", "UTC")
        writer.field("definition", Dashboard.windowDefinition)
        for (name, figure) in [
            ("total_users", dashboard.totalUsers), ("active_users_30d", dashboard.activeUsers30d),
            ("subscriptions_tracked", dashboard.subscriptionsTracked),
            ("premium_conversions", dashboard.premiumConversions),
            ("crash_free_sessions", dashboard.crashFreeSessions),
        ] {
            writer.key(name)
            writer.beginObject()
            writer.field("value", number(figure.value))
            writer.field("this_week", number(figure.thisWeek))
            writer.field("last_week", number(figure.lastWeek))
            writer.field("trend_percent", number(figure.trendPercent))
            writer.field("definition", definitions[name])
            writer.endObject()
        }
        writer.endObject()
        return writer.bytes
    }

    private static func number(_ figure: FigureNumber?) -> JSONValue { figure.map { .number($0.text) } ?? .null }
}
