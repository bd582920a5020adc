import CEpoll
import Glibc

/// A keep-alive connection with one request at a time.
final class LoadConnection {
    /// A running request.
    struct Pending {
        let request: MadeRequest
        /// When it was due and when it was sent, in nanoseconds of the monotonic clock.
        let dueAt: Int64
        let sentAt: Int64
    }

    private(set) var descriptor: Int32 = -1
    private(set) var isConnected = false
    private(set) var pending: Pending?
    /// Whether the caller is told when there is room to write.
    var isWatchedForWriting = false
    private var written = 0
    private var tls: ClientTLS.Session?
    private var reader = AnswerReader()
    /// When it was opened, or the last response arrived. 0 before.
    private(set) var lastUsedAt: Int64 = 0

    var isOpen: Bool { descriptor >= 0 }
    var wantsToWrite: Bool {
        guard isOpen else { return false }
        guard isConnected else { return tls?.wantsToWrite ?? true }
        return pending.map { written < $0.request.bytes.count } ?? false
    }

    /// Since when it waits for a response or for the connection; nil if it waits for nothing.
    var waitsSince: Int64? { pending?.sentAt ?? (isOpen && !isConnected ? lastUsedAt : nil) }

    /// Why the server's certificate is not trusted.
    var distrust: String? { tls?.distrust }

    /// Begins to connect.
    func open(_ endpoint: Endpoint) -> Bool {
        let address = endpoint.address
        reader = AnswerReader()
        isConnected = false
        isWatchedForWriting = true
        lastUsedAt = LoadClock.now()
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        descriptor = socket(address.family, type, 0)
        guard isOpen else { return false }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        let status = address.bytes.withUnsafeBytes { bytes in
            bytes.baseAddress.map {
                connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
            } ?? -1
        }
        guard status == 0 || errno == EINPROGRESS else { return false }
        guard let context = endpoint.tls else { return true }
        tls = context.session(endpoint.target.host, descriptor)
        return tls != nil
    }

    /// Closes the connection and returns the running request.
    func close() -> Pending? {
        tls = nil
        if isOpen { Glibc.close(descriptor) }
        descriptor = -1
        isConnected = false
        return pending.take()
    }

    /// Makes this the running request, which ``write()`` sends.
    func begin(_ request: MadeRequest, dueAt: Int64) {
        pending = Pending(request: request, dueAt: dueAt, sentAt: LoadClock.now())
        written = 0
    }

    /// Called when the socket is writable or connected, and until ``isConnected`` when it is readable, too.
    func write() throws(LoadFault) {
        if !isConnected {
            var problem: Int32 = 0
            var length = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &problem, &length)
            guard problem == 0 else { throw .connect }
            switch tls?.shakeHands() {
            case .again?: return
            case .failed?: throw .tls
            case .done?, nil: isConnected = true
            }
        }
        guard let pending else { return }
        while written < pending.request.bytes.count {
            let outcome = pending.request.bytes.withUnsafeBytes { transmit(.init(rebasing: $0[written...])) }
            switch outcome {
            case .done(let count): written += count
            case .again: return
            case .failed: throw .closed
            }
        }
    }

    private func transmit(_ bytes: UnsafeRawBufferPointer) -> ClientTLS.Session.Outcome {
        if let tls { return tls.write(bytes) }
        let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        return count > 0 ? .done(count) : errno == EAGAIN || errno == EINTR ? .again : .failed
    }

    private func receive(_ buffer: UnsafeMutableRawBufferPointer) -> ClientTLS.Session.Outcome {
        if let tls { return tls.read(buffer) }
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        return count > 0 ? .done(count) : count < 0 && (errno == EAGAIN || errno == EINTR) ? .again : .failed
    }

    /// Reads available bytes. Returns the running request with its response once that is complete.
    func read(_ buffer: UnsafeMutableRawBufferPointer) throws(LoadFault) -> (Pending, Answer)? {
        repeat {
            switch receive(buffer) {
            case .done(let count): reader.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            case .again: return nil
            case .failed: throw .closed
            }
        } while tls?.hasPending == true
        guard let answer = try reader.next() else { return nil }
        guard let pending else { throw .malformed }
        self.pending = nil
        lastUsedAt = LoadClock.now()
        return (pending, answer)
    }
}
