import Glibc
import JSONWire

/// Single blocking calls beside the load, each on its own connection.
struct ServerCalls: Sendable {
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
    init(
        _ endpoint: Endpoint, token: String, timeout: Duration,
        wait: @escaping @Sendable (_ seconds: Int) -> Void = { _ = sleep(UInt32($0)) }
    ) { (self.endpoint, self.token, self.timeout, self.wait) = (endpoint, token, timeout, wait) }

    func dashboard() throws(LoadError) -> JSONObject {
        try send(LoadRequest(path: "/api/v1/admin/dashboard"), isAuthorized: true, expecting: [200])
    }

    /// Sends a request. Throws if the status is not one of `expected`, or the response is no JSON object. All these
    /// calls can be repeated: reading changes nothing, and what is sent again is known by its id.
    ///
    /// - Parameter isAuthorized: whether it is sent as the owner of the token.
    @discardableResult
    func send(
        _ request: LoadRequest, isAuthorized: Bool = false, expecting expected: [Int]
    ) throws(LoadError) -> JSONObject {
        let call = "\(request.method) \(request.path)"
        var request = request
        if isAuthorized { request.fields += "Authorization: Bearer \(token)\r\n" }
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
    static func whenFree(
        call: String, _ wait: (_ seconds: Int) -> Void, _ exchange: () throws(LoadError) -> Answer
    ) throws(LoadError) -> Answer {
        var answer = try exchange()
        for _ in 1..<maximumTries where [429, 503].contains(answer.status) {
            wait(min(max(answer.retryAfter ?? 1, 1), maximumSeconds))
            answer = try exchange()
        }
        guard [429, 503].contains(answer.status) else { return answer }
        throw LoadError("\(call) was answered \(answer.status) \(maximumTries) times; giving up")
    }
}
