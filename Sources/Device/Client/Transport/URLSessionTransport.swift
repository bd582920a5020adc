import Foundation
import Locking

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests with `URLSession`, without cookies, cache, stored credentials and redirects.
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
            // libcurl silently repeats a request when a reused connection turns out to be closed. The caller decides about
            // retries, and FoundationNetworking cannot provide the body a second time, so the server would wait for it.
            // Requests with a body therefore use a new connection.
            let line = request.body == nil ? self.line : Line()
        #else
            let line = self.line
        #endif
        let transfers = line.transfers
        let task = line.session.dataTask(with: outgoing)
        let number = task.taskIdentifier
        // The timeouts of the session restart with every byte; this one does not.
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

    /// Number of cancelled transfers of the process that have not ended yet.
    private static let ending = Guarded(0)

    /// Cancels a transfer. While a server sends faster than libcurl decompresses, FoundationNetworking blocks every start and
    /// cancellation in the process. Transfers are therefore cancelled on a background thread, and others start afterwards.
    ///
    /// - Parameter tell: notifies the caller; called after the cancellation was counted.
    fileprivate static func end(_ task: URLSessionTask, _ tell: () -> Void) {
        ending.withLock { $0 += 1 }
        tell()
        DispatchQueue.global().async {
            task.cancel()
            ending.withLock { $0 -= 1 }
        }
    }

    /// Waits until a transfer can start. Returns the remaining time.
    private static func begin(_ limit: Duration) async throws(TransportError) -> Duration {
        let end = ContinuousClock.now + limit
        while ending.withLock({ $0 > 0 }) {
            guard ContinuousClock.now < end else { throw .timedOut }
            do { try await Task.sleep(for: .milliseconds(5)) } catch { throw .cancelled }
        }
        return end - .now
    }
}

/// A URL session with its delegate; invalidated with the value.
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
    /// Calls the delegate on the loader's thread. With a regular queue, FoundationNetworking decompresses ahead of the delegate
    /// and keeps everything in memory; with this one it waits, so that a small response that decompresses to gigabytes never
    /// has more than one chunk in memory.
    // proof: it has no state of its own, and its superclass is Sendable.
    private final class InlineQueue: OperationQueue, @unchecked Sendable {
        override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
    }
#endif

/// The running transfers, by task identifier.
private final class Transfers: NSObject, URLSessionDataDelegate {
    typealias Outcome = Result<TransportAnswer, TransportError>

    private struct Transfer {
        var body: [UInt8] = []
        let maximumBytes: Int
        let continuation: CheckedContinuation<Outcome, Never>
    }

    private struct State {
        var running: [Int: Transfer] = [:]
        /// Cancelled before they started.
        var abandoned: [Int: TransportError] = [:]
    }

    private let state = Guarded(State())

    /// Returns false, after resuming the caller, when the transfer was already cancelled.
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

    /// Fails a transfer immediately; later data is ignored.
    func fail(_ number: Int, _ reason: TransportError) {
        let transfer = state.withLock { state in
            let transfer = state.running.removeValue(forKey: number)
            if transfer == nil { state.abandoned[number] = reason }
            return transfer
        }
        transfer?.continuation.resume(returning: .failure(reason))
    }

    /// Called after the caller was resumed.
    func forget(_ number: Int) { state.withLock { _ = $0.abandoned.removeValue(forKey: number) } }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let number = dataTask.taskIdentifier
        let isTooMuch = state.withLock { state in
            // Removed from the dictionary, so that the bytes are not copied with each chunk.
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
