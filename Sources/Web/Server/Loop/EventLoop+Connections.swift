import Glibc
import HTTPWire

/// Opening and closing connections.
extension EventLoop {
    /// Closing a sixteenth of the connections makes enough room for a while.
    private static let shedPart = 16
    private static let freshMilliseconds: Int64 = 1000

    func adopt(_ descriptor: Int32, peer: SocketAddress, client: ClientAccount) {
        while connections.count <= Int(descriptor) { connections.append(nil) }
        let connection = Connection(
            descriptor: descriptor, generation: nextGeneration, peer: peer, client: client,
            limits: configuration.limits)
        nextGeneration += 1
        application.observe(connections: 1)
        let isEncrypted = tls.map { beginHandshake(on: connection, with: $0) }
        guard isEncrypted != false, poller.addEdgeTriggered(descriptor) else {
            Glibc.close(descriptor)
            gate.leave(peer)
            application.observe(connections: -1)
            return
        }
        connections[Int(descriptor)] = connection
        connectionCount += 1
        connection.receivingSince = clock.now
        setDeadline(of: connection, after: isEncrypted == nil ? deadlines.idle : deadlines.handshake)
        settleMemory(of: connection)
    }

    func close(_ connection: Connection) {
        guard !connection.isClosed else { return }
        connection.isClosed = true
        connections[Int(connection.descriptor)] = nil
        connectionCount -= 1
        connection.transport.sayGoodbye(unlessWithin: connection)
        // Closing also removes the descriptor from epoll.
        Glibc.close(connection.descriptor)
        gate.leave(connection.peer)
        refundRequest(of: connection)
        refundUnfinished(of: connection)
        connection.unsent = OutputQueue()
        application.observe(connections: -1)
    }

    func refundRequest(of connection: Connection) {
        connection.heldHead = nil
        connection.heldBody = nil
        guard connection.bodyBytesCharged > 0 else { return }
        requests.giveBack(connection.bodyBytesCharged, connection.bodyUse, of: connection.bodyClient)
        connection.bodyBytesCharged = 0
    }

    /// Closes the connections that have been idle longest, to make room for waiting ones. Without such, those that have
    /// left a head or a handshake unfinished for longest. If that makes too little room, those of the clients with the
    /// most connections that take longest to send a body or to read a response; never of a client that has few at the
    /// beginning.
    func shedIdle() {
        var idle: [Connection] = []
        var unfinished: [Connection] = []
        for case let connection? in connections where connection.unsent.isEmpty {
            if case .idle = connection.phase {
                if !isFresh(connection) { idle.append(connection) }
            } else if connection.isUnfinished, connection.parser.isBetweenRequests,
                connection.receivingSince + Self.freshMilliseconds <= clock.now
            {
                unfinished.append(connection)
            }
        }
        idle.sort { $0.deadline < $1.deadline }
        unfinished.sort { $0.receivingSince < $1.receivingSince }
        var shed = idle.isEmpty ? unfinished : idle
        let wanted = max(8, connectionCount / Self.shedPart)
        if shed.count < wanted { shed += slowOfCrowds() }
        for connection in shed.prefix(wanted) { close(connection) }
    }

    private func slowOfCrowds() -> [Connection] {
        var slow: [(crowd: Int, connection: Connection)] = []
        let latest = LoopClock.nanoseconds() &- UInt64(Self.freshMilliseconds) * 1_000_000
        for case let connection? in connections where connection.headCompletedAt <= latest {
            var isSlow = !connection.unsent.isEmpty
            if case .receiving = connection.phase, !connection.parser.isBetweenRequests { isSlow = true }
            guard isSlow, let crowd = gate.crowd(of: connection.peer) else { continue }
            slow.append((crowd, connection))
        }
        slow.sort { ($1.crowd, $0.connection.headCompletedAt) < ($0.crowd, $1.connection.headCompletedAt) }
        return slow.map(\.connection)
    }

    /// Whether an idle connection was opened or answered so recently that a request may be in flight. Its deadline
    /// counts from that event.
    private func isFresh(_ connection: Connection) -> Bool {
        guard case .idle = connection.phase else { return false }
        return connection.deadline - deadlines.idle + Self.freshMilliseconds > clock.now
    }

    /// Closes all connections. Returns whether anything was lost: a lingering connection already has its last response.
    func cutAll() -> Bool {
        var cutSomebody = false
        for case let connection? in connections {
            switch connection.phase {
            case .handshaking, .lingering: break
            case .idle, .receiving, .admitting, .handling, .streaming: cutSomebody = true
            }
            close(connection)
        }
        return cutSomebody
    }

    func startDraining(within duration: Duration) {
        guard !isDraining else { return }
        isDraining = true
        drainDeadline = clock.now + duration.milliseconds
        if let acceptor {
            acceptor.acceptRest(into: self)
            acceptor.stop(poller: poller)
            acceptor.tellOthers(.drain(deadline: duration))
        }
        acceptor = nil
        for case let connection? in connections {
            connection.isReadable = true
            // A connection in its handshake may still send a request, but gets only a short time for it.
            if case .handshaking = connection.phase { setDeadline(of: connection, after: deadlines.linger) }
            connection.mayAskOnceMore = isFresh(connection)
            advance(connection)
            // A stuck response keeps its write deadline.
            if case .idle = connection.phase, connection.mayAskOnceMore, connection.unsent.isEmpty {
                setDeadline(of: connection, after: deadlines.lastRequest)
            }
            closeIfIdleWhileDraining(connection)
        }
    }

    /// Closes an idle connection while draining, but one that was just answered gets a moment for a request that may be
    /// in flight.
    func closeIfIdleWhileDraining(_ connection: Connection) {
        guard isDraining, !connection.isClosed, connection.unsent.isEmpty, !connection.mayAskOnceMore,
            case .idle = connection.phase
        else { return }
        close(connection)
    }
}
