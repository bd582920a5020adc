import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests through `URLSession`: no cookies, no cache, no credentials of the system, no redirects.
public final class URLSessionTransport: Transport {
    private let session: URLSession
    private let transfers: Transfers

    public init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        transfers = Transfers()
        session = URLSession(configuration: configuration, delegate: transfers, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportAnswer {
        guard let url = URL(string: request.url) else { throw .unreachable("the address cannot be used") }
        var outgoing = URLRequest(url: url)
        outgoing.httpMethod = request.method
        outgoing.httpBody = request.body.map { Data($0) }
        outgoing.httpShouldHandleCookies = false
        for (name, value) in request.fields { outgoing.setValue(value, forHTTPHeaderField: name) }
        let task = session.dataTask(with: outgoing)
        let number = task.taskIdentifier
        // The session's own limits count from the last byte; this one counts from the first.
        let limit = Task { [transfers] in
            try await Task.sleep(for: request.timeout)
            transfers.fail(number, .timedOut)
            task.cancel()
        }
        defer { limit.cancel() }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                transfers.begin(number, maximumBytes: request.maximumAnswerBytes, continuation)
                task.resume()
            }
        } onCancel: { [transfers] in
            transfers.fail(number, .cancelled)
            task.cancel()
        }
        return try outcome.get()
    }
}

/// The transfers under way, by the number of their task.
private final class Transfers: NSObject, URLSessionDataDelegate {
    typealias Outcome = Result<TransportAnswer, TransportError>

    private struct Transfer {
        var body: [UInt8] = []
        let maximumBytes: Int
        var failure: TransportError?
        let continuation: CheckedContinuation<Outcome, Never>
    }

    private let running = Mutex<[Int: Transfer]>([:])

    func begin(_ number: Int, maximumBytes: Int, _ continuation: CheckedContinuation<Outcome, Never>) {
        running.withLock { $0[number] = Transfer(maximumBytes: maximumBytes, continuation: continuation) }
    }

    /// The first reason stays; the task that is then cancelled brings it to its caller.
    func fail(_ number: Int, _ reason: TransportError) {
        running.withLock { running in
            if running[number]?.failure == nil { running[number]?.failure = reason }
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooMuch = running.withLock { running in
            guard var transfer = running.removeValue(forKey: dataTask.taskIdentifier) else { return false }
            defer { running[dataTask.taskIdentifier] = transfer }
            guard transfer.body.count + data.count <= transfer.maximumBytes else {
                transfer.body = []
                transfer.failure = transfer.failure ?? .answerTooLarge
                return true
            }
            transfer.body += data
            return false
        }
        if isTooMuch { dataTask.cancel() }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let transfer = running.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        transfer.continuation.resume(returning: Self.outcome(of: transfer, task, error))
    }

    private static func outcome(of transfer: Transfer, _ task: URLSessionTask, _ error: (any Error)?) -> Outcome {
        if let failure = transfer.failure { return .failure(failure) }
        if let error {
            let code = (error as? URLError)?.code
            return .failure(code == .timedOut ? .timedOut : .unreachable(reason(code)))
        }
        guard let response = task.response as? HTTPURLResponse else {
            return .failure(.unreachable("it does not speak HTTP"))
        }
        var fields: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { fields[name.lowercased()] = value }
        }
        return .success(TransportAnswer(status: response.statusCode, fields: fields, body: transfer.body))
    }

    private static func reason(_ code: URLError.Code?) -> String {
        switch code {
        case .cannotConnectToHost: "nothing listens there"
        case .cannotFindHost, .dnsLookupFailed: "there is no such host"
        case .notConnectedToInternet: "the device is offline"
        case .networkConnectionLost: "the connection was cut"
        case .serverCertificateUntrusted, .secureConnectionFailed, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot:
            "its certificate cannot be trusted"
        case let code?: "network error \(code.rawValue)"
        case nil: "network error"
        }
    }
}
