package import HTTPTypes
import HTTPWire

/// An error response. The application decides its form on the wire.
package struct HTTPFailure: Error, Sendable {
    package var status: HTTPResponse.Status
    /// Stable name, snake_case.
    package var code: String
    /// One sentence for people.
    package var detail: String
    /// Fields that belong to the status, such as `Allow` and `Retry-After`.
    package var fields: HTTPFields
    /// The faults in the body or query.
    package var issues: [Issue]
    /// How many more faults there are than ``issues`` lists.
    package var omittedIssues: Int

    package struct Issue: Sendable, Equatable {
        /// JSON Pointer fragment (`#/items/0/name`), or the name of a query parameter.
        package var pointer: String
        package var code: String
        package var detail: String

        package init(pointer: String, code: String, detail: String) {
            self.pointer = pointer
            self.code = code
            self.detail = detail
        }
    }

    package init(
        status: HTTPResponse.Status, code: String, detail: String, fields: HTTPFields = HTTPFields(),
        issues: [Issue] = [], omittedIssues: Int = 0
    ) {
        self.status = status
        self.code = code
        self.detail = detail
        self.fields = fields
        self.issues = issues
        self.omittedIssues = omittedIssues
    }

    init(_ error: WireError) {
        self.init(status: error.status, code: error.code, detail: error.detail)
    }

    package static let notFound = HTTPFailure(
        status: .notFound, code: "not_found", detail: "There is no resource at this address.")

    /// `allow` is the value of the field of that name, e.g. `GET, HEAD`.
    package static func methodNotAllowed(allow: String) -> HTTPFailure {
        HTTPFailure(
            status: .methodNotAllowed, code: "method_not_allowed", detail: "This resource supports only \(allow).",
            fields: [.allow: allow])
    }

    /// The server is overloaded, or cannot respond for the reason in `detail`; retry after `seconds`.
    package static func overloaded(
        retryAfterSeconds seconds: Int, detail: String = "The server is overloaded."
    ) -> HTTPFailure {
        HTTPFailure(
            status: .serviceUnavailable, code: "overloaded", detail: detail,
            fields: [.retryAfter: String(seconds)])
    }

    static let bodiesTooLarge = overloaded(
        retryAfterSeconds: 1, detail: "The bodies of running requests take too much memory right now.")
    static let answersUnread = overloaded(
        retryAfterSeconds: 5, detail: "Unread responses take too much memory right now.")
    static let requestTimeout = HTTPFailure(
        status: .requestTimeout, code: "request_timeout", detail: "The request was not received in time.")
    static let handlingTimeout = HTTPFailure(
        status: .serviceUnavailable, code: "handling_timeout", detail: "The response was not ready in time.",
        fields: [.retryAfter: "5"])
}
