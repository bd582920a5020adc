import Glibc

/// The connections of one thread, by number. Used only by that thread.
final class ConnectionPool {
    enum Event {
        case connected
        /// The running request is written completely.
        case sent
        case answer(Answer, to: LoadConnection.Pending)
        /// The connection is closed; with its running request.
        case failed(LoadFault, LoadConnection.Pending?)
    }

    /// Receives what happens to a connection. It may open it, or send on it, at once.
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
    ///   - timeout: nanoseconds for connecting, and for a response.
    init(_ endpoints: [Endpoint], timeout: Int64) throws(LoadError) {
        self.endpoints = endpoints
        self.timeout = timeout
        connections = endpoints.map { _ in LoadConnection() }
        readiness = try Readiness()
    }

    deinit {
        for connection in connections { _ = connection.close(now: 0) }
        readiness.close()
        buffer.deallocate()
    }

    subscript(number: Int) -> LoadConnection { connections[number] }

    var connectedCount: Int { connections.count { $0.isConnected } }

    func open(_ number: Int) {
        guard connections[number].open(endpoints[number], now: LoadClock.now()) else { return fail(number, .connect) }
        readiness.add(connections[number].descriptor, number: number, writing: true)
    }

    func send(_ number: Int, _ request: MadeRequest, dueAt: Int64) {
        change(number, sends: true) { connection throws(LoadFault) in
            try connection.send(request, dueAt: dueAt, now: LoadClock.now())
        }
    }

    func close(_ number: Int) { _ = connections[number].close(now: LoadClock.now()) }

    func wait(until end: Int64) {
        readiness.wait(nanoseconds: max(0, end - LoadClock.now())) { number, isReadable, isWritable in
            let connection = connections[number]
            if connection.isOpen, !connection.isConnected || isWritable && connection.wantsToWrite {
                change(number, sends: connection.wantsToWrite) { connection throws(LoadFault) in
                    try connection.write()
                }
            }
            if isReadable, connection.isConnected { read(number) }
        }
    }

    /// Fails what takes longer than the timeout.
    func expire(_ now: Int64) {
        for (number, connection) in connections.enumerated() {
            if let pending = connection.pending, now - pending.sentAt > timeout {
                fail(number, .timeout)
            } else if connection.isOpen, !connection.isConnected, now - connection.openedAt > timeout {
                fail(number, .connect)
            }
        }
    }

    /// Fails all running requests.
    func giveUp() {
        for (number, connection) in connections.enumerated() where connection.pending != nil { fail(number, .timeout) }
    }

    private func change(
        _ number: Int, sends: Bool, _ body: (LoadConnection) throws(LoadFault) -> Void
    ) {
        let connection = connections[number]
        let (wasConnected, wasWriting) = (connection.isConnected, connection.wantsToWrite)
        do { try body(connection) } catch { return fail(number, error) }
        if connection.wantsToWrite != wasWriting {
            readiness.change(connection.descriptor, number: number, writing: connection.wantsToWrite)
        }
        if !wasConnected {
            if connection.isConnected { handle(number, .connected) }
        } else if sends, connection.pending != nil, !connection.wantsToWrite {
            handle(number, .sent)
        }
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
        handle(number, .failed(fault, connections[number].close(now: LoadClock.now())))
    }
}
