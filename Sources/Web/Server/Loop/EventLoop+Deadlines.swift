import CEpoll
import HTTPWire

/// Deadlines of connections.
extension EventLoop {
    /// `milliseconds` from the loop's last wake-up.
    func setDeadline(of connection: Connection, after milliseconds: Int64) {
        setDeadline(of: connection, at: clock.now + milliseconds)
    }

    /// `instant` in milliseconds of the loop's clock.
    func setDeadline(of connection: Connection, at instant: Int64) {
        connection.deadline = instant
        guard DeadlineWheel.tick(connection.deadline) < connection.scheduledTick else { return }
        schedule(connection)
    }

    private func schedule(_ connection: Connection) {
        let entry = DeadlineWheel.Entry(descriptor: connection.descriptor, generation: connection.generation)
        connection.scheduledTick = wheel.insert(entry, deadline: connection.deadline)
    }

    func checkDeadline(_ entry: DeadlineWheel.Entry) {
        guard connections.indices.contains(Int(entry.descriptor)), let connection = connections[Int(entry.descriptor)],
            connection.generation == entry.generation
        else { return }
        if connection.deadline <= clock.now {
            connection.scheduledTick = .max
            expire(connection)
        } else if connection.scheduledTick <= DeadlineWheel.tick(clock.now) {
            // The hint came up before its deadline: enter it again. A superseded hint has no effect.
            schedule(connection)
        }
    }

    private func expire(_ connection: Connection) {
        if !connection.unsent.isEmpty, readsOn(connection) { return beginWriteStretch(of: connection) }
        switch connection.phase {
        case .receiving where connection.unsent.isEmpty:
            connection.closesAfterAnswer = true
            fail(.requestTimeout, on: connection)
            advance(connection)
        case .admitting where connection.unsent.isEmpty, .handling where connection.unsent.isEmpty:
            connection.closesAfterAnswer = true
            fail(.handlingTimeout, on: connection)
            advance(connection)
        case .handshaking, .idle, .receiving, .admitting, .handling, .streaming, .lingering: close(connection)
        }
    }

    /// A response is stuck: from now on the client must read it at the minimum rate.
    func beginWriteStretch(of connection: Connection) {
        connection.bytesTakenAtStretch = bytesTaken(on: connection)
        setDeadline(of: connection, after: deadlines.writeStall)
    }

    /// Whether a client has read enough of its response since the stretch began.
    private func readsOn(_ connection: Connection) -> Bool {
        let taken = Int64(bytesTaken(on: connection) - connection.bytesTakenAtStretch)
        return taken * 1000 >= deadlines.writeStall * deadlines.readBytesPerSecond
    }

    /// The bytes that the client has acknowledged. Writability is a worse measure: it is reported only when a good part
    /// of the kernel's buffer is empty, which a slow but steady reader may not achieve within a stretch.
    private func bytesTaken(on connection: Connection) -> Int {
        connection.bytesSent - Int(subguard_bytes_in_kernel(connection.descriptor))
    }
}
