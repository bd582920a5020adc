package import SubGuardContract
package import SubGuardDomain

/// Why the backend refuses a call that it understood. Failures of the store itself stay `SQLError`.
package enum BackendError: Error, Sendable, Equatable, CustomStringConvertible {
    /// `what` is a noun for people, e.g. `catalogue item`.
    case notFound(what: String)
    /// The caller lacks what it takes; `detail` says what.
    case forbidden(detail: String)
    /// The present state forbids it.
    case conflict(code: ProblemCode, detail: String)
    /// The caller's revision is not the current one; nil where there is nothing any more.
    case preconditionFailed(currentRevision: Int64?)
    /// Every field that is wrong, not only the first.
    case invalid(FaultList)
    /// What was asked for existed once and does not come back.
    case gone(detail: String)
    /// Nothing was taken; trying again after this time makes sense.
    case overloaded(retryAfterSeconds: Int)

    /// For the person at the command line.
    package var description: String {
        switch self {
        case .notFound(let what): "there is no such \(what)"
        case .conflict(_, let detail), .gone(let detail), .forbidden(let detail): detail
        case .preconditionFailed: "it was changed in between"
        case .invalid(let errors):
            (errors.map { "\($0.pointer): \($0.detail)" } + (errors.omitted > 0 ? ["and \(errors.omitted) more"] : []))
                .joined(separator: "\n")
        case .overloaded: "the store has too much to do, try again"
        }
    }
}
