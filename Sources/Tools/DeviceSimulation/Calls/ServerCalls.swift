import Foundation
package import JSONWire

/// Single blocking calls, each on its own connection.
package struct ServerCalls: Sendable {
    /// A quota per minute is replenished after at most a minute.
    private static let maximumTries = 20
    private static let maximumSeconds = 120

    private let token: String
    private let exchange: @Sendable (ClientRequest) throws(RunError) -> Answer
    private let wait: @Sendable (_ seconds: Int) -> Void

    /// - Parameters:
    ///   - token: requires the permission `metrics.read`; for other records than events, those of their calls.
    ///   - exchange: sends a request and waits for the response.
    ///   - wait: waits for the given number of seconds, as requested by the server.
    package init(
        token: String, exchange: @escaping @Sendable (ClientRequest) throws(RunError) -> Answer,
        wait: @escaping @Sendable (_ seconds: Int) -> Void = { _ = sleep(UInt32($0)) }
    ) { (self.token, self.exchange, self.wait) = (token, exchange, wait) }

    package func dashboard() throws(RunError) -> JSONObject {
        try send(ClientRequest(path: "/api/v1/admin/dashboard"), isAuthorized: true, expecting: [200])
    }

    /// Those figures of the dashboard that follow from the devices, by name.
    package func deviceFigures() throws(RunError) -> [String: Int] {
        let dashboard = try dashboard()
        var figures: [String: Int] = [:]
        for name in ClientTally.Count.ofDashboard.map(\.name) {
            guard let value = dashboard[name]?.objectValue?["value"]?.integerValue else {
                throw RunError("--token: the dashboard has no figure \(name)")
            }
            figures[name] = Int(value)
        }
        return figures
    }

    /// Sends a request. Throws if the status is not one of `expected`, or the response is no JSON object. All these
    /// calls can be repeated: reading changes nothing, and what is sent again is known by its id.
    ///
    /// - Parameter isAuthorized: whether it is sent as the owner of the token.
    @discardableResult
    func send(
        _ request: ClientRequest, isAuthorized: Bool = false, expecting expected: [Int]
    ) throws(RunError) -> JSONObject {
        let call = "\(request.method) \(request.path)"
        var request = request
        if isAuthorized { request.fields += "Authorization: Bearer \(token)\r\n" }
        let answer = try Self.whenFree(call: call, wait) { () throws(RunError) in try exchange(request) }
        let object = (try? JSONValue.parse(answer.body))?.objectValue
        guard expected.contains(answer.status), let object else {
            let reason = object?["detail"]?.stringValue ?? "without a reason"
            throw RunError("\(call) was answered \(answer.status): \(reason)")
        }
        return object
    }

    /// Repeats a call that returns 429 or 503, after the seconds in `Retry-After`: 1 if it is missing or not a number,
    /// at most 120.
    static func whenFree(
        call: String, _ wait: (_ seconds: Int) -> Void, _ exchange: () throws(RunError) -> Answer
    ) throws(RunError) -> Answer {
        var answer = try exchange()
        for _ in 1..<maximumTries where [429, 503].contains(answer.status) {
            wait(min(max(answer.retryAfter ?? 1, 1), maximumSeconds))
            answer = try exchange()
        }
        guard [429, 503].contains(answer.status) else { return answer }
        throw RunError("\(call) was answered \(answer.status) \(maximumTries) times; giving up")
    }
}
