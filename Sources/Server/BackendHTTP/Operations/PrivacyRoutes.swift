import Backend
import HTTPServer
import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain
import Synchronization

/// `GET /api/v1/privacy`: the privacy report, public.
final class PrivacyRoutes: Sendable {
    private let context: BackendContext
    private let registry: PrivacyRegistry
    private let made = Mutex<(document: RenderedDocument, at: UTCInstant)?>(nil)

    /// Cached: counting is expensive and the page is public.
    private static let keptMilliseconds: Int64 = 600_000

    init(context: BackendContext, registry: PrivacyRegistry) {
        self.context = context
        self.registry = registry
    }

    func bindings() -> [RouteBinding] {
        [
            RouteBinding(
                .privacy,
                .blocking { [self] request in
                    try QueryReader(request, known: []).requireValid()
                    return try document().response(for: request)
                })
        ]
    }

    private func document() throws -> RenderedDocument {
        let now = context.now()
        return try made.withLock { made in
            if let made, (0..<Self.keptMilliseconds).contains(made.at.milliseconds(until: now)) { return made.document }
            let document = Self.render(try PrivacyReport(context: context, registry: registry))
            made = (document, now)
            return document
        }
    }

    private static func render(_ report: PrivacyReport) -> RenderedDocument {
        var writer = JSONWriter(capacity: 32_768)
        writer.beginObject()
        writer.field("generated_at", report.generatedAt.rfc3339)
        writer.field(
            "definition",
            "Made from the database schema and the event registry; row counts are up to ten minutes old.")
        writer.key("events")
        writer.beginArray()
        for event in EventRegistry.events {
            writer.beginObject()
            writer.field("name", event.name)
            writer.field("properties", .array(event.properties.map { .string($0.name) }))
            writer.endObject()
        }
        writer.endArray()
        writer.key("tables")
        writer.beginArray()
        for table in report.tables { write(table, to: &writer) }
        writer.endArray()
        writer.field("never_stored", .array(PrivacyRegistry.neverStored.map(JSONValue.string)))
        writer.endObject()
        return RenderedDocument(
            body: writer.bytes, contentType: "application/json", cacheControl: "public, max-age=300")
    }

    private static func write(_ table: PrivacyReport.Table, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("table", table.name)
        writer.field("purpose", table.purpose)
        writer.field("concerns", table.subject.rawValue)
        writer.field("retention", table.retention)
        writer.field("rows", table.rows)
        writer.field("rows_are_exact", table.rowsAreExact)
        writer.field("last_purged_at", table.lastPurgedAt?.rfc3339)
        writer.key("fields")
        writer.beginArray()
        for field in table.fields {
            writer.beginObject()
            writer.field("name", field.name)
            writer.field("type", field.type)
            writer.field("meaning", field.meaning)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
    }
}
