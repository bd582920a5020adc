import CEpoll
import Glibc
import HTTPServer
import HTTPServerTLS

/// A keep-alive connection with one request at a time.
final class LoadConnection {
    /// A running request.
    struct Pending {
        let request: LoadRequest
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
    /// Whether epoll reports room to write.
    var isWatchedForWriting = false
    private var unsent: ArraySlice<UInt8> = []
    private var handshakeWaitsForInput = false
    private var secure: (any SecureSession)?
    private var reader = AnswerReader()

    init(_ endpoint: Endpoint) { self.endpoint = endpoint }

    var isOpen: Bool { descriptor >= 0 }
    var wantsToWrite: Bool { isOpen && (isConnected ? !unsent.isEmpty : !handshakeWaitsForInput) }

    /// Since when it waits for a response or for the connection; nil if it waits for nothing.
    var waitsSince: Int64? { pending?.sentAt ?? (isOpen && !isConnected ? lastUsedAt : nil) }

    /// Why the server's certificate is not trusted.
    var distrust: String? { secure.flatMap(TLSClient.distrust) }

    private var transport: Transport { secure.map { .tls($0) } ?? .plain(descriptor) }

    /// Begins to connect.
    func open() -> Bool {
        (reader, handshakeWaitsForInput, isWatchedForWriting) = (AnswerReader(), false, true)
        lastUsedAt = LoadClock.now()
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        descriptor = socket(Int32(endpoint.address.ss_family), type, 0)
        guard isOpen else { return false }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        let status = withUnsafeBytes(of: endpoint.address) { bytes in
            connect(
                descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
        guard status == 0 || errno == EINPROGRESS else { return false }
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
    func begin(_ request: LoadRequest, dueAt: Int64) -> Int {
        unsent = request.bytes(for: endpoint.target)[...]
        pending = Pending(request: request, dueAt: dueAt, sentAt: LoadClock.now())
        return unsent.count
    }

    /// Called when the socket is writable or connected, and until ``isConnected`` when it is readable, too.
    func write() throws(LoadFault) {
        if !isConnected {
            var problem: Int32 = 0
            var length = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &problem, &length)
            guard problem == 0 else { throw .connect }
            let handshake = secure?.shakeHands() ?? .done
            handshakeWaitsForInput = handshake == .waitsForInput
            switch handshake {
            case .done: isConnected = true
            case .waitsForInput, .waitsForRoom: return
            case .plainHTTP, .failed: throw .tls
            }
        }
        while pending != nil, !unsent.isEmpty {
            let count = unsent.withUnsafeBytes { transport.send($0) }
            guard count >= 0 else { throw .closed }
            guard count > 0 else { return }
            unsent.removeFirst(count)
        }
    }

    /// Reads available bytes. Returns the running request with its response once that is complete.
    func read(_ buffer: UnsafeMutableRawBufferPointer) throws(LoadFault) -> (Pending, Answer)? {
        guard let start = buffer.baseAddress else { return nil }
        var (isDrained, hasRead) = (false, false)
        while !isDrained {
            switch transport.receive(into: start, room: buffer.count) {
            case .bytes(let count, let isLast):
                reader.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                (isDrained, hasRead) = (isLast, true)
            case .nothingYet: isDrained = true
            case .tryAgain: break
            // The response before it counts; the next event says it again.
            case .end, .broken:
                guard hasRead else { throw .closed }
                isDrained = true
            }
        }
        guard hasRead, let answer = try reader.next() else { return nil }
        guard let pending = pending.take() else { throw .malformed }
        lastUsedAt = LoadClock.now()
        return (pending, answer)
    }
}
