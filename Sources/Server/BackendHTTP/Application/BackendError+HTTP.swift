import Backend
import HTTPServer
import HTTPTypes
import JSONWire
import SQLDatabase
import SubGuardContract
import SubGuardSQL

extension HTTPFailure {
    /// What the outside is told of an error of the backend; `nil` for one that is nobody's business but the log's.
    init?(_ error: any Error) {
        switch error {
        case let failure as HTTPFailure: self = failure
        case let error as BackendError: self.init(error)
        case let error as EventParserError: self.init(error)
        case let error as FieldError: self = .invalid(error.pointer, error.code, error.detail)
        case let error as SQLError where error.code == .disconnected:
            self = .overloaded(retryAfterSeconds: 1, detail: "The database does not answer.")
        case let error as SQLError where [.busy, .closed, .interrupted].contains(error.code):
            self = .overloaded(retryAfterSeconds: 1)
        case let error as SQLError where error.code == .diskFull: self = .storageFull("The disk is full.")
        case let error as SQLError where [.readOnly, .inputOutput].contains(error.code):
            self.init(
                .storageUnavailable, "The storage cannot be written at the moment.",
                fields: [.retryAfter: Self.storageRetrySeconds])
        default: return nil
        }
    }

    /// Nothing was stored, and nothing can be until there is room again.
    static func storageFull(_ reason: String) -> HTTPFailure {
        HTTPFailure(
            .storageFull, "\(reason) Nothing was stored.", fields: [.retryAfter: storageRetrySeconds])
    }

    /// What an operator has to mend takes longer than a moment.
    private static let storageRetrySeconds = "30"

    /// Whether an error that ``init(_:)`` explains to the client is also the operator's to look into.
    static func concernsOperator(_ error: any Error) -> Bool {
        (error as? SQLError).map { [.diskFull, .readOnly, .inputOutput].contains($0.code) } ?? false
    }

    private init(_ error: BackendError) {
        switch error {
        case .notFound(let what): self.init(.notFound, "There is no such \(what).")
        case .forbidden(let detail): self.init(.forbidden, detail)
        case .conflict(let code, let detail): self.init(ProblemCode(rawValue: code) ?? .conflict, detail)
        case .preconditionFailed:
            self.init(.preconditionFailed, "The item is not what If-Match or If-None-Match asks for.")
        case .invalid(let errors):
            self = .invalid(errors.mapping(Issue.init))
        case .gone(let detail): self.init(.syncTokenExpired, detail)
        case .overloaded(let seconds): self = .overloaded(retryAfterSeconds: seconds)
        }
    }

    private init(_ error: EventParserError) {
        switch error {
        case .malformed(let error): self.init(.malformedJSON, error.description)
        case .tooManyEvents: self.init(.bodyTooLarge, error.detail)
        case .invalid(let errors): self = .invalid(errors.mapping(Issue.init))
        }
    }
}
