import Foundation
package import JSONWire
import SubGuardAPI

/// Calls of one server: builds requests, repeats what may be repeated, and reads what is wrong.
public struct ServerConnection: Sendable {
    public let address: ServerAddress
    private let transport: any Transport
    private let agent: String
    private let retries: RetryPolicy
    private let pause: @Sendable (Duration) async throws -> Void
    private let chance: @Sendable () -> Double

    /// How long one request may take.
    private let timeout: Duration

    /// - Parameters:
    ///   - version: of the app, for `User-Agent`; nothing else in a request tells of it, the device or its owner.
    ///   - retries: of calls that may be repeated.
    ///   - timeout: of each request. Default: 30 seconds.
    ///   - pause: waits between attempts; tests replace it.
    ///   - chance: a random number from 0 up to 1 for each pause.
    public init(
        _ address: ServerAddress, transport: any Transport, version: String, retries: RetryPolicy = RetryPolicy(),
        timeout: Duration = .seconds(30),
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        chance: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.address = address
        self.transport = transport
        agent = "subguard/" + version
        self.retries = retries
        self.timeout = timeout
        self.pause = pause
        self.chance = chance
    }

    /// The same server, asked once and with less patience: after it could not be reached a moment ago.
    var impatient: ServerConnection {
        ServerConnection(self, retries: .once, timeout: min(timeout, .seconds(10)))
    }

    private init(_ other: ServerConnection, retries: RetryPolicy, timeout: Duration) {
        address = other.address
        transport = other.transport
        agent = other.agent
        self.retries = retries
        self.timeout = timeout
        pause = other.pause
        chance = other.chance
    }

    /// The answer, whose status is one of 200 to 299, or 304 where the call has a tag.
    package func answer(to call: ServerCall) async throws(ClientError) -> TransportAnswer {
        let request = request(call)
        var attempt = 1
        // Of an attempt that may have reached the server, though a later one certainly did not.
        var uncertain: ClientError?
        while true {
            let outcome = await exchange(request)
            if case .success(let answer) = outcome, (200..<300).contains(answer.status) || answer.status == 304 {
                return answer
            }
            let failure = Self.failure(outcome)
            if case .unreachable(let reason) = failure.error {
                if !TransportError.notConnected.contains(reason) { uncertain = uncertain ?? failure.error }
            } else {
                uncertain = nil
            }
            guard call.mayRepeat, failure.isPassing,
                let pause = retries.pause(afterAttempt: attempt, retryAfter: failure.retryAfter, chance: chance())
            else { throw uncertain ?? failure.error }
            do { try await self.pause(pause) } catch { throw .cancelled }
            attempt += 1
        }
    }

    /// The same, as a JSON object.
    package func object(_ call: ServerCall) async throws(ClientError) -> JSONObject {
        try Self.object(try await answer(to: call), call)
    }

    package static func object(_ answer: TransportAnswer, _ call: ServerCall) throws(ClientError) -> JSONObject {
        guard let object = (try? JSONValue.parse(answer.body))?.objectValue else {
            throw .unreadable(call: call.route.template)
        }
        return object
    }

    private func request(_ call: ServerCall) -> TransportRequest {
        var url = address.text + call.path
        if !call.query.isEmpty {
            var parts = URLComponents()
            parts.queryItems = call.query.map { URLQueryItem(name: $0.name, value: $0.value) }
            // A plus means itself to the server and a blank to others.
            url += "?" + (parts.percentEncodedQuery ?? "").replacing("+", with: "%2B")
        }
        var fields = ["User-Agent": agent, "Accept": "application/json"]
        if let accept = call.accept { fields["Accept"] = accept }
        if call.body != nil { fields["Content-Type"] = "application/json" }
        if let tag = call.ifNoneMatch { fields["If-None-Match"] = tag }
        if let token = call.token { fields["Authorization"] = "Bearer " + token }
        // The language of the device, which a URL loading system may add by itself, is none of the server's business.
        fields["Accept-Language"] = "en"
        return TransportRequest(
            method: call.route.method, url: url, fields: fields, body: call.body,
            maximumAnswerBytes: call.maximumAnswerBytes, timeout: timeout)
    }

    private func exchange(_ request: TransportRequest) async -> Result<TransportAnswer, TransportError> {
        do {
            return .success(try await transport.send(request))
        } catch {
            return .failure(error)
        }
    }

    private struct Failure {
        let error: ClientError
        /// Whether another attempt may succeed.
        let isPassing: Bool
        var retryAfter: Int?
    }

    private static func failure(_ outcome: Result<TransportAnswer, TransportError>) -> Failure {
        switch outcome {
        case .failure(.unreachable(let reason)): return Failure(error: .unreachable(reason), isPassing: true)
        case .failure(.timedOut): return Failure(error: .unreachable("no answer came in time"), isPassing: true)
        case .failure(.answerTooLarge): return Failure(error: .answerTooLarge, isPassing: false)
        case .failure(.cancelled): return Failure(error: .cancelled, isPassing: false)
        case .success(let answer) where (300..<400).contains(answer.status):
            return Failure(error: .redirected, isPassing: false)
        case .success(let answer):
            let problem = ReceivedProblem(wire: (try? JSONValue.parse(answer.body))?.objectValue)
            let error = ClientError.refused(
                status: answer.status, code: problem.code.map { ClientError.line(String($0.prefix(64))) },
                detail: ClientError.line(problem.detail ?? "it gave no reason"))
            return Failure(
                error: error, isPassing: [408, 429, 500, 502, 503, 504].contains(answer.status),
                retryAfter: answer.fields["retry-after"].flatMap { Int($0) })
        }
    }
}
