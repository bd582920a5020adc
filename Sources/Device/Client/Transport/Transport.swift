/// How requests reach a server. ``URLSessionTransport`` is the one of apps; tests bring their own.
public protocol Transport: Sendable {
    /// Sends one request and gives the answer whatever its status. Never follows a redirect and never sends twice.
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer
}

/// One request as it goes out.
public struct TransportRequest: Sendable, Hashable {
    public var method: String
    /// Absolute.
    public var url: String
    public var fields: [String: String]
    public var body: [UInt8]?
    /// A larger answer, after decompression, is refused while it arrives.
    public var maximumAnswerBytes: Int
    /// From the first byte sent to the last one received.
    public var timeout: Duration

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

/// One answer, decompressed.
public struct TransportAnswer: Sendable, Hashable {
    public var status: Int
    /// Names in lower case.
    public var fields: [String: String]
    public var body: [UInt8]

    public init(status: Int, fields: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// Why no answer came.
public enum TransportError: Error, Sendable, Hashable {
    /// The server cannot be reached, or the connection broke.
    case unreachable(ConnectionFault)
    /// The server has not proved who it is; nothing was sent to it.
    case untrusted(CertificateFault)
    case timedOut
    case answerTooLarge
    case cancelled
}
