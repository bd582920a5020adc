import HTTPWire

/// Large bodies of routes with a sieve pass through it piece by piece, on workers, while the rest waits unread.
extension EventLoop {
    /// Bodies that are smaller reach their handler whole.
    static let sievedPieceBytes = 256 << 10

    /// Whether the piece of the body that has arrived is to pass through the route's sieve now.
    func isPieceComplete(of connection: Connection) -> Bool {
        guard case .route = connection.destination, connection.request.body.count >= Self.sievedPieceBytes else {
            return false
        }
        return connection.request.route.flatMap { routes.routes[$0].sieve } != nil
    }

    /// Leaves the rest of the request unread until ``endSieving(of:_:)``.
    func beginSieving(of connection: Connection) {
        guard let index = connection.request.route, let make = routes.routes[index].sieve else { return }
        let piece = connection.request.body
        connection.request.body = []
        // From here on, the piece is charged for as long as a worker may hold it.
        let charge = RequestCharge(piece.count, .body, of: connection.bodyClient, in: requests)
        connection.bodyBytesCharged -= piece.count
        let request = connection.request
        let sieved: SievedBody
        do {
            sieved = try request.sieved ?? SievedBody(sieve: make(request))
        } catch {
            connection.destination = .answer(application.response(for: error, request: request))
            return
        }
        connection.request.sieved = sieved
        connection.phase = .admitting
        let (ticket, application, mailbox, head) = (connection.ticket, application, mailbox, connection.heldHead)
        let decide: @Sendable (Result<[UInt8], any Error>) -> Void = { result in
            switch result {
            case .success(let kept): mailbox.post(.sieved(ticket, kept))
            case .failure(let error):
                mailbox.post(.admitted(ticket, refusal: application.response(for: error, request: request)))
            }
        }
        let isTaken = workers.submit(
            tooLate: { decide(.failure(WireError.overloaded(retryAfterSeconds: 1))) },
            { withExtendedLifetime((head, charge)) { decide(Result { try sieved.sieve.take(piece) }) } })
        guard isTaken else {
            connection.closesAfterAnswer = true
            return fail(.overloaded(retryAfterSeconds: 1), on: connection)
        }
        setDeadline(of: connection, after: deadlines.handling)
    }

    func endSieving(of connection: Connection, _ kept: [UInt8]) {
        connection.phase = .receiving
        connection.receivingSince = clock.now
        connection.bodyBytesAtStretch = connection.bodyBytesIn
        if let shortage = requests.take(kept.count, .body, for: connection.bodyClient) {
            application.observe(shortage)
            connection.closesAfterAnswer = true
            fail(.bodiesTooLarge, on: connection)
            return advance(connection)
        }
        connection.bodyBytesCharged += kept.count
        connection.request.sieved?.kept += kept
        connection.heldIsUntried = !connection.held.isEmpty
        if connection.unsent.isEmpty { setReceivingDeadline(of: connection) }
        advance(connection)
    }
}
