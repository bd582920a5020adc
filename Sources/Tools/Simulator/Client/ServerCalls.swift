import Glibc
package import JSONWire

/// Single blocking calls beside the load, each on its own connection.
package struct ServerCalls: Sendable {
    /// A quota per minute is replenished after at most a minute.
    private static let maximumTries = 20
    private static let maximumSeconds = 120

    private let endpoint: Endpoint
    private let token: String
    private let timeout: Duration
    private let wait: @Sendable (_ seconds: Int) -> Void

    /// - Parameters:
    ///   - token: requires the permission `metrics.read`; for other records than events, those of their calls.
    ///   - timeout: of each request.
    ///   - wait: waits for the given number of seconds, as requested by the server.
    package init(
        _ endpoint: Endpoint, token: String, timeout: Duration,
        wait: @escaping @Sendable (_ seconds: Int) -> Void = { _ = sleep(UInt32($0)) }
    ) {
        self.endpoint = endpoint
        self.token = token
        self.timeout = timeout
        self.wait = wait
    }

    package func dashboard() throws(LoadError) -> JSONObject {
        try send("GET", "/api/v1/admin/dashboard", isAuthorized: true, expecting: [200])
    }

    /// Sends a request. Throws if the status is not one of `expected`, or the response is no JSON object. All these
    /// calls can be repeated: reading changes nothing, and what is sent again is known by its id.
    ///
    /// - Parameter isAuthorized: whether it is sent as the owner of the token.
    @discardableResult
    func send(
        _ method: String, _ path: String, _ body: [UInt8]? = nil, type: String = "application/json",
        isAuthorized: Bool = false, expecting expected: [Int]
    ) throws(LoadError) -> JSONObject {
        let call = "\(method) \(path)"
        let fields = isAuthorized ? "Authorization: Bearer \(token)\r\n" : ""
        let request = MadeRequest(method, path, to: endpoint.target, fields: fields, type: type, body: body)
        let answer = try Self.whenFree(call: call, wait) { () throws(LoadError) in
            try endpoint.exchange(request, timeout: timeout)
        }
        let object = (try? JSONValue.parse(answer.body))?.objectValue
        guard expected.contains(answer.status), let object else {
            let reason = object?["detail"]?.stringValue ?? "without a reason"
            throw LoadError("\(call) was answered \(answer.status): \(reason)")
        }
        return object
    }

    /// Repeats a call that returns 429 or 503, after the seconds in `Retry-After`: 1 if it is missing or not a number,
    /// at most 120.
    package static func whenFree(
        call: String, _ wait: (_ seconds: Int) -> Void, _ exchange: () throws(LoadError) -> Answer
    ) throws(LoadError) -> Answer {
        var tries = 0
        while true {
            let answer = try exchange()
            guard [429, 503].contains(answer.status) else { return answer }
            tries += 1
            guard tries < maximumTries else {
                throw LoadError("\(call) was answered \(answer.status) \(tries) times; giving up")
            }
            wait(min(max(answer.retryAfter ?? 1, 1), maximumSeconds))
        }
    }
}
