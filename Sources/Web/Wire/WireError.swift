package import HTTPTypes

/// The limits of one message. Every limit is in bytes or a count, and none can be disabled.
package struct HTTPLimits: Sendable, Equatable {
    /// Maximum length of the request line without its line end; beyond it the response is 414.
    package var requestLineBytes = 8 * 1024
    /// Maximum size of all field lines of a head, line ends included; beyond it the response is 431.
    package var headerBytes = 32 * 1024
    /// Maximum number of field lines in a head, and in a trailer section; beyond it the response is 431.
    package var fieldCount = 100
    /// Maximum size of all chunk extensions of one message. They have no meaning here, so large ones are an attack
    /// (CVE-2023-39326, CVE-2024-22019).
    package var chunkExtensionBytes = 4 * 1024
    /// Maximum size of the trailer section of one message.
    package var trailerBytes = 8 * 1024
    /// Maximum size of a body as sent, unless the route has its own; beyond it the response is 413.
    package var bodyBytes = 1024 * 1024

    package init() {}
}

/// Why a message was rejected at the protocol level. The connection closes afterwards, because the start of the next
/// message is uncertain.
package struct WireError: Error, Sendable, Equatable {
    /// What is wrong; the catalogue of problems gives each a status and a stable name.
    package enum Code: Sendable, CaseIterable {
        case malformedRequest
        case malformedPath
        case malformedQuery
        case notFound
        case methodNotAllowed
        case requestTimeout
        case bodyTooLarge
        case uriTooLong
        case expectationFailed
        case headerFieldsTooLarge
        case methodNotImplemented
        case transferCodingNotImplemented
        case overloaded
        case handlingTimeout
        case versionNotSupported
    }

    package let code: Code
    /// One readable sentence that never quotes received bytes.
    package let detail: String
    /// Fields that belong to the status, such as `Allow` and `Retry-After`.
    package let fields: HTTPFields
    /// The limit that the body exceeds, in bytes; nil where it is not known, and for other errors.
    package let limitBytes: Int?

    package init(_ code: Code, _ detail: String, fields: HTTPFields = HTTPFields(), limitBytes: Int? = nil) {
        self.code = code
        self.detail = detail
        self.fields = fields
        self.limitBytes = limitBytes
    }

    package var status: HTTPResponse.Status {
        switch code {
        case .malformedRequest, .malformedPath, .malformedQuery: .badRequest
        case .notFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .requestTimeout: .requestTimeout
        case .bodyTooLarge: .contentTooLarge
        case .uriTooLong: .uriTooLong
        case .expectationFailed: .expectationFailed
        case .headerFieldsTooLarge: .requestHeaderFieldsTooLarge
        case .methodNotImplemented, .transferCodingNotImplemented: .notImplemented
        case .overloaded, .handlingTimeout: .serviceUnavailable
        case .versionNotSupported: .httpVersionNotSupported
        }
    }

    package static func malformed(_ detail: String) -> WireError { WireError(.malformedRequest, detail) }

    package static let requestLineTooLong = WireError(
        .uriTooLong, "The request line is longer than this server accepts.")
    package static let headerTooLarge = WireError(
        .headerFieldsTooLarge, "The header fields are larger than this server accepts.")
    package static let bodyTooLarge = WireError(.bodyTooLarge, "The body is larger than this resource accepts.")
    package static func bodyTooLarge(limitBytes: Int) -> WireError {
        WireError(
            .bodyTooLarge, "The body is larger than the \(limitBytes) bytes that this resource accepts.",
            limitBytes: limitBytes)
    }
    package static let unknownMethod = WireError(
        .methodNotImplemented, "This server does not implement the request's method.")
    package static let unknownVersion = WireError(.versionNotSupported, "This server speaks HTTP/1.1 and HTTP/1.0.")
    package static let unknownTransferCoding = WireError(
        .transferCodingNotImplemented, "The only transfer coding known here is chunked.")
    package static let unknownExpectation = WireError(
        .expectationFailed, "The only expectation known here is 100-continue.")
}

/// Errors besides malformed messages.
extension WireError {
    package static let notFound = WireError(.notFound, "There is no resource at this address.")

    /// `allow` is the value of the field of that name, e.g. `GET, HEAD`.
    package static func methodNotAllowed(allow: String) -> WireError {
        WireError(.methodNotAllowed, "This resource supports only \(allow).", fields: [.allow: allow])
    }

    /// The server is overloaded, or cannot respond for the reason in `detail`; retry after
    /// `seconds`.
    package static func overloaded(
        retryAfterSeconds seconds: Int, detail: String = "The server is overloaded."
    ) -> WireError {
        WireError(.overloaded, detail, fields: [.retryAfter: String(seconds)])
    }

    package static let bodiesTooLarge = overloaded(
        retryAfterSeconds: 1, detail: "The bodies of running requests take too much memory right now.")
    package static let headsTooLarge = overloaded(
        retryAfterSeconds: 1, detail: "The heads of running requests take too much memory right now.")
    package static let answersUnread = overloaded(
        retryAfterSeconds: 5, detail: "Unread responses take too much memory right now.")
    package static let requestTimeout = WireError(.requestTimeout, "The request was not received in time.")
    package static let handlingTimeout = WireError(
        .handlingTimeout, "The response was not ready in time.", fields: [.retryAfter: "5"])
}
