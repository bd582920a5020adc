package import SubGuardDomain

/// Why the backend rejects a valid call. Failures of the database stay `SQLError`.
package enum BackendError: Error, Sendable, Equatable, CustomStringConvertible {
    /// `what` is a readable noun, such as `catalogue item`.
    case notFound(what: String)
    /// The caller lacks a permission; `detail` names it.
    case forbidden(detail: Sentence)
    /// The current state forbids it; `code` is stable snake_case.
    case conflict(code: ProblemCode = .conflict, detail: Sentence)
    /// The caller's revision is not the current one; nil after a deletion.
    case preconditionFailed(currentRevision: Int64?)
    /// Lists every invalid field.
    case invalid(FaultList)
    /// The requested object existed and will not return.
    case gone(detail: Sentence)
    /// Nothing was stored; retry after this time.
    case overloaded(retryAfterSeconds: Int)

    /// A sentence for the command line.
    package var description: String {
        switch self {
        case .notFound(let what): "there is no such \(what)"
        case .conflict(_, let detail), .gone(let detail), .forbidden(let detail): detail.text
        case .preconditionFailed: "another user changed it; read it again"
        case .invalid(let errors):
            (errors.map { "\($0.pointer): \($0.detail)" } + (errors.omitted > 0 ? ["and \(errors.omitted) more"] : []))
                .joined(separator: "\n")
        case .overloaded: "the server is overloaded; try again later"
        }
    }
}

extension BackendError {
    /// Throws ``preconditionFailed(currentRevision:)`` if the caller expects another revision than the present one.
    package static func requireRevision(_ expected: Int64?, is present: Int64?) throws {
        guard expected == nil || expected == present else { throw preconditionFailed(currentRevision: present) }
    }
}

extension Optional {
    /// The value. Throws ``BackendError/notFound(what:)`` for nil.
    package func orNotFound(_ what: String) throws -> Wrapped {
        guard let self else { throw BackendError.notFound(what: what) }
        return self
    }
}
