import HTTPWire

/// Memory that a client makes the server hold while it waits for the rest: unfinished heads, unparsed input, unfinished
/// TLS records and handshakes. Bodies are charged as they are received, responses as they wait.
extension EventLoop {
    /// A connection that holds less is never closed to make room for others: honest heads are smaller, and a long
    /// upload shall end.
    private static let leastShedBytes = 8192
    private static let shedPart = 16
    /// Looking for such connections takes time in proportion to all of them.
    private static let shedPauseMilliseconds: Int64 = 50

    /// Charges what a connection holds now. Called whenever the connection has to wait; a request that arrives whole
    /// and is answered at once is never charged. Refuses the request if the memory is exhausted.
    func settleMemory(of connection: Connection) {
        guard !connection.isClosed else { return }
        let bytes = unfinishedBytes(of: connection)
        let more = bytes - connection.unfinishedBytesCharged
        guard more != 0 else { return }
        if more > 0 {
            var shortage = requests.take(more, .head, for: connection.client)
            if shortage == .heads, shedUnfinished(for: connection) {
                shortage = requests.take(more, .head, for: connection.client)
            }
            if let shortage { return refuseUnfinished(shortage, on: connection) }
        } else {
            requests.giveBack(-more, .head, of: connection.client)
        }
        connection.unfinishedBytesCharged = bytes
    }

    func refundUnfinished(of connection: Connection) {
        guard connection.unfinishedBytesCharged > 0 else { return }
        requests.giveBack(connection.unfinishedBytesCharged, .head, of: connection.client)
        connection.unfinishedBytesCharged = 0
    }

    /// Charges the head of a complete request, if it is larger than usual, for as long as it can be read.
    func chargeHead(of connection: Connection) -> MemoryShortage? {
        let bytes = connection.request.head.storageBytes
        guard bytes > RequestHead.usualStorageBytes else { return nil }
        // It may be charged as an unfinished one so far.
        refundUnfinished(of: connection)
        var shortage = requests.take(bytes, .head, for: connection.client)
        if shortage == .heads, shedUnfinished(for: connection) {
            shortage = requests.take(bytes, .head, for: connection.client)
        }
        if let shortage { return shortage }
        connection.heldHead = RequestCharge(bytes, .head, of: connection.client, in: requests)
        return nil
    }

    /// Charges bytes of the connection's body.
    func takeForBody(_ bytes: Int, of connection: Connection) -> MemoryShortage? {
        let shortage = requests.take(bytes, connection.bodyUse, for: connection.bodyClient)
        guard shortage == .bodies, connection.bodyUse.isOfStrangers, shedUnfinished(for: connection) else {
            return shortage
        }
        return requests.take(bytes, connection.bodyUse, for: connection.bodyClient)
    }

    private func unfinishedBytes(of connection: Connection) -> Int {
        var bytes = connection.held.capacity
        if case .receiving = connection.phase, connection.heldHead == nil {
            bytes += connection.request.head.storageBytes
        }
        if case .tls(let session) = connection.transport { bytes += session.unfinishedBytes }
        return bytes
    }

    private func refuseUnfinished(_ shortage: MemoryShortage, on connection: Connection) {
        application.observe(shortage)
        switch connection.phase {
        case .receiving where connection.unsent.isEmpty:
            connection.closesAfterAnswer = true
            connection.held = []
            fail(.headsTooLarge, on: connection)
            // Goes on with the end of the connection; it holds nothing any more.
            advance(connection)
        case .admitting, .handling, .streaming:
            // The request is complete: it is answered, and what follows it is not read.
            connection.closesAfterAnswer = true
            connection.held = []
            connection.heldIsUntried = false
            refundUnfinished(of: connection)
        case .handshaking, .idle, .receiving, .lingering: close(connection)
        }
    }

    /// Closes the connections of this loop that have left something unfinished for longest, however short that is: a
    /// newcomer that was refused instead would have no time at all. Returns whether there were any.
    private func shedUnfinished(for needy: Connection) -> Bool {
        guard nextShedAt <= clock.now else { return false }
        var unfinished: [Connection] = []
        for case let connection? in connections where connection !== needy && connection.isUnfinished {
            let body = connection.bodyUse.isOfStrangers ? connection.bodyBytesCharged : 0
            if connection.unfinishedBytesCharged + (connection.heldHead?.bytes ?? 0) + body >= Self.leastShedBytes {
                unfinished.append(connection)
            }
        }
        if unfinished.isEmpty { nextShedAt = clock.now + Self.shedPauseMilliseconds }
        unfinished.sort { $0.receivingSince < $1.receivingSince }
        let shed = unfinished.prefix(max(1, unfinished.count / Self.shedPart))
        for connection in shed {
            application.observe(.heads)
            close(connection)
        }
        return !shed.isEmpty
    }
}
