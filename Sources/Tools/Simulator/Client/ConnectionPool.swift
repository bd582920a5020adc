import CEpoll
import Glibc

/// The connections of one thread, by number. Used only by that thread.
///
/// It waits in epoll with microseconds: a schedule in whole milliseconds would be late by half of one on average.
final class ConnectionPool {
    enum Event {
        /// The running request is written completely.
        case sent
        case answer(Answer, to: LoadConnection.Pending)
        /// The connection is closed; with its running request.
        case failed(LoadFault, LoadConnection.Pending?)
    }

    /// Receives what happens to a connection. It may send on it at once.
    var handle: (_ number: Int, _ event: Event) -> Void = { _, _ in }
    /// Why the certificate of the last TLS failure is not trusted.
    private(set) var distrust: String?
    private let connections: [LoadConnection]
    private let timeout: Int64
    private let epoll: Int32
    private let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: 256)
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)

    /// - Parameters:
    ///   - endpoints: the server of each connection.
    ///   - timeout: nanoseconds for a response, connecting included.
    init(_ endpoints: [Endpoint], timeout: Int64) throws(LoadError) {
        self.timeout = timeout
        connections = endpoints.map { LoadConnection($0) }
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw LoadError("epoll_create1 failed with error \(errno)") }
    }

    deinit {
        for connection in connections { _ = connection.close() }
        Glibc.close(epoll)
        events.deallocate()
        buffer.deallocate()
    }

    subscript(number: Int) -> LoadConnection { connections[number] }

    var connectedCount: Int { connections.count { $0.isConnected } }

    /// Begins to connect.
    func open(_ number: Int) {
        guard connections[number].open() else { return fail(number, .connect) }
        watch(number, EPOLL_CTL_ADD)
    }

    /// Sends a request, on a new connection if none is open. Returns its size.
    @discardableResult
    func send(_ number: Int, _ request: LoadRequest, dueAt: Int64) -> Int {
        let count = connections[number].begin(request, dueAt: dueAt)
        if !connections[number].isOpen { open(number) } else if connections[number].isConnected { write(number) }
        return count
    }

    func close(_ number: Int) { _ = connections[number].close() }

    /// Handles what happens until this time.
    func wait(until end: Int64) {
        let nanoseconds = Int(max(0, end - LoadClock.now()))
        var time = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
        let count = epoll_pwait2(epoll, events.baseAddress, Int32(events.count), &time, nil)
        for event in events.prefix(max(0, Int(count))) {
            let (number, broken) = (Int(event.data.u64), EPOLLERR.rawValue | EPOLLHUP.rawValue)
            let (connection, isWritable) = (connections[number], event.events & (EPOLLOUT.rawValue | broken) != 0)
            if connection.isOpen, !connection.isConnected || isWritable && connection.wantsToWrite { write(number) }
            if event.events & (EPOLLIN.rawValue | broken) != 0, connection.isConnected { read(number) }
        }
    }

    /// Fails what takes longer than the timeout.
    func expire(_ now: Int64) {
        for (number, connection) in connections.enumerated() {
            guard let since = connection.waitsSince, now - since > timeout else { continue }
            fail(number, connection.isConnected ? .timeout : .connect)
        }
    }

    /// Fails all running requests.
    func giveUp() {
        for (number, connection) in connections.enumerated() where connection.pending != nil { fail(number, .timeout) }
    }

    /// Waits for input, and for room while there is something to write.
    private func watch(_ number: Int, _ operation: Int32) {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue | (connections[number].isWatchedForWriting ? EPOLLOUT.rawValue : 0)
        event.data.u64 = UInt64(number)
        // Fails only if the kernel is out of memory; the request then times out and is counted.
        epoll_ctl(epoll, operation, connections[number].descriptor, &event)
    }

    private func write(_ number: Int) {
        let connection = connections[number]
        do { try connection.write() } catch { return fail(number, error) }
        if connection.wantsToWrite != connection.isWatchedForWriting {
            connection.isWatchedForWriting.toggle()
            watch(number, EPOLL_CTL_MOD)
        }
        if connection.pending != nil, !connection.wantsToWrite, connection.isConnected { handle(number, .sent) }
    }

    private func read(_ number: Int) {
        do {
            guard let (pending, answer) = try connections[number].read(buffer) else { return }
            if answer.closes { close(number) }
            handle(number, .answer(answer, to: pending))
        } catch { fail(number, error) }
    }

    private func fail(_ number: Int, _ fault: LoadFault) {
        if fault == .tls { distrust = connections[number].distrust }
        handle(number, .failed(fault, connections[number].close()))
    }
}
