import Backend
import HTTPServer
import HTTPTypes
import JSONWire
import SQLDatabase
import SubGuardContract

extension HTTPFailure {
    /// Maps an error of the backend to a response; nil for an error that only the log may show.
    init?(_ error: any Error) {
        switch error {
        case let failure as HTTPFailure: self = failure
        case let error as BackendError: self.init(error)
        case let error as EventParserError: self.init(error)
        case let error as FieldError: self = .invalid(error.pointer, error.code, error.detail)
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

    /// Nothing was stored, and nothing can be stored until there is free space.
    static func storageFull(_ reason: String) -> HTTPFailure {
        HTTPFailure(
            .storageFull, "\(reason) Nothing was stored.", fields: [.retryAfter: storageRetrySeconds])
    }

    /// A problem that the operator must fix lasts longer than a moment.
    private static let storageRetrySeconds = "30"

    /// Whether an error that ``init(_:)`` maps must also be logged for the operator.
    static func concernsOperator(_ error: any Error) -> Bool {
        (error as? SQLError).map { [.diskFull, .readOnly, .inputOutput].contains($0.code) } ?? false
    }

    private init(_ error: BackendError) {
        switch error {
        case .notFound(let what): self.init(.notFound, "There is no such \(what).")
        case .forbidden(let detail): self.init(.forbidden, detail)
        case .conflict(let code, let detail): self.init(ProblemCode(rawValue: code) ?? .conflict, detail)
        case .preconditionFailed:
            self.init(.preconditionFailed, "The item does not match If-Match or If-None-Match.")
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
