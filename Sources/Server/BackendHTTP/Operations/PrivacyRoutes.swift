import HTTPServer
package import Operations
import ServerAccess
import ServerContract
import SubGuardContract
import SubGuardDomain
import Synchronization

/// `GET /api/v1/privacy`: the privacy report, public.
package final class PrivacyRoutes: Sendable {
    private let context: BackendContext
    private let registry: PrivacyRegistry
    private let made = Mutex<(report: PrivacyReport, document: RenderedDocument, at: UTCInstant)?>(nil)

    /// The report is cached, because counting is expensive and the page is public.
    private static let keptMilliseconds: Int64 = 600_000

    init(context: BackendContext, registry: PrivacyRegistry) {
        self.context = context
        self.registry = registry
    }

    func bindings() -> [RouteBinding] {
        [
            RouteBinding(.privacy, .blocking { [self] in try document().response(for: $0) })
        ]
    }

    /// The report that the public call returns too.
    package func report() throws -> PrivacyReport { try current().report }

    private func document() throws -> RenderedDocument { try current().document }

    private func current() throws -> (report: PrivacyReport, document: RenderedDocument) {
        let now = context.now()
        return try made.withLock { made in
            if let made, (0..<Self.keptMilliseconds).contains(made.at.milliseconds(until: now)) {
                return (made.report, made.document)
            }
            let report = try PrivacyReport(context: context, registry: registry)
            let document = RenderedDocument(
                body: report.json(capacity: 32_768), contentType: "application/json",
                cacheControl: "public, max-age=300")
            made = (report, document, now)
            return (report, document)
        }
    }
}
