package import HTTPTypes

/// What one message may cost before it is refused. Every limit is in bytes or a count, and none can be switched off.
package struct HTTPLimits: Sendable, Equatable {
    /// Longest request line without its line end; over it the answer is 414.
    package var requestLineBytes = 8 * 1024
    /// All field lines of a head together, line ends included; over it the answer is 431.
    package var headerBytes = 32 * 1024
    /// Field lines in a head, and again in a trailer section; over it the answer is 431.
    package var fieldCount = 100
    /// Chunk extensions of one message together. They mean nothing to us, so a flood of them is an attack
    /// (CVE-2023-39326, CVE-2024-22019).
    package var chunkExtensionBytes = 4 * 1024
    /// Trailer section of one message.
    package var trailerBytes = 8 * 1024
    /// Body as sent, unless the route says otherwise; over it the answer is 413.
    package var bodyBytes = 1024 * 1024

    package init() {}
}

/// An error that the HTTP server answers by itself, before or instead of a handler. The application decides how it looks on
/// the wire. After one that the parser throws, the connection closes: where the next message would begin is no longer
/// certain.
package struct WireError: Error, Sendable, Equatable {
    /// The closed set of these errors.
    package enum Code: Sendable, CaseIterable {
        /// The bytes are not HTTP/1.1 as RFC 9112 defines it.
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
    /// One sentence for the person who reads the answer. Never quotes the bytes received.
    package let detail: String
    /// Fields that belong to the status, such as `Allow` and `Retry-After`.
    package let fields: HTTPFields

    package init(_ code: Code, _ detail: String, fields: HTTPFields = HTTPFields()) {
        self.code = code
        self.detail = detail
        self.fields = fields
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
    package static let unknownMethod = WireError(
        .methodNotImplemented, "This server does not implement the request's method.")
    package static let unknownVersion = WireError(.versionNotSupported, "This server speaks HTTP/1.1 and HTTP/1.0.")
    package static let unknownTransferCoding = WireError(
        .transferCodingNotImplemented, "The only transfer coding known here is chunked.")
    package static let unknownExpectation = WireError(
        .expectationFailed, "The only expectation known here is 100-continue.")
}

/// What the server refuses beyond the bytes of a message.
extension WireError {
    package static let notFound = WireError(.notFound, "There is nothing at this address.")

    /// `allow` is the value of the field of that name, e.g. `GET, HEAD`.
    package static func methodNotAllowed(allow: String) -> WireError {
        WireError(.methodNotAllowed, "This resource answers \(allow) only.", fields: [.allow: allow])
    }

    /// The server has more to do than it can, or cannot do it now for the reason that `detail` gives; try again after
    /// `seconds`.
    package static func overloaded(
        retryAfterSeconds seconds: Int, detail: String = "The server has too much to do right now."
    ) -> WireError {
        WireError(.overloaded, detail, fields: [.retryAfter: String(seconds)])
    }

    package static let bodiesTooLarge = overloaded(
        retryAfterSeconds: 1, detail: "The bodies of running requests take too much memory right now.")
    package static let answersUnread = overloaded(
        retryAfterSeconds: 5, detail: "Answers that have not been read yet take too much memory right now.")
    package static let requestTimeout = WireError(.requestTimeout, "The request did not come in time.")
    package static let handlingTimeout = WireError(
        .handlingTimeout, "The answer was not ready in time.", fields: [.retryAfter: "5"])
}
