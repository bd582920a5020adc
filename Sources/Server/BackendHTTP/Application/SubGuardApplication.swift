import HTTPServer
import HTTPTypes
import HTTPWire
import Logging
import Publication
import ServerAccess
import ServerContract
import SubGuardContract
import SubGuardDomain
import Telemetry
import ZlibCoding

/// Serves the contract over HTTP: routing, limits, problems, content codings, log and metrics.
struct SubGuardApplication: HTTPApplication {
    var routes: RouteTable
    let bindings: [RouteBinding]
    let limiter: RateLimiter
    let storage: StorageWatch
    let clock: ClockWatch
    let address: ClientAddress
    /// Whether a path that a proxy passes on must begin with that of `public_url`.
    let requiresPath: Bool
    let crossOrigin: CrossOrigin
    let metrics: RequestMetrics
    let accessLog: AccessLog
    let writeFailures: WriteFailures
    let now: @Sendable () -> UTCInstant
    let logger: Logger
    let errorPage: BrowserPages.ErrorPage

    /// Smaller bodies are not compressed.
    private static let smallestCodedBody = 1024

    func intercept(_ request: Request) -> Response? {
        if let allowance = allowance(of: request), let state = limiter.take(allowance, from: address.of(request)),
            !state.isAllowed
        {
            return response(for: state.failure, request: request)
        }
        do {
            guard let index = request.route else { return crossOrigin.preflight(request, routes) }
            // One spelling: a rule of the proxy about a path cannot be avoided by leaving out what `public_url` begins
            // with.
            if requiresPath, !request.isBelowBasePath, ClientAddress.isProxied(request.head) {
                throw HTTPFailure(
                    .notFound,
                    "The path must begin with that of public_url. If the proxy removes it, set proxy_removes_path.")
            }
            let binding = bindings[index]
            if binding.growsStore, storage.isStorageFull {
                throw HTTPFailure.storageFull("The storage is full.")
            }
            if binding.judgesTimes, clock.isBehind { throw HTTPFailure.clockIsBehind }
            try binding.admission?(request)
            if binding.isWrite, let api = binding.api {
                try HeadRules.check(request.head, for: api, allowsOtherOrigin: crossOrigin.allows(request))
            }
            return nil
        } catch {
            return response(for: error, request: request)
        }
    }

    func response(for error: any Error, request: Request) -> Response {
        guard let failure = HTTPFailure(error) else {
            logger.error("request failed", metadata: ["request_id": "\(request.id)", "error": "\(error)"])
            return response(
                for: HTTPFailure(
                    .internalError, "Internal error. The operator finds the cause in the log under the request id."),
                request: request)
        }
        if HTTPFailure.concernsOperator(error) {
            writeFailures.note(at: now())
            logger.error("storage failed", metadata: ["request_id": "\(request.id)", "error": "\(error)"])
        }
        if let page = errorPage(failure, request) { return page }
        let form = request.route.flatMap { bindings[$0].refusalForm }
        let problem = Problem(
            code: failure.code, detail: failure.detail, requestID: request.id, errors: failure.faults,
            causes: form?.causes(failure))
        var response = Response(
            status: .of(failure.code), fields: failure.fields, body: .bytes(problem.json(capacity: 512)))
        response.fields[.contentType] = "application/problem+json"
        form?.addFields(failure, &response)
        return response
    }

    func finish(_ response: inout Response, for request: Request) {
        // Rejections already contain the fields of their allowance.
        if limiter.isEnabled, response.fields[.rateLimit] == nil, let allowance = allowance(of: request),
            let state = limiter.peek(allowance, of: address.of(request))
        {
            for (name, value) in state.fields { response.fields[name] = value }
        }
        if isConfidential(response, to: request) {
            response.fields[.cacheControl] = "no-store"
            response.fields[.xContentTypeOptions] = "nosniff"
        }
        if let location = response.fields[.location] { response.fields[.location] = PublishedPath.of(location) }
        compress(&response, for: request)
        crossOrigin.addFields(to: &response, for: request)
    }

    /// Whether caches must not store a response and browsers must not guess its type. True for all responses to
    /// requests with credentials and for all problems. Entity tags still avoid the transfer of unchanged data.
    private func isConfidential(_ response: Response, to request: Request) -> Bool {
        response.status.code >= 400 || request.route.map { bindings[$0].needsCredentials } ?? false
    }

    func observe(_ record: RequestRecord, request: Request) {
        metrics.note(record, method: request.method)
        if record.route == nil, record.status == 404, let address = UnknownIngestAddress(path: request.path) {
            metrics.note(address)
        }
        guard accessLog.isEnabled else { return }
        accessLog.write(record, request: request)
    }

    func observe(connections change: Int) { metrics.note(connections: change) }

    func observe(_ shortage: ConnectionShortage) { metrics.note(shortage) }

    func observe(_ shortage: MemoryShortage) { metrics.note(shortage) }

    /// The same application with a subset of its routes; all other paths return 404. Route indexes are kept, so that
    /// several listeners can share metrics and log.
    func serving(_ isServed: (APIOperation?) -> Bool) -> SubGuardApplication {
        var application = self
        application.routes = RouteTable(
            bindings.map(\.route), serving: bindings.indices.filter { isServed(bindings[$0].api) })
        return application
    }

    private func allowance(of request: Request) -> Allowance? { request.route.map { bindings[$0].allowance } }

    /// Compresses responses without an entity tag. Those with one are compressed when they are created, because each
    /// coding has its own tag.
    private func compress(_ response: inout Response, for request: Request) {
        guard case .bytes(let body) = response.body, body.count >= Self.smallestCodedBody,
            response.renderedFields.isEmpty, response.fields[.contentEncoding] == nil
        else { return }
        response.fields[.vary] = "Accept-Encoding"
        guard ContentCoding.acceptsGzip(request.head), let coded = Gzip.compress(body) else { return }
        response.fields[.contentEncoding] = "gzip"
        response.body = .bytes(coded)
    }
}
