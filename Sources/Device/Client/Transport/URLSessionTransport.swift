import Foundation
import Locking

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests through `URLSession`: no cookies, no cache, no credentials of the system, no redirects.
public final class URLSessionTransport: Transport {
    private let line = Line()

    public init() {}

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
        guard let url = URL(string: request.url) else { throw .unreachable(.unusableAddress) }
        let timeout = try await Self.begin(request.timeout)
        var outgoing = URLRequest(url: url)
        outgoing.httpMethod = request.method
        outgoing.httpBody = request.body.map { Data($0) }
        outgoing.httpShouldHandleCookies = false
        for (name, value) in request.fields { outgoing.setValue(value, forHTTPHeaderField: name) }
        #if canImport(FoundationNetworking)
            // libcurl sends a request again by itself when a connection that was used before turns out to be dead. It
            // should be for the caller to say whether it may, and FoundationNetworking cannot give it the body a second
            // time: the server then waits in vain. So what has a body goes on a connection of its own.
            let line = request.body == nil ? self.line : Line()
        #else
            let line = self.line
        #endif
        let transfers = line.transfers
        let task = line.session.dataTask(with: outgoing)
        let number = task.taskIdentifier
        // The session's own limits count from the last byte; this one counts from the first.
        let limit = Task {
            try await Task.sleep(for: timeout)
            Self.end(task) { transfers.fail(number, .timedOut) }
        }
        defer {
            limit.cancel()
            transfers.forget(number)
        }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if transfers.begin(number, maximumBytes: request.maximumAnswerBytes, continuation) { task.resume() }
            }
        } onCancel: {
            Self.end(task) { transfers.fail(number, .cancelled) }
        }
        withExtendedLifetime(line) {}
        return try outcome.get()
    }

    /// Transfers of the process that were given up and not yet let go.
    private static let ending = Guarded(0)

    /// libcurl does not come up for air while a server sends faster than it decompresses, and FoundationNetworking holds
    /// whoever begins or cancels any transfer of the process until it does. So a transfer is cancelled from a thread that
    /// nothing depends on, and others begin when that is over.
    ///
    /// - Parameter tell: tells the caller, whose next request must find that this one is being ended.
    fileprivate static func end(_ task: URLSessionTask, _ tell: () -> Void) {
        ending.withLock { $0 += 1 }
        tell()
        DispatchQueue.global().async {
            task.cancel()
            ending.withLock { $0 -= 1 }
        }
    }

    /// Waits until a transfer can begin, and gives the time that is left for it.
    private static func begin(_ limit: Duration) async throws(TransportError) -> Duration {
        let end = ContinuousClock.now + limit
        while ending.withLock({ $0 > 0 }) {
            guard ContinuousClock.now < end else { throw .timedOut }
            do { try await Task.sleep(for: .milliseconds(5)) } catch { throw .cancelled }
        }
        return end - .now
    }
}

/// A session and what it receives. Ends with the value.
private final class Line: Sendable {
    let session: URLSession
    let transfers = Transfers()

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        #if canImport(FoundationNetworking)
            let queue: OperationQueue? = InlineQueue()
        #else
            let queue: OperationQueue? = nil
        #endif
        session = URLSession(configuration: configuration, delegate: transfers, delegateQueue: queue)
    }

    deinit {
        let session = session
        DispatchQueue.global().async { session.invalidateAndCancel() }
    }
}

#if canImport(FoundationNetworking)
    /// Tells the delegate of each piece on the loader's own thread, as soon as it is there. FoundationNetworking
    /// decompresses ahead of a delegate that hears of it on a queue, and has all that waits there in memory: with this
    /// one the loader waits for the delegate, so that a small answer which grows to gigabytes has no more than a piece
    /// of them in memory at a time.
    // proof: it has no state of its own, and its superclass is Sendable.
    private final class InlineQueue: OperationQueue, @unchecked Sendable {
        override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
    }
#endif

/// The transfers under way, by the number of their task.
private final class Transfers: NSObject, URLSessionDataDelegate {
    typealias Outcome = Result<TransportAnswer, TransportError>

    private struct Transfer {
        var body: [UInt8] = []
        let maximumBytes: Int
        let continuation: CheckedContinuation<Outcome, Never>
    }

    private struct State {
        var running: [Int: Transfer] = [:]
        /// Given up before they began.
        var abandoned: [Int: TransportError] = [:]
    }

    private let state = Guarded(State())

    /// False, and the caller has its answer, when the transfer was given up before.
    func begin(_ number: Int, maximumBytes: Int, _ continuation: CheckedContinuation<Outcome, Never>) -> Bool {
        let reason = state.withLock { state in
            let reason = state.abandoned.removeValue(forKey: number)
            if reason == nil {
                state.running[number] = Transfer(maximumBytes: maximumBytes, continuation: continuation)
            }
            return reason
        }
        if let reason { continuation.resume(returning: .failure(reason)) }
        return reason == nil
    }

    /// Gives a transfer up: its caller hears at once, and whatever still comes of it is nobody's.
    func fail(_ number: Int, _ reason: TransportError) {
        let transfer = state.withLock { state in
            let transfer = state.running.removeValue(forKey: number)
            if transfer == nil { state.abandoned[number] = reason }
            return transfer
        }
        transfer?.continuation.resume(returning: .failure(reason))
    }

    /// After the caller has its answer.
    func forget(_ number: Int) { state.withLock { _ = $0.abandoned.removeValue(forKey: number) } }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let number = dataTask.taskIdentifier
        let isTooMuch = state.withLock { state in
            // Taken out, so that the bytes are not copied with each piece.
            guard var transfer = state.running.removeValue(forKey: number) else { return false }
            defer { state.running[number] = transfer }
            guard transfer.body.count + data.count <= transfer.maximumBytes else { return true }
            transfer.body += data
            return false
        }
        guard isTooMuch else { return }
        URLSessionTransport.end(dataTask) { fail(number, .answerTooLarge) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let transfer = state.withLock({ $0.running.removeValue(forKey: task.taskIdentifier) }) else { return }
        transfer.continuation.resume(returning: Self.outcome(of: transfer, task, error))
    }

    private static func outcome(of transfer: Transfer, _ task: URLSessionTask, _ error: (any Error)?) -> Outcome {
        if let error { return .failure(TransportError(loading: error)) }
        guard let response = task.response as? HTTPURLResponse else {
            return .failure(.unreachable(.noHTTP))
        }
        var fields: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { fields[name.lowercased()] = value }
        }
        return .success(TransportAnswer(status: response.statusCode, fields: fields, body: transfer.body))
    }
}
