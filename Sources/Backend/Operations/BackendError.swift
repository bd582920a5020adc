/// Why the backend refuses a call that it understood. Failures of the store itself stay `SQLError`.
package enum BackendError: Error, Sendable, Equatable {
    /// `what` is a noun for people, e.g. `catalogue item`.
    case notFound(what: String)
    /// The present state forbids it; `code` is stable snake_case.
    case conflict(code: String, detail: String)
    /// The caller's revision is not the current one; nil where there is nothing any more.
    case preconditionFailed(currentRevision: Int64?)
    /// Every field that is wrong, not only the first.
    case invalid([FieldError])
    /// What was asked for existed once and does not come back.
    case gone(detail: String)
    /// Nothing was taken; trying again after this time makes sense.
    case overloaded(retryAfterSeconds: Int)
}
