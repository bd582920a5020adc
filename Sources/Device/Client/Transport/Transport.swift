/// Sends requests. Apps use `URLSessionTransport`, Linux `CurlTransport`; tests use their own.
public protocol Transport: Sendable {
    /// Sends a request once and returns the response with any status. Never follows redirects.
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer
}

/// A request.
public struct TransportRequest: Sendable, Hashable {
    /// Such as `GET`.
    public var method: String
    /// The absolute URL.
    public var url: String
    /// Header fields by name.
    public var fields: [String: String]
    /// Nil for none.
    public var body: [UInt8]?
    /// Maximum size of the decompressed response; larger ones are aborted.
    public var maximumAnswerBytes: Int
    /// From the first byte sent to the last byte received.
    public var timeout: Duration

    /// For tests of transports of your own.
    public init(
        method: String, url: String, fields: [String: String] = [:], body: [UInt8]? = nil, maximumAnswerBytes: Int,
        timeout: Duration
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.maximumAnswerBytes = maximumAnswerBytes
        self.timeout = timeout
    }
}

/// A decompressed response.
public struct TransportAnswer: Sendable, Hashable {
    /// The status of HTTP.
    public var status: Int
    /// Header fields, names in lower case.
    public var fields: [String: String]
    /// Decompressed.
    public var body: [UInt8]

    /// For transports of your own.
    public init(status: Int, fields: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// Why there is no response.
public enum TransportError: Error, Sendable, Hashable {
    /// The server is unreachable, or the connection was lost.
    case unreachable(ConnectionFault)
    /// The server's certificate is not trusted; no request was sent.
    case untrusted(CertificateFault)
    /// See ``TransportRequest/timeout``.
    case timedOut
    /// See ``TransportRequest/maximumAnswerBytes``.
    case answerTooLarge
    /// The task was cancelled.
    case cancelled
}
