import Cryptography
import HTML
import HTTPServer
import HTTPTypes
package import Operations
import SQLDatabase
import ServerAccess
import ServerContract
import SubGuardContract
package import SubGuardDomain
import Synchronization
import Telemetry

/// Routes of liveness, readiness, metrics and the OpenAPI document.
struct OperationRoutes: Sendable {
    let readiness: Readiness
    let gate: MetricsGate
    /// Maximum age of a shared response; see ``SharedAnswer``.
    let sharedAnswerAge: Duration
    let now: @Sendable () -> UTCInstant
    /// Renders the metrics page for routes with these templates, in the order of the route table.
    let metrics: @Sendable ([String]) -> String

    /// These bindings followed by those of the features; the metrics page covers all of them.
    func bindings(beside features: [RouteBinding]) throws -> [RouteBinding] {
        let alive = Self.rendered(Health())
        let document = Once<RenderedDocument>()
        let own: [APIOperation] = [.health, .readiness, .metrics, .openAPI, .problem]
        let templates = own.map(\.template) + features.map(\.template)
        let page = SharedAnswer(maximumAge: sharedAnswerAge, now: now) {
            Response(
                status: .ok, fields: [.contentType: PrometheusText.contentType, .cacheControl: "no-store"],
                body: .bytes(Array(metrics(templates).utf8)))
        }
        return [
            RouteBinding(.health, allowance: .free, .immediate { _ in alive }),
            RouteBinding(.readiness, allowance: .free, readiness.endpoint(sharedAnswerAge, now: now)),
            RouteBinding(.metrics, allowance: .free, admission: { try gate.admit($0) }, page.endpoint),
            RouteBinding(.openAPI, .blocking { try document.value(Self.openAPI).response(for: $0) }),
            RouteBinding(.problem, .immediate { try ProblemPage.response(for: $0) }),
        ] + features
    }

    /// Created on first use: few servers are asked for it, and it takes a third of the start.
    private static func openAPI() -> RenderedDocument {
        RenderedDocument(
            body: OpenAPIDocument.served(), contentType: "application/json", cacheControl: "public, max-age=300")
    }

    private static func rendered(_ object: some WireObject) -> Response {
        var response = Response(status: .ok, body: .bytes(object.json()))
        response.renderedFields = Array("Content-Type: application/json\r\nCache-Control: no-store\r\n".utf8)
        return response
    }
}

/// When a write of a request last failed for lack of space or by the disk.
final class WriteFailures: Sendable {
    private let last = Atomic<Int64>(.min / 2)

    /// For how long a failure counts. Traffic that goes on failing renews it.
    private static let milliseconds: Int64 = 3_000

    func note(at now: UTCInstant) { last.store(now.millisecondsSinceEpoch, ordering: .relaxed) }

    /// A failure in the future, before the clock was set back, does not count.
    func isRecent(at now: UTCInstant) -> Bool {
        (0..<Self.milliseconds).contains(now.millisecondsSinceEpoch - last.load(ordering: .relaxed))
    }
}

