import Catalogue
import HTTPServer
import Outbound
import ServerContract
import SubGuardContract
import SubGuardDomain
import ZlibCoding

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

/// Fetches reference rates from the configured address; see ``ReferenceRateFile`` for the forms.
struct RateFetch: Sendable {
    let url: OutboundURL
    let store: RateStore
    let limits: OutboundLimits
    let stop: OutboundStop
    let now: @Sendable () -> UTCInstant

    /// Why there are no new rates, for the log.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Nil while no address is configured.
    init?(
        _ settings: Settings, store: RateStore, now: @escaping @Sendable () -> UTCInstant, stop: OutboundStop
    ) {
        guard let url = settings[\.ratesURL] else { return nil }
        self.url = url
        self.store = store
        var limits = OutboundLimits(settings)
        limits.totalMilliseconds = 60_000
        limits.maximumAnswerBytes = ReferenceRateFile.maximumBytes
        self.limits = limits
        self.stop = stop
        self.now = now
    }

    /// Fetches once and returns the number of rates in the file and how many of them were new. A file with any fault
    /// changes nothing.
    func run() throws -> (count: Int, changed: Int) {
        // Only the operator configures this host.
        let policy = TargetPolicy(allowsOwnNetworks: false, permittedHosts: [url.host])
        let answer = try HTTPGet(url: url, accept: "*/*").send(policy: policy, limits: limits, stop: stop)
        guard answer.status == 200 else { throw Failure(description: "HTTP \(answer.status)") }
        let rates: [DatedRate]
        do {
            rates = try ReferenceRateFile.read(answer.body) {
                try ZipArchive.onlyFile($0, maximumBytes: ReferenceRateFile.maximumBytes)
            }
        } catch {
            throw Failure(description: error.first.map { "\($0.pointer): \($0.sentence)" } ?? "the file has no rates")
        }
        // Another's clock may be ahead by a time zone.
        let latest = now().day.adding(days: 1)
        guard rates.allSatisfy({ $0.on <= latest }) else {
            throw Failure(description: "the file has rates of the future")
        }
        return (rates.count, try store.store(rates))
    }
}
