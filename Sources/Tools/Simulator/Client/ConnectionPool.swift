import Glibc

/// The connections of one thread, by number. Used only by that thread.
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
    private let endpoints: [Endpoint]
    private let timeout: Int64
    private let readiness: Readiness
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)

    /// - Parameters:
    ///   - endpoints: the server of each connection.
    ///   - timeout: nanoseconds for a response, connecting included.
    init(_ endpoints: [Endpoint], timeout: Int64) throws(LoadError) {
        self.endpoints = endpoints
        self.timeout = timeout
        connections = endpoints.map { _ in LoadConnection() }
        readiness = try Readiness()
    }

    deinit {
        for connection in connections { _ = connection.close() }
        readiness.close()
        buffer.deallocate()
    }

    subscript(number: Int) -> LoadConnection { connections[number] }

    var connectedCount: Int { connections.count { $0.isConnected } }

    /// Begins to connect.
    func open(_ number: Int) {
        guard connections[number].open(endpoints[number]) else { return fail(number, .connect) }
        readiness.add(connections[number].descriptor, number: number, writing: true)
    }

    /// Sends a request, on a new connection if none is open.
    func send(_ number: Int, _ request: MadeRequest, dueAt: Int64) {
        connections[number].begin(request, dueAt: dueAt)
        if !connections[number].isOpen { open(number) } else if connections[number].isConnected { write(number) }
    }

    func close(_ number: Int) { _ = connections[number].close() }

    func wait(until end: Int64) {
        readiness.wait(nanoseconds: max(0, end - LoadClock.now())) { number, isReadable, isWritable in
            let connection = connections[number]
            if connection.isOpen, !connection.isConnected || isWritable && connection.wantsToWrite { write(number) }
            if isReadable, connection.isConnected { read(number) }
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

    private func write(_ number: Int) {
        let connection = connections[number]
        do { try connection.write() } catch { return fail(number, error) }
        if connection.wantsToWrite != connection.isWatchedForWriting {
            connection.isWatchedForWriting.toggle()
            readiness.change(connection.descriptor, number: number, writing: connection.wantsToWrite)
        }
        if connection.pending != nil, !connection.wantsToWrite { handle(number, .sent) }
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
