import HTTPServer
import HTTPTypes
import HTTPWire
import Logging
import SubGuardAPI

/// The contract over HTTP: routes, limits, errors as problems, codings, log and metrics.
struct SubGuardApplication: HTTPApplication {
    let routes: RouteTable
    let bindings: [RouteBinding]
    let limiter: RateLimiter
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
            return response(for: state.failure(of: allowance), request: request)
        }
        do {
            try request.route.flatMap { bindings[$0].admission }?(request)
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
        let code = ProblemCode(rawValue: failure.code) ?? .internalError
        let isSentry = request.route.map { [.sentryEnvelope, .sentryStore].contains(bindings[$0].api) } ?? false
        let problem = Problem(
            code: code, detail: failure.detail, requestID: request.id,
            errors: failure.issues.map {
                Problem.FieldProblem(pointer: $0.pointer, code: $0.code, detail: $0.detail)
            }, omittedErrors: failure.omittedIssues, causes: isSentry ? SentryFailure.causes(failure) : nil)
        var response = Response(status: failure.status, fields: failure.fields, body: .bytes(problem.json()))
        response.fields[.contentType] = "application/problem+json"
        response.fields[.cacheControl] = "no-store"
        if isSentry { SentryFailure.addFields(failure, to: &response) }
        return response
    }

    func finish(_ response: inout Response, for request: Request) {
        // A refusal already names the allowance that it is about.
        if limiter.isEnabled, response.fields[.rateLimit] == nil, let allowance = allowance(of: request),
            let state = limiter.peek(allowance, of: address.of(request))
        {
            for (name, value) in state.fields(of: allowance) { response.fields[name] = value }
        }
        compress(&response, for: request)
    }

    func observe(_ record: RequestRecord, request: Request) {
        metrics.note(record, method: request.method)
        if record.route == nil, record.status == 404, let address = UnknownIngestAddress(path: request.path) {
            metrics.note(address)
        }
        guard accessLog.isEnabled else { return }
        accessLog.write(record, request: request, route: record.route.map { bindings[$0].api.template } ?? "none")
    }

    func observe(connections change: Int) { metrics.note(connections: change) }

    func observe(_ shortage: ConnectionShortage) { metrics.note(shortage) }

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
