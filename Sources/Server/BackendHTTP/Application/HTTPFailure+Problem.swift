import HTTPServer
import HTTPTypes
import JSONWire
import SubGuardContract

extension HTTPFailure {
    /// A failure of the contract's closed set.
    init(
        _ code: ProblemCode, _ detail: String, fields: HTTPFields = HTTPFields(),
        issues: FaultList<HTTPFailure.Issue> = []
    ) {
        self.init(
            status: .of(code), code: code.rawValue, detail: detail, fields: fields, issues: Array(issues),
            omittedIssues: issues.omitted)
    }

    /// 422 for one value.
    static func invalid(_ pointer: String, _ code: String, _ detail: String) -> HTTPFailure {
        .invalid([Issue(pointer: pointer, code: code, detail: detail)])
    }

    /// 422 for several values.
    static func invalid(_ issues: FaultList<Issue>) -> HTTPFailure {
        let places = issues.prefix(3).map(\.pointer).joined(separator: ", ")
        return HTTPFailure(.validationFailed, "Not acceptable: \(places).", issues: issues)
    }
}

extension HTTPResponse.Status {
    /// The status of a problem, with its phrase.
    static func of(_ code: ProblemCode) -> HTTPResponse.Status {
        switch code.status {
        case 400: .badRequest
        case 401: .unauthorized
        case 403: .forbidden
        case 404: .notFound
        case 405: .methodNotAllowed
        case 408: .requestTimeout
        case 409: .conflict
        case 410: .gone
        case 412: .preconditionFailed
        case 413: .contentTooLarge
        case 414: .uriTooLong
        case 415: .unsupportedMediaType
        case 417: .expectationFailed
        case 422: .unprocessableContent
        case 429: .tooManyRequests
        case 431: .requestHeaderFieldsTooLarge
        case 501: .notImplemented
        case 503: .serviceUnavailable
        case 505: .httpVersionNotSupported
        default: .internalServerError
        }
    }
}
