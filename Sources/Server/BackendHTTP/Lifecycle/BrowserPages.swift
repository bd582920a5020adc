package import HTTPServer
package import Logging
package import Outbound
package import SubGuardDomain
package import Telemetry

/// The pages for browsers beside the API.
package struct BrowserPages: Sendable {
    /// Writes an error as a page; nil where programs ask.
    package typealias ErrorPage = @Sendable (HTTPFailure, Request) -> Response?

    package let bindings: [RouteBinding]
    package let errorPage: ErrorPage

    package init(bindings: [RouteBinding], errorPage: @escaping ErrorPage) {
        self.bindings = bindings
        self.errorPage = errorPage
    }
}

/// What the pages show and change.
package struct PageParts: Sendable {
    package let settings: Settings
    package let store: OpenStore
    package let gate: AdminGate
    package let features: AdminFeatures
    package let insights: InsightStore
    package let ranking: RankingStore
    package let storage: StorageWatch
    package let readiness: Readiness
    package let privacy: PrivacyRoutes
    package let startedAt: UTCInstant
    /// Ends what pages ask of other servers.
    package let outbound: OutboundStop
    package let logger: Logger
}
