import Foundation
package import JSONWire
package import SubGuardContract
public import SubGuardDomain
import TextCoding

/// One call of the contract with its parameters.
package struct ServerCall: Sendable {
    package let route: APIOperation
    package let path: String
    package var query: [(name: String, value: String)] = []
    package var body: [UInt8]?
    package var token: String?
    package var ifNoneMatch: String?
    package var accept: String?
    /// Additional header fields.
    package var fields: [(name: String, value: String)] = []
    /// Whether the call is idempotent.
    package let mayRepeat: Bool
    /// Asked before each attempt: one that is no longer wanted ends the call with ``ClientError/cancelled``.
    package var isWanted: @Sendable () -> Bool = { true }
    package var maximumAnswerBytes = 1 << 20

    /// - Parameter mayRepeat: whether the call is idempotent; GET calls always are.
    package init(_ route: APIOperation, path: String? = nil, body: [UInt8]? = nil, mayRepeat: Bool = false) {
        self.route = route
        self.path = path ?? route.path
        self.body = body
        self.mayRepeat = mayRepeat || route.method == .get
    }

    fileprivate func isAnswered(by status: Int) -> Bool {
        guard status != 304 else { return ifNoneMatch != nil }
        return (200..<300).contains(status) && route.description.answers.contains { $0.status == status }
    }
}

/// Sends calls to a server: builds requests, retries them and interprets errors.
public struct ServerConnection: Sendable {
    /// Where calls go.
    public let address: ServerAddress
    private let transport: any Transport
    private let agent: String
    private var retries: RetryPolicy
    private let pause: @Sendable (Duration) async throws -> Void
    private let chance: @Sendable () -> Double
    private let clock: @Sendable () -> UTCInstant

    /// Limit for one request.
    private var timeout: Duration
    /// Limit for a call with all its attempts and pauses.
    private let callTimeout: Duration
    /// The deadline for all calls.
    private var end: ContinuousClock.Instant?

    /// - Parameters:
    ///   - address: of the server.
    ///   - transport: sends the requests, such as `URLSessionTransport`.
    ///   - version: version of the app for `User-Agent`; no other field identifies the app, the device or the user.
    ///   - retries: for repeatable calls.
    ///   - timeout: limit for each request, from the first byte sent to the last byte received. Default: 30 seconds.
    ///   - callTimeout: limit for a call with all its attempts and pauses. Default: 60 seconds.
    ///   - pause: waits between attempts; tests replace it.
    ///   - chance: returns a random number from 0 to 1 for each pause.
    ///   - clock: for dates in `Retry-After` when the response has no `Date`. Default: the system clock.
    public init(
        _ address: ServerAddress, transport: any Transport, version: String, retries: RetryPolicy = RetryPolicy(),
        timeout: Duration = .seconds(30), callTimeout: Duration = .seconds(60),
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        chance: @escaping @Sendable () -> Double = { .random(in: 0..<1) },
        clock: (@Sendable () -> UTCInstant)? = nil
    ) {
        self.address = address
        self.transport = transport
        agent = "subguard/" + version
        self.retries = retries
        self.timeout = timeout
        self.callTimeout = callTimeout
        self.pause = pause
        self.chance = chance
        self.clock =
            clock ?? { UTCInstant(Date()) }
    }

    /// The same server with a single attempt and a shorter timeout, for use after it was unreachable.
    var withoutRetries: ServerConnection {
        var other = self
        other.retries = .once
        other.timeout = min(timeout, .seconds(10))
        return other
    }

    /// The same server with a deadline of `limit` from now.
    func within(_ limit: Duration) -> ServerConnection {
        var other = self
        other.end = .now + left(of: limit)
        return other
    }

    /// The duration, shortened to end at the deadline.
    func left(of duration: Duration) -> Duration {
        guard let end else { return duration }
        return max(.zero, min(duration, end - .now))
    }

