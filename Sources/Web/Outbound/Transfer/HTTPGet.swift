import CCurl

/// One GET over HTTP/1.1, for what the server reads of others: over TLS, or without it from this machine alone.
package struct HTTPGet: Sendable {
    package static let schemes = ["http", "https"]

    package let url: OutboundURL

    package init(url: OutboundURL) { self.url = url }

    /// Blocks until the answer is there or a limit is reached. Whatever its status, it is an answer; a redirect is not
    /// followed.
    package func send(
        policy: TargetPolicy, limits: OutboundLimits, stop: OutboundStop
    ) throws(OutboundError) -> HTTPPost.Answer {
        let transfer = try Transfer(to: url, policy: policy, limits: limits, stop: stop)
        guard url.scheme == "https" || transfer.isLocal else {
            throw .notAllowed("without TLS only this machine is asked")
        }
        transfer.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        transfer.set(CURLOPT_HTTPHEADER, ["Accept: application/json", "User-Agent: SubGuard"])
        let status = try transfer.perform()
        return HTTPPost.Answer(
            status: status, body: transfer.answer, retryAfterSeconds: transfer.retryAfterSeconds)
    }
}