/// Whether this server is ready for requests: the schema is current or a newer one that lets it run, a write reached
/// the disk, the clock is right, no shutdown is in progress.
package struct Readiness: Sendable {
    let probe: StoreProbe
    let isDraining: @Sendable () -> Bool
    let schema: @Sendable () throws -> SchemaState
    /// Why a commit may be lost although it was promised to be on disk.
    let durabilityFault: @Sendable () throws -> DurabilityFault?
    /// For information only. A server with full storage still serves reads, and another server on the same database
    /// would not help.
    let storageLevel: @Sendable () -> StorageLevel
    let isClockBehind: @Sendable () -> Bool
    let writeFailures: WriteFailures

    /// Returns whether a newer release has migrated the database.
    @discardableResult
    private func requireSchema() throws -> Bool {
        let found: SchemaState
        do {
            found = try schema()
        } catch MigrationError.earlierBuild {
            throw failure("migrations", "A build before 0.1.0 made the database.")
        } catch is MigrationError {
            throw failure("migrations", "A newer version has migrated the database.")
        } catch {
            throw failure("store", "The database does not respond.")
        }
        if found == .pending { throw failure("migrations", "The database needs migration.") }
        return found == .newer
    }

    /// Draining is reported at once; all other checks are shared by requests within `maximumAge`, because they write to
    /// the disk.
    func endpoint(_ maximumAge: Duration, now: @escaping @Sendable () -> UTCInstant) -> Endpoint {
        let shared = SharedAnswer(maximumAge: maximumAge, now: now) { try response() }
        return .remembered(
            { _ in isDraining() || writeFailures.isRecent(at: now()) ? nil : shared.recent },
            otherwise: .deferred { _, reply in
                if isDraining() { throw failure("shutdown", "The server is shutting down.") }
                // A probe may still fit where a batch does not, and a shared response may be older than the failure.
                if writeFailures.isRecent(at: now()) { throw failure("store", "A write of a request failed.") }
                shared.answer(reply)
            })
    }

    /// The parts one by one, for people. A part that fails has the sentence of `/readyz`.
    package func parts() -> [(part: ReadinessPart, failure: Sentence?)] {
        func sentence(_ check: () throws -> Void) -> Sentence? {
            do { try check() } catch { return (error as? HTTPFailure)?.sentence ?? "The database does not respond." }
            return nil
        }
        return [
            (
                .migrations,
                sentence { try requireSchema() }
            ),
            (
                .store,
                sentence {
                    do { try probe.check() } catch { throw failure("store", "A write to the database failed.") }
                    try requireDurability()
                }
            ),
            (.storage, storageLevel() == .full ? "The storage is full: data from devices is rejected." : nil),
            (.clock, sentence(requireClock)),
            (.shutdown, isDraining() ? "The server is shutting down." : nil),
        ]
    }

    private func response() throws -> Response {
        let isNewer = try requireSchema()
        do { try probe.check() } catch { throw failure("store", "A write to the database failed.") }
        try requireDurability()
        try requireClock()
        return ReadinessReport(storage: storageLevel(), schemaIsNewer: isNewer).response(.ok)
    }

    private func requireClock() throws {
        if isClockBehind() { throw failure("clock", "The server's clock is behind.") }
    }

    private func requireDurability() throws {
        let fault: DurabilityFault?
        do { fault = try durabilityFault() } catch { throw failure("store", "The database does not respond.") }
        switch fault {
        case nil: return
        case .level: throw failure("durability", "The database acknowledges commits too early (synchronous_commit).")
        case .standbys:
            throw failure("durability", "Commits wait for too few standbys (synchronous_standby_names).")
        }
    }

    private func failure(_ check: String, _ detail: Sentence) -> HTTPFailure {
        HTTPFailure(
            .notReady, "Failing check: \(check). " + detail, fields: [.retryAfter: "5"])
    }
}

/// Admits requests to `/metrics`: all of them, or those with the configured token.
struct MetricsGate: Sendable {
    /// The hash of the configured token; nil if none is configured.
    private let token: [UInt8]?
    private let credentials: BearerCredentials

    init(_ settings: Settings, limiter: RateLimiter, address: ClientAddress) {
        let text = settings[\.metricsToken]
        token = text.isEmpty ? nil : SHA256.hash(of: text.utf8)
        credentials = BearerCredentials(limiter: limiter, address: address, realm: "subguard metrics")
    }

    /// Runs on the event loop and uses only the request. Throws 400, 401 or 429.
    func admit(_ request: Request) throws {
        guard let token else { return }
        let given = try credentials.token(of: request)
        guard ConstantTime.areEqual(SHA256.hash(of: given.utf8), token) else {
            throw try credentials.invalidToken(request, "The token is not the configured metrics_token.")
        }
    }
}

/// The page at the `type` URL of a problem.
enum ProblemPage {
    static func response(for request: Request) throws -> Response {
        let name = try request.parameters.text()
        guard let code = ProblemCode(rawValue: name) else { throw HTTPFailure.notFound }
        var html = HTMLWriter(capacity: 1024)
        html.doctype()
        html.add(.html, .lang("en")) { html in
            html.add(.head) { html in
                html.add(.meta, .charset("utf-8"))
                html.add(.title, text: "\(code.rawValue) - SubGuard")
            }
            html.add(.body) { html in
                html.add(.h1, text: code.title)
                html.add(.p) { html in
                    html.text("Code ")
                    html.add(.code, text: code.rawValue)
                    html.text(", status \(code.status).")
                }
                html.paragraph(code.explanation)
            }
        }
        return try RenderedDocument(
            body: html.bytes, contentType: "text/html; charset=utf-8", cacheControl: "public, max-age=86400",
            more: [("Content-Security-Policy", "default-src 'none'"), ("X-Content-Type-Options", "nosniff")]
        ).response(for: request)
    }
}
