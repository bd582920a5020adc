import HTTPWire

/// Large bodies of routes with a sieve pass through it piece by piece, on workers, while the rest waits unread.
extension EventLoop {
    /// Bodies that are smaller reach their handler whole.
    static let sievedPieceBytes = 256 << 10

    func hasSieve(_ request: Request) -> Bool { sieve(of: request) != nil }

    private func sieve(of request: Request) -> (@Sendable (Request) throws -> any BodySieve)? {
        request.route.flatMap { routes.routes[$0].sieve }
    }

    /// Passes the piece of the body that has arrived through the route's sieve, once it is large enough. The rest of
    /// the request is left unread until ``endSieving(of:_:)``.
    func sieveIfComplete(_ connection: Connection) {
        guard case .route = connection.destination, connection.request.body.count >= Self.sievedPieceBytes,
            let make = sieve(of: connection.request)
        else { return }
        let piece = connection.request.body
        connection.request.body = []
        // From here on, the piece is charged for as long as a worker may hold it.
        let charge = RequestCharge(piece.count, connection.bodyUse, of: connection.bodyClient, in: requests)
        connection.bodyBytesCharged -= piece.count
        let request = connection.request
        ask(about: connection) {
            // Made here too: it may ask the database who sends.
            let sieve = try request.sieved?.sieve ?? make(request)
            let kept = try withExtendedLifetime(charge) { try sieve.take(piece) }
            return { .sieved($0, sieve, kept) }
        }
    }

    func endSieving(of connection: Connection, _ sieve: any BodySieve, _ kept: [UInt8]) {
        if connection.request.sieved == nil { connection.request.sieved = SievedBody(sieve: sieve) }
        connection.phase = .receiving
        connection.receivingSince = clock.now
        connection.bodyBytesAtStretch = connection.bodyBytesIn
        if let shortage = takeForBody(kept.count, of: connection) {
            application.observe(shortage)
            connection.closesAfterAnswer = true
            fail(.bodiesTooLarge, on: connection)
            return advance(connection)
        }
        connection.bodyBytesCharged += kept.count
        connection.request.sieved?.kept += kept
        // Also without further input: the piece may have been the body's last.
        connection.heldIsUntried = true
        if connection.unsent.isEmpty { setReceivingDeadline(of: connection) }
        advance(connection)
    }
}
