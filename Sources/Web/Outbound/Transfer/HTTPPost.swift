import CCurl

/// One POST over HTTP/1.1.
package struct HTTPPost: Sendable {
    /// What came back, whatever its status; a redirect is an answer like any other.
    package struct Answer: Sendable {
        package let status: Int
        package let body: [UInt8]
        package let retryAfterSeconds: Int?
    }

    package static let schemes = ["http", "https"]

    package let url: OutboundURL
    package let fields: [(name: String, value: String)]
    package let body: [UInt8]

    package init(url: OutboundURL, fields: [(name: String, value: String)], body: [UInt8]) {
        self.url = url
        self.fields = fields
        self.body = body
    }

    /// Blocks until the answer is there or a limit is reached.
    package func send(
        policy: TargetPolicy, limits: OutboundLimits, stop: OutboundStop
    ) throws(OutboundError) -> Answer {
        let transfer = try Transfer(to: url, policy: policy, limits: limits, stop: stop)
        transfer.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        transfer.set(CURLOPT_HTTPHEADER, fields.map { "\($0.name): \($0.value)" } + ["User-Agent: SubGuard"])
        transfer.setBody(body)
        let status = try transfer.perform()
        return Answer(status: status, body: transfer.answer, retryAfterSeconds: transfer.retryAfterSeconds)
    }
}
