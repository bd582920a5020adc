import Foundation
package import JSONWire
import SubGuardContract
public import SubGuardDomain
import TextCoding

/// Calls of one server: builds requests, repeats what may be repeated, and reads what is wrong.
public struct ServerConnection: Sendable {
    public let address: ServerAddress
    private let transport: any Transport
    private let agent: String
    private var retries: RetryPolicy
    private let pause: @Sendable (Duration) async throws -> Void
    private let chance: @Sendable () -> Double
    private let clock: @Sendable () -> UTCInstant

    /// How long one request may take.
    private var timeout: Duration
    /// How long a call may take, with all its attempts and the pauses between them.
    private let patience: Duration
    /// When everything has to be over.
    private var end: ContinuousClock.Instant?

    /// - Parameters:
    ///   - version: of the app, for `User-Agent`; nothing else in a request tells of it, the device or its owner.
    ///   - retries: of calls that may be repeated.
    ///   - timeout: of each request, from its first byte to the last one of its answer. Default: 30 seconds.
    ///   - patience: for a call as a whole, with all its attempts and the pauses between them. Default: a minute.
    ///   - pause: waits between attempts; tests replace it.
    ///   - chance: a random number from 0 up to 1 for each pause.
    ///   - clock: what a `Retry-After` that is a date is held against where the answer has none of its own.
    ///     Default: the system's.
    public init(
        _ address: ServerAddress, transport: any Transport, version: String, retries: RetryPolicy = RetryPolicy(),
        timeout: Duration = .seconds(30), patience: Duration = .seconds(60),
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        chance: @escaping @Sendable () -> Double = { .random(in: 0..<1) },
        clock: (@Sendable () -> UTCInstant)? = nil
    ) {
        self.address = address
        self.transport = transport
        agent = "subguard/" + version
        self.retries = retries
        self.timeout = timeout
        self.patience = patience
        self.pause = pause
        self.chance = chance
        self.clock =
            clock ?? { UTCInstant(millisecondsSinceEpoch: Int64(Date().timeIntervalSince1970 * 1000)) }
    }

    /// The same server, asked once and with less patience: after it could not be reached a moment ago.
    var impatient: ServerConnection {
        var other = self
        other.retries = .once
        other.timeout = min(timeout, .seconds(10))
        return other
    }

    /// The same server, of which nothing more is heard after `limit` from now.
    func within(_ limit: Duration) -> ServerConnection {
        var other = self
        other.end = .now + left(of: limit)
        return other
    }

    /// How much of a duration that begins now is left before everything has to be over.
    func left(of duration: Duration) -> Duration {
        guard let end else { return duration }
        return max(.zero, min(duration, end - .now))
    }

    /// The answer, whose status is one of 200 to 299, or 304 where the call has a tag.
    package func answer(to call: ServerCall) async throws(ClientError) -> TransportAnswer {
        var request = request(call)
        let end = ContinuousClock.now + left(of: patience)
        guard end > .now else { throw .outOfTime }
        var attempt = 1
        // Of an attempt that may have reached the server, though a later one certainly did not.
        var uncertain: ClientError?
        while true {
            request.timeout = min(timeout, end - .now)
            let outcome = await exchange(request)
            if case .success(let answer) = outcome, (200..<300).contains(answer.status) || answer.status == 304 {
                return answer
            }
            let failure = failure(outcome)
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
            let parts = call.query.map { "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))" }
            url += "?" + parts.joined(separator: "&")
        }
        var fields = ["User-Agent": agent, "Accept": "application/json"]
        if let accept = call.accept { fields["Accept"] = accept }
        if call.body != nil { fields["Content-Type"] = "application/json" }
        if let tag = call.ifNoneMatch { fields["If-None-Match"] = tag }
        if let token = call.token { fields["Authorization"] = "Bearer " + token }
        for field in call.fields { fields[field.name] = field.value }
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

    private func failure(_ outcome: Result<TransportAnswer, TransportError>) -> Failure {
        switch outcome {
        case .failure(.unreachable(let fault)): return Failure(error: .unreachable(fault), isPassing: true)
        case .failure(.timedOut): return Failure(error: .unreachable(.timedOut), isPassing: true)
        case .failure(.untrusted(let fault)): return Failure(error: .untrusted(fault), isPassing: false)
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
                retryAfter: answer.fields["retry-after"].flatMap { text in
                    RetryAfter.seconds(
                        text, sentAt: answer.fields["date"], now: Double(clock().millisecondsSinceEpoch) / 1000)
                })
        }
    }
}
