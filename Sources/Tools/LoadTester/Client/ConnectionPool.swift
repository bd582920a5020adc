import DeviceSimulation
import HTTPServer

/// The connections of one thread, by number. Used only by that thread.
///
/// It waits with nanoseconds: a schedule in whole milliseconds would be late by half of one on average.
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
    /// The connection that was last opened with a descriptor.
    private var numbers: [Int32: Int] = [:]
    private let timeout: Int64
    private let poller: Poller
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)

    /// - Parameters:
    ///   - endpoints: the server of each connection.
    ///   - timeout: nanoseconds for a response, connecting included.
    init(_ endpoints: [Endpoint], timeout: Int64) throws(RunError) {
        self.timeout = timeout
        connections = endpoints.map { LoadConnection($0) }
        guard let poller = try? Poller() else { throw RunError("the system has no more descriptors for epoll") }
        self.poller = poller
    }

    deinit {
        for connection in connections { _ = connection.close() }
        poller.close()
        buffer.deallocate()
    }

    subscript(number: Int) -> LoadConnection { connections[number] }

    var connectedCount: Int { connections.count { $0.isConnected } }

    /// Begins to connect.
    func open(_ number: Int) {
        let connection = connections[number]
        guard connection.open(), poller.addEdgeTriggered(connection.descriptor) else { return fail(number, .connect) }
        numbers[connection.descriptor] = number
    }

    /// Sends a request, on a new connection if none is open. Returns its size.
    @discardableResult
    func send(_ number: Int, _ request: ClientRequest, dueAt: Int64) -> Int {
        let count = connections[number].begin(request, dueAt: dueAt)
        if !connections[number].isOpen { open(number) } else if connections[number].isConnected { write(number) }
        return count
    }

    func close(_ number: Int) { _ = connections[number].close() }

    /// Handles what happens until this time.
    func wait(until end: Int64) {
        for index in 0..<poller.wait(nanoseconds: max(0, end - LoadClock.now())) {
            let event = poller.event(index)
            guard let number = numbers[event.descriptor], connections[number].descriptor == event.descriptor else {
                continue
            }
            write(number)
            if connections[number].isConnected { read(number, untilEnd: event.peerClosed || event.isBroken) }
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
        do { if try connections[number].write() { handle(number, .sent) } } catch { fail(number, error) }
    }

    private func read(_ number: Int, untilEnd: Bool) {
        do {
            guard let (pending, answer) = try connections[number].read(buffer, untilEnd: untilEnd) else { return }
            if answer.closes { close(number) }
            handle(number, .answer(answer, to: pending))
        } catch { fail(number, error) }
    }

    private func fail(_ number: Int, _ fault: LoadFault) {
        if fault == .tls { distrust = connections[number].distrust }
        handle(number, .failed(fault, connections[number].close()))
    }
}
