import Backend
import HTTPServer
import HTTPTypes
import HTTPWire
import Logging
import ServerContract
import SubGuardContract

/// The contract over HTTP: routes, limits, errors as problems, codings, log and metrics.
struct SubGuardApplication: HTTPApplication {
    var routes: RouteTable
    let bindings: [RouteBinding]
    let limiter: RateLimiter
    let storage: StorageWatch
    let address: ClientAddress
    let metrics: RequestMetrics
    let accessLog: AccessLog
    let logger: Logger

    /// Bodies under this size are not worth a coding.
    private static let smallestCodedBody = 1024

    func intercept(_ request: Request) -> Response? {
        if let allowance = allowance(of: request), let state = limiter.take(allowance, from: address.of(request)),
            !state.isAllowed
        {
            return response(for: state.failure, request: request)
        }
        do {
            guard let index = request.route else { return nil }
            let binding = bindings[index]
            if binding.growsStore, storage.isStorageFull {
                throw HTTPFailure.storageFull("The storage has reached its ceiling.")
            }
            try binding.admission?(request)
            if binding.isWrite { try HeadRules.check(request.head, for: binding.api) }
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
                    .internalError, "The server failed; the operator finds the cause under the request id."),
                request: request)
        }
        if HTTPFailure.concernsOperator(error) {
            logger.error("storage failed", metadata: ["request_id": "\(request.id)", "error": "\(error)"])
        }
        let code = ProblemCode(rawValue: failure.code) ?? .internalError
        let isSentry = request.route.map { [.sentryEnvelope, .sentryStore].contains(bindings[$0].api) } ?? false
        let problem = Problem(
            code: code, detail: failure.detail, requestID: request.id,
            errors: failure.issues.map {
                Problem.FieldProblem(pointer: $0.pointer, code: $0.code, detail: $0.detail)
            }, omittedErrors: failure.omittedIssues, causes: isSentry ? SentryFailure.causes(failure) : nil)
        var response = Response(status: failure.status, fields: failure.fields, body: .bytes(problem.json()))
        response.fields[.contentType] = "application/problem+json"
        if isSentry { SentryFailure.addFields(failure, to: &response) }
        return response
    }

    func finish(_ response: inout Response, for request: Request) {
        // A refusal already names the allowance that it is about.
        if limiter.isEnabled, response.fields[.rateLimit] == nil, let allowance = allowance(of: request),
            let state = limiter.peek(allowance, of: address.of(request))
        {
            for (name, value) in state.fields { response.fields[name] = value }
        }
        if isConfidential(response, to: request) {
            response.fields[.cacheControl] = "no-store"
            response.fields[.xContentTypeOptions] = "nosniff"
        }
        compress(&response, for: request)
    }

    /// Whether no cache may keep an answer and no browser may take it for another type than it names: every answer to a call
    /// with credentials, and every problem. Tags still save a script the transfer of what it has.
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

    /// The same application with some of its routes: to all other addresses it answers 404. Routes keep their places, so
    /// that several listeners share metrics and log.
    func serving(_ isServed: (APIOperation) -> Bool) -> SubGuardApplication {
        var application = self
        application.routes = RouteTable(
            bindings.map(\.route), serving: bindings.indices.filter { isServed(bindings[$0].api) })
        return application
    }

    private func allowance(of request: Request) -> Allowance? { request.route.map { bindings[$0].allowance } }

    /// Answers without a validator are coded here; the others carry one tag a coding and are coded when they are made.
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
