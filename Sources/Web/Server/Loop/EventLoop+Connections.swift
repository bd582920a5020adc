import Glibc

/// Connections come and go.
extension EventLoop {
    /// A sixteenth of the connections makes room for long enough to look again.
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
        setDeadline(of: connection, after: isEncrypted == nil ? deadlines.idle : deadlines.handshake)
    }

    func close(_ connection: Connection) {
        guard !connection.isClosed else { return }
        connection.isClosed = true
        connections[Int(connection.descriptor)] = nil
        connectionCount -= 1
        connection.transport.sayGoodbye(unlessWithin: connection)
        // Closing takes the descriptor out of epoll by itself.
        Glibc.close(connection.descriptor)
        gate.leave(connection.peer)
        refundBody(of: connection)
        connection.unsent = OutputQueue()
        application.observe(connections: -1)
    }

    func refundBody(of connection: Connection) {
        connection.heldBody = nil
        guard connection.bodyBytesCharged > 0 else { return }
        bodies.giveBack(connection.bodyBytesCharged, of: connection.bodyClient)
        connection.bodyBytesCharged = 0
    }

    /// Closes the longest idle part of the connections between two requests, so that those who wait get a place.
    func shedIdle() {
        var idle: [Connection] = []
        for case let connection? in connections {
            guard case .idle = connection.phase, connection.unsent.isEmpty, !isFresh(connection) else { continue }
            idle.append(connection)
        }
        idle.sort { $0.deadline < $1.deadline }
        for connection in idle.prefix(max(8, connectionCount / Self.shedPart)) { close(connection) }
    }

    /// Whether an idle connection has come, or was answered, so short a time ago that a request may be on its way. The
    /// deadline of an idle connection counts from that moment.
    private func isFresh(_ connection: Connection) -> Bool {
        guard case .idle = connection.phase else { return false }
        return connection.deadline - deadlines.idle + Self.freshMilliseconds > clock.now
    }

    /// Returns whether anybody lost something by it: who only lingers has the last answer.
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
            // Who shakes hands has asked nothing; they may get as far as asking, but nobody waits long for it.
            if case .handshaking = connection.phase { setDeadline(of: connection, after: deadlines.linger) }
            connection.mayAskOnceMore = isFresh(connection)
            advance(connection)
            // An answer that is stuck keeps the deadline of its reading.
            if case .idle = connection.phase, connection.mayAskOnceMore, connection.unsent.isEmpty {
                setDeadline(of: connection, after: deadlines.lastRequest)
            }
            closeIfIdleWhileDraining(connection)
        }
    }

    /// A connection between two requests has nothing to lose; one that has sent a first byte is answered. Who has just
    /// been answered may have asked again already, and gets a moment for it to arrive.
    func closeIfIdleWhileDraining(_ connection: Connection) {
        guard isDraining, !connection.isClosed, connection.unsent.isEmpty, !connection.mayAskOnceMore,
            case .idle = connection.phase
        else { return }
        close(connection)
    }
}
