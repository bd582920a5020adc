import Backend
import HTTPServer
import HTTPTypes
import JSONWire
import SubGuardAPI
import SubGuardDomain

/// `POST /api/v1/analytics`: parsed on a worker, answered once the batch is on disk.
struct AnalyticsRoutes: Sendable {
    let ingest: EventIngest
    let now: @Sendable () -> UTCInstant

    /// 1,000 events with every property are about 600 KB.
    private static let maximumBodyBytes = 1 << 20
    private static let maximumInflatedBytes = 4 << 20

    func bindings() -> [RouteBinding] {
        [
            RouteBinding(
                .analytics, allowance: .write, maximumBodyBytes: Self.maximumBodyBytes, .deferred { try submit($0, $1) }
            )
        ]
    }

    private func submit(_ request: Request, _ reply: Reply) throws {
        let body = try RequestBody.jsonBytes(request, maximumBytes: Self.maximumInflatedBytes)
        let batch = try EventParser.parse(body, receivedAt: now())
        ingest.submit(batch) { result in reply(result.map(Self.response)) }
    }

    private static func response(_ receipt: IngestReceipt) -> Response {
        var writer = JSONWriter(capacity: 64 + receipt.rejected.count * 128)
        writer.beginObject()
        writer.field("accepted", receipt.accepted)
        writer.field("duplicates", receipt.duplicates)
        writer.key("rejected")
        writer.beginArray()
        for rejected in receipt.rejected {
            writer.beginObject()
            writer.field("index", rejected.index)
            writer.field("code", rejected.code.rawValue)
            writer.field("detail", rejected.detail)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return Response(
            status: .accepted, fields: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .bytes(writer.bytes))
    }
}