    /// Sends a call. Returns the response if its status is a success that the contract names for the call, or 304 when
    /// the call has an ETag. A proxy that answers with a page of its own has not done what was asked.
    package func answer(to call: ServerCall) async throws(ClientError) -> TransportAnswer {
        var request = request(call)
        let end = ContinuousClock.now + left(of: callTimeout)
        // A transport may end a call up to a millisecond early.
        guard end - .now > .milliseconds(1) else { throw .outOfTime }
        var attempt = 1
        // The error of an earlier attempt that may have reached the server.
        var uncertain: ClientError?
        while true {
            guard call.isWanted() else { throw uncertain ?? .cancelled }
            request.timeout = min(timeout, end - .now)
            let outcome = await exchange(request)
            if case .success(let answer) = outcome, call.isAnswered(by: answer.status) { return answer }
            let failure = failure(outcome, call)
            if case .unreachable = failure.error, !failure.error.isBeforeRequest {
                uncertain = uncertain ?? failure.error
            } else if !failure.error.isBeforeRequest {
                uncertain = nil
            }
            guard call.mayRepeat, failure.isPassing,
                let pause = retries.pause(afterAttempt: attempt, retryAfter: failure.retryAfter, chance: chance()),
                pause < end - .now
            else { throw uncertain ?? failure.error }
            do { try await self.pause(pause) } catch { throw .cancelled }
            attempt += 1
        }
    }

    /// Sends a call and returns the response as a JSON object.
    package func object(_ call: ServerCall) async throws(ClientError) -> JSONObject {
        try Self.object(try await answer(to: call), call)
    }

    /// Whether the device's clock differs from the server's by more than a day. False if nothing tells the time, as
    /// where a proxy keeps this call to itself. Throws where no request can reach a server at all.
    func isClockWrong(at now: UTCInstant) async throws(ClientError) -> Bool {
        do {
            let answer = try await withoutRetries.answer(to: ServerCall(.health))
            return Self.isClockWrong(at: now, by: answer.fields["date"])
        } catch  where !error.isBeforeRequest && error != .cancelled {
            return false
        }
    }

    /// The same by the `Date` of an answer.
    static func isClockWrong(at now: UTCInstant, by date: String?) -> Bool {
        let ahead = date.flatMap { RetryAfter.secondsAhead(of: $0, now: now.secondsSinceEpoch) }
        return ahead.map { $0.magnitude > 86_400 } ?? false
    }

    package static func object(_ answer: TransportAnswer, _ call: ServerCall) throws(ClientError) -> JSONObject {
        guard let object = (try? JSONValue.parse(answer.body))?.objectValue else {
            throw .unreadable(call: call.route.template)
        }
        return object
    }

    private func request(_ call: ServerCall) -> TransportRequest {
        var url = address.text + call.path
        if !call.query.isEmpty { url += "?" + PercentCoding.encode(pairs: call.query) }
        var fields = ["User-Agent": agent, "Accept": "application/json"]
        if let accept = call.accept { fields["Accept"] = accept }
        if call.body != nil { fields["Content-Type"] = "application/json" }
        if let tag = call.ifNoneMatch { fields["If-None-Match"] = tag }
        if let token = call.token { fields["Authorization"] = "Bearer " + token }
        for field in call.fields { fields[field.name] = field.value }
        // Prevents the system from sending the language of the device.
        fields["Accept-Language"] = "en"
        return TransportRequest(
            method: call.route.method.rawValue, url: url, fields: fields, body: call.body,
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

    private func failure(_ outcome: Result<TransportAnswer, TransportError>, _ call: ServerCall) -> Failure {
        switch outcome {
        case .failure(.unreachable(let fault)): return Failure(error: .unreachable(fault), isPassing: true)
        case .failure(.timedOut): return Failure(error: .unreachable(.timedOut), isPassing: true)
        case .failure(.untrusted(let fault)): return Failure(error: .untrusted(fault), isPassing: false)
        case .failure(.answerTooLarge): return Failure(error: .answerTooLarge, isPassing: false)
        case .failure(.cancelled): return Failure(error: .cancelled, isPassing: false)
        case .success(let answer) where (200..<300).contains(answer.status) || answer.status == 304:
            return Failure(error: .unreadable(call: call.route.template), isPassing: false)
        case .success(let answer) where (300..<400).contains(answer.status):
            return Failure(error: .redirected, isPassing: false)
        case .success(let answer):
            // Wrongly typed members are as good as absent (RFC 9457 section 3.1).
            let problem = (try? JSONValue.parse(answer.body))?.objectValue
            let error = ClientError.refused(
                status: answer.status,
                code: problem?["code"]?.stringValue.map { ClientError.line(String($0.prefix(64))) },
                detail: ClientError.line(problem?["detail"]?.stringValue ?? "no reason given"))
            return Failure(
                error: error, isPassing: [408, 429, 500, 502, 503, 504].contains(answer.status),
                retryAfter: answer.fields["retry-after"].flatMap { text in
                    RetryAfter.seconds(
                        text, sentAt: answer.fields["date"], now: Double(clock().millisecondsSinceEpoch) / 1000)
                })
        }
    }
}
