package import HTTPTypes

/// The limits of one message. Every limit is in bytes or a count, and none can be switched off.
package struct HTTPLimits: Sendable, Equatable {
    /// Maximum length of the request line without its line end; beyond it the response is 414.
    package var requestLineBytes = 8 * 1024
    /// Maximum size of all field lines of a head, line ends included; beyond it the response is 431.
    package var headerBytes = 32 * 1024
    /// Maximum number of field lines in a head, and in a trailer section; beyond it the response is 431.
    package var fieldCount = 100
    /// Maximum size of all chunk extensions of one message. They have no meaning here, so a flood of them is an attack
    /// (CVE-2023-39326, CVE-2024-22019).
    package var chunkExtensionBytes = 4 * 1024
    /// Maximum size of the trailer section of one message.
    package var trailerBytes = 8 * 1024
    /// Maximum size of a body as sent, unless the route has its own; beyond it the response is 413.
    package var bodyBytes = 1024 * 1024

    package init() {}
}

/// Why a message was rejected by the protocol. The connection closes afterwards: the start of the next message is no
/// longer certain.
package struct WireError: Error, Sendable, Equatable {
    /// The status of the response.
    package let status: HTTPResponse.Status
    /// Stable name, snake_case.
    package let code: String
    /// One sentence for people. Never quotes the received bytes.
    package let detail: String

    package init(status: HTTPResponse.Status, code: String, detail: String) {
        self.status = status
        self.code = code
        self.detail = detail
    }

    /// 400: the bytes are not HTTP/1.1 as RFC 9112 defines it.
    package static func malformed(_ detail: String) -> WireError {
        WireError(status: .badRequest, code: "malformed_request", detail: detail)
    }

    package static let requestLineTooLong = WireError(
        status: .uriTooLong, code: "uri_too_long", detail: "The request line is longer than this server accepts.")
    package static let headerTooLarge = WireError(
        status: .requestHeaderFieldsTooLarge, code: "header_fields_too_large",
        detail: "The header fields are larger than this server accepts.")
    package static let bodyTooLarge = WireError(
        status: .contentTooLarge, code: "body_too_large", detail: "The body is larger than this resource accepts.")
    package static let unknownMethod = WireError(
        status: .notImplemented, code: "method_not_implemented",
        detail: "This server does not implement the request's method.")
    package static let unknownVersion = WireError(
        status: .httpVersionNotSupported, code: "version_not_supported",
        detail: "This server speaks HTTP/1.1 and HTTP/1.0.")
    package static let unknownTransferCoding = WireError(
        status: .notImplemented, code: "transfer_coding_not_implemented",
        detail: "The only supported transfer coding is chunked.")
    package static let unknownExpectation = WireError(
        status: .expectationFailed, code: "expectation_failed",
        detail: "The only supported expectation is 100-continue.")
}
