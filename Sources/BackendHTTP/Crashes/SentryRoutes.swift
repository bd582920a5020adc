import Backend
import Foundation
import HTTPServer
import HTTPTypes
import JSONWire
import SubGuardAPI
import SubGuardDomain

/// `POST /ingest/api/{project_id}/envelope/`: the reports of unmodified Sentry SDKs.
struct SentryRoutes: Sendable {
    let store: CrashStore
    let counters: CrashCounters
    let limits: ClientLimits
    let quotas: CrashQuotas
    /// Empty while reports are not taken.
    let key: String
    let projectID: String
    let now: @Sendable () -> UTCInstant

    /// A report is some 5 KB as sent, one with every variable of 100 frames under a megabyte.
    private static let maximumBodyBytes = 2 << 20
    private static let maximumInflatedBytes = 8 << 20

    func bindings() -> [RouteBinding] {
        [
            RouteBinding(
                .sentryEnvelope, allowance: .report, maximumBodyBytes: Self.maximumBodyBytes,
                .blocking { try submit($0) })
        ]
    }

    private func submit(_ request: Request) throws -> Response {
        guard !key.isEmpty else {
            throw HTTPFailure(.notFound, "This server takes no Sentry envelopes: ingest_sentry_key is not set.")
        }
        guard try request.parameters.text() == projectID else {
            throw HTTPFailure(.forbidden, "The project is not this server's.")
        }
        let given = try SentryCredentials.keys(in: request)
        try require(given)
        let body = try ContentCoding.decodedBody(of: request, maximumBytes: Self.maximumInflatedBytes)
        let envelope: Envelope
        do throws(EnvelopeError) {
            envelope = try EnvelopeParser.parse(body)
        } catch {
            throw HTTPFailure(.malformedRequest, error.detail)
        }
        try require(given + (envelope.dsn.map { [$0.key] } ?? []))
        guard !given.isEmpty || envelope.dsn != nil else {
            throw HTTPFailure(.forbidden, "The key of the DSN is missing.")
        }
        guard envelope.dsn.map({ $0.projectID == projectID }) ?? true else {
            throw HTTPFailure(.forbidden, "The project of the envelope's dsn is not that of the address.")
        }
        let receivedAt = now()
        var submission = EnvelopeReader.read(envelope, body: body, receivedAt: receivedAt)
        submission.nameAggregates(of: envelope, body: body)
        try limits.take(.reportedItems, count: submission.itemCount, for: request)
        counters.add(
            try store.record(submission, receivedAt: receivedAt, quota: quotas.quota(of: request)))
        return Self.response(envelope.eventID ?? submission.reports.first?.id)
    }

    /// All keys that came must be ours, so that they agree with each other too.
    private func require(_ given: [String]) throws {
        guard given.allSatisfy({ $0 == key }) else {
            throw HTTPFailure(.forbidden, "The key of the DSN is not this server's.")
        }
    }

    private static func response(_ id: UUID?) -> Response {
        var writer = JSONWriter(capacity: 64)
        writer.beginObject()
        if let id { writer.field("id", SentryID.text(id)) }
        writer.endObject()
        return Response(
            status: .ok, fields: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .bytes(writer.bytes))
    }
}
