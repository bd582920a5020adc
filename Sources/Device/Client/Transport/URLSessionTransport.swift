#if !os(Linux)
    import Foundation
    import Locking

    /// Sends requests with `URLSession`, without cookies, cache, stored credentials and redirects.
    public final class URLSessionTransport: Transport {
        private let line = Line()

        /// A transport with a URL session of its own, which is invalidated with it.
        public init() {}

        /// Sends a request. Throws once its timeout has passed, or the task is cancelled.
        public func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
            guard let url = URL(string: request.url) else { throw .unreachable(.unusableAddress) }
            var outgoing = URLRequest(url: url)
            outgoing.httpMethod = request.method
            outgoing.httpBody = request.body.map { Data($0) }
            outgoing.httpShouldHandleCookies = false
            for (name, value) in request.fields { outgoing.setValue(value, forHTTPHeaderField: name) }
            let transfers = line.transfers
            let task = line.session.dataTask(with: outgoing)
            let number = task.taskIdentifier
            // The timeouts of the session restart with every byte; this one does not.
            let limit = Task {
                try await Task.sleep(for: request.timeout)
                transfers.fail(number, .timedOut)
                task.cancel()
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
                transfers.fail(number, .cancelled)
                task.cancel()
            }
            return try outcome.get()
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
            session = URLSession(configuration: configuration, delegate: transfers, delegateQueue: nil)
        }

        deinit {
            session.invalidateAndCancel()
        }
    }

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
            fail(number, .answerTooLarge)
            dataTask.cancel()
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
#endif
