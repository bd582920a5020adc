import HTTPServer
package import HTTPTypes
package import HTTPWire
import JSONWire
import SQLDatabase
import ServerAccess
import SubGuardContract
package import SubGuardDomain
import Telemetry

/// An error response of the contract. Handlers throw it; errors of other layers are mapped to it.
package struct HTTPFailure: Error, CustomStringConvertible {
    package var code: ProblemCode
    /// One sentence for the user.
    package var sentence: Sentence
    /// Header fields required by the status, such as `Allow` and `Retry-After`.
    package var fields: HTTPFields
    /// The faults in the body or query.
    package var faults: FaultList

    package init(_ code: ProblemCode, _ sentence: Sentence, fields: HTTPFields = HTTPFields(), faults: FaultList = []) {
        self.code = code
        self.sentence = sentence
        self.fields = fields
        self.faults = faults
    }

    /// The English sentence.
    var detail: String { sentence.text }

    /// For the log.
    package var description: String { "\(code.rawValue): \(detail)" }

    package static let notFound = HTTPFailure(WireError.notFound)

    /// The server cannot respond for the reason in `detail`; retry after `seconds`.
    static func overloaded(
        retryAfterSeconds seconds: Int, detail: Sentence = "The server is overloaded."
    ) -> HTTPFailure {
        HTTPFailure(.overloaded, detail, fields: [.retryAfter: String(seconds)])
    }

    /// Another request does what would hold up others if several did it.
    static let comparingNames = HTTPFailure.overloaded(
        retryAfterSeconds: 2, detail: "The server is comparing names for another request. Try again in a moment.")

    /// 422 for one value.
    package static func invalid(_ pointer: String, _ code: FaultCode, _ sentence: Sentence) -> HTTPFailure {
        .invalid([Fault(pointer, code, sentence)])
    }

    /// 422 for several values.
    package static func invalid(_ faults: FaultList) -> HTTPFailure {
        let named = faults.prefix(3).map(\.pointer)
        let rest = faults.total - named.count
        let places = named.joined(separator: ", ")
        return HTTPFailure(
            .validationFailed,
            rest > 0 ? "Not acceptable: \(places) and \(rest) more." : "Not acceptable: \(places).", faults: faults)
    }
}

// MARK: Errors of other layers

extension HTTPFailure {
    /// Maps an error of the backend to a response; nil for an error that must only be logged.
    package init?(_ error: any Error) {
        switch error {
        case let failure as HTTPFailure: self = failure
        case let error as WireError: self.init(error)
        case let error as BackendError: self.init(error)
        case let error as EventParserError: self.init(error)
        case let error as Fault: self = .invalid([error])
        case let error as FaultList: self = .invalid(error)
        case let error as SQLError where error.code == .invalidText:
            self = .invalid("#", .invalidCharacters, "Must not contain control characters.")
        case let error as SQLError where error.code == .disconnected:
            self = .overloaded(retryAfterSeconds: 1, detail: "The database does not respond.")
        case let error as SQLError where [.busy, .closed, .interrupted].contains(error.code):
            self = .overloaded(retryAfterSeconds: 1)
        case let error as SQLError where error.code == .diskFull: self = .storageFull("The disk is full.")
        case let error as SQLError where [.readOnly, .inputOutput].contains(error.code):
            self.init(
                .storageUnavailable, "The storage is not writable at the moment.",
                fields: [.retryAfter: Self.storageRetrySeconds])
        default: return nil
        }
    }

    /// Nothing was stored, and nothing can be stored until space is freed.
    static func storageFull(_ reason: Sentence) -> HTTPFailure {
        HTTPFailure(
            .storageFull, reason + " Nothing was stored.", fields: [.retryAfter: storageRetrySeconds])
    }

    /// Times would be judged by a clock that is wrong.
    static let clockIsBehind = HTTPFailure(
        .storageUnavailable, "The server's clock is behind.", fields: [.retryAfter: storageRetrySeconds])

    /// Problems that the operator must fix take longer to resolve.
    private static let storageRetrySeconds = "30"

    /// Whether an error that ``init(_:)`` maps must also be logged for the operator.
    static func concernsOperator(_ error: any Error) -> Bool {
        (error as? SQLError)?.isOfDisk ?? false
    }

    private init(_ error: BackendError) {
        switch error {
        case .notFound(let what): self.init(.notFound, "There is no such \(what).")
        case .forbidden(let detail): self.init(.forbidden, detail)
        case .conflict(let code, let detail): self.init(code, detail)
        case .preconditionFailed:
            self.init(.preconditionFailed, "The item does not match If-Match or If-None-Match.")
        case .invalid(let faults): self = .invalid(faults)
        case .gone(let detail): self.init(.syncTokenExpired, detail)
        case .overloaded(let seconds): self = .overloaded(retryAfterSeconds: seconds)
        }
    }

    private init(_ error: EventParserError) {
        switch error {
        case .malformed(let error): self.init(.malformedJSON, Sentence(pattern: error.description))
        case .tooManyEvents: self.init(.bodyTooLarge, Sentence(pattern: error.detail))
        case .invalid(let faults): self = .invalid(faults)
        }
    }

    /// An error of the HTTP server itself.
    package init(_ error: WireError) {
        let code: ProblemCode =
            switch error.code {
            case .malformedRequest: .malformedRequest
            case .malformedPath: .malformedPath
            case .malformedQuery: .malformedQuery
            case .notFound: .notFound
            case .methodNotAllowed: .methodNotAllowed
            case .requestTimeout: .requestTimeout
            case .bodyTooLarge: .bodyTooLarge
            case .uriTooLong: .uriTooLong
            case .expectationFailed: .expectationFailed
            case .headerFieldsTooLarge: .headerFieldsTooLarge
            case .methodNotImplemented: .methodNotImplemented
            case .transferCodingNotImplemented: .transferCodingNotImplemented
            case .overloaded: .overloaded
            case .handlingTimeout: .handlingTimeout
            case .versionNotSupported: .versionNotSupported
            }
        let sentence = error.limitBytes.map(Self.bodyLimit) ?? Sentence(pattern: error.detail)
        self.init(code, sentence, fields: error.fields)
    }

    private static func bodyLimit(_ bytes: Int) -> Sentence {
        "The body is larger than the \(bytes) bytes that this resource accepts."
    }

    /// 413 for a body of which `bytes` would be accepted.
    static func bodyTooLarge(limitBytes bytes: Int) -> HTTPFailure { HTTPFailure(.bodyTooLarge, bodyLimit(bytes)) }

    /// 400 for a text that is not JSON, 413 for one with too many values.
    init(_ error: JSONError) {
        self.init(error.reason == .tooManyValues ? .bodyTooLarge : .malformedJSON, Sentence(pattern: error.description))
    }
}

extension HTTPResponse.Status {
    /// The HTTP status of a problem, with its reason phrase.
    package static func of(_ code: ProblemCode) -> HTTPResponse.Status {
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
