import DeviceSimulation
import Glibc
import HTTPServer
import HTTPServerTLS

/// A keep-alive connection with one request at a time.
final class LoadConnection {
    /// A running request.
    struct Pending {
        let request: ClientRequest
        /// When it was due and when it was sent, in nanoseconds of the monotonic clock.
        let dueAt: Int64
        let sentAt: Int64
    }

    private let endpoint: Endpoint
    private(set) var descriptor: Int32 = -1
    private(set) var isConnected = false
    private(set) var pending: Pending?
    /// When it was opened, or the last response arrived. 0 before.
    private(set) var lastUsedAt: Int64 = 0
    private var unsent: ArraySlice<UInt8> = []
    private var secure: (any SecureSession)?
    private var reader = AnswerReader()

    init(_ endpoint: Endpoint) { self.endpoint = endpoint }

    var isOpen: Bool { descriptor >= 0 }

    /// Since when it waits for a response or for the connection; nil if it waits for nothing.
    var waitsSince: Int64? { pending?.sentAt ?? (isOpen && !isConnected ? lastUsedAt : nil) }

    /// Why the server's certificate is not trusted.
    var distrust: String? { secure.flatMap(TLSClient.distrust) }

    private var transport: Transport { secure.map { .tls($0) } ?? .plain(descriptor) }

    /// Begins to connect.
    func open() -> Bool {
        (reader, lastUsedAt) = (AnswerReader(), LoadClock.now())
        descriptor = SocketConnection.begin(endpoint.address) ?? -1
        guard isOpen else { return false }
        guard let tls = endpoint.tls else { return true }
        secure = tls.session(endpoint.target.host, on: descriptor)
        return secure != nil
    }

    /// Closes the connection and returns the running request.
    func close() -> Pending? {
        if isOpen { Glibc.close(descriptor) }
        (secure, descriptor, isConnected) = (nil, -1, false)
        return pending.take()
    }

    /// Makes this the running request, which ``write()`` sends. Returns its size.
    func begin(_ request: ClientRequest, dueAt: Int64) -> Int {
        unsent = endpoint.target.bytes(of: request)[...]
        pending = Pending(request: request, dueAt: dueAt, sentAt: LoadClock.now())
        return unsent.count
    }

    /// Connects or sends as far as possible. Called after each event. Returns whether the running request is written
    /// completely, once.
    func write() throws(LoadFault) -> Bool {
        if !isConnected {
            guard !SocketConnection.hasFailed(descriptor) else { throw .connect }
            switch secure?.shakeHands() ?? .done {
            case .done: isConnected = true
            case .waitsForInput, .waitsForRoom: return false
            case .plainHTTP, .failed: throw .tls
            }
        }
        guard pending != nil, !unsent.isEmpty else { return false }
        while !unsent.isEmpty {
            let count = unsent.withUnsafeBytes { transport.send($0) }
            guard count >= 0 else { throw .closed }
            guard count > 0 else { return false }
            unsent.removeFirst(count)
        }
        return true
    }

    /// Reads available bytes. Returns the running request with its response once that is complete.
    ///
    /// - Parameter untilEnd: whether the server has closed its side, which is not said again.
    func read(
        _ buffer: UnsafeMutableRawBufferPointer, untilEnd: Bool
    ) throws(LoadFault) -> (Pending, Answer)? {
        guard let start = buffer.baseAddress else { return nil }
        var (isDrained, hasRead, hasEnded) = (false, false, false)
        while !isDrained {
            switch transport.receive(into: start, room: buffer.count) {
            case .bytes(let count, let isLast):
                reader.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                (isDrained, hasRead) = (isLast && !untilEnd, true)
            case .nothingYet: isDrained = true
            case .tryAgain: break
            case .end, .broken: (isDrained, hasEnded) = (true, true)
            }
        }
        // The response before the end counts.
        guard hasRead, var answer = try reader.next() else {
            guard !hasEnded else { throw .closed }
            return nil
        }
        guard let pending = pending.take() else { throw .malformed }
        answer.closes = answer.closes || hasEnded
        lastUsedAt = LoadClock.now()
        return (pending, answer)
    }
}
