import HTTPTypes
import HTTPWire

/// Serving: from a whole request to its response.
extension EventLoop {
    /// Passes a complete request to its handler.
    func dispatch(_ connection: Connection) {
        withRequest(of: connection) { request in
            switch connection.destination {
            case .undecided: fail(.notFound, request, on: connection)
            case .failure(let failure): fail(failure, request, on: connection)
            case .answer(var response): finish(&response, request, on: connection)
            case .route:
                guard let index = request.route else { return fail(.notFound, request, on: connection) }
                serve(routes.routes[index].endpoint, request, on: connection)
            }
        }
    }

    /// Moves the request out of its connection while `body` runs; passing on a class's property would copy it in each
    /// call. Reclaims its storage when the request has ended.
    func withRequest(of connection: Connection, _ body: (inout Request) -> Void) {
        var request = Request()
        swap(&request, &connection.request)
        body(&request)
        swap(&request, &connection.request)
        switch connection.phase {
        case .idle, .lingering: takeBackRequest(from: connection)
        case .handshaking, .receiving, .admitting, .handling, .streaming: break
        }
    }

    private func serve(_ endpoint: Endpoint, _ request: Request, on connection: Connection) {
        switch endpoint {
        case .immediate(let handler):
            var response: Response
            do {
                response = try handler(request)
            } catch {
                response = application.response(for: error, request: request)
            }
            finish(&response, request, on: connection)
        case .remembered(let lookUp, let otherwise):
            guard var response = lookUp(request) else { return serve(otherwise, request, on: connection) }
            finish(&response, request, on: connection)
        case .blocking(let handler):
            submit(request, of: connection) { request, reply in reply(Result { try handler(request) }) }
        case .deferred(let handler):
            submit(request, of: connection) { request, reply in
                do { try handler(request, reply) } catch { reply(.failure(error)) }
            }
        }
    }

    private func submit(
        _ request: Request, of connection: Connection, _ work: @escaping @Sendable (Request, Reply) -> Void
    ) {
        if connection.bodyBytesCharged >= RequestCharge.smallestBodyBytes {
            connection.heldBody = RequestCharge(
                connection.bodyBytesCharged, connection.bodyUse, of: connection.bodyClient, in: requests)
            connection.bodyBytesCharged = 0
        }
        let reply = Reply(
            mailbox: mailbox, ticket: connection.ticket, application: application, request: request,
            client: connection.client, answers: answers, head: connection.heldHead, body: connection.heldBody)
        connection.phase = .handling
        let tooLate: @Sendable () -> Void = { reply(.failure(WireError.overloaded(retryAfterSeconds: 1))) }
        guard workers.submit(tooLate: tooLate, { work(request, reply) }) else {
            return fail(.overloaded(retryAfterSeconds: 1), request, on: connection)
        }
        setDeadline(of: connection, after: deadlines.handling)
    }

    /// Lets the application finish a response and sends it.
    private func finish(_ response: inout Response, _ request: Request, on connection: Connection) {
        application.finish(&response, for: request)
        answer(response, to: request, on: connection)
    }

    func fail(_ failure: WireError, _ request: Request, on connection: Connection) {
        var response = application.response(for: failure, request: request)
        finish(&response, request, on: connection)
    }

    /// Responds with an error that the server itself detected.
    func fail(_ failure: WireError, on connection: Connection) {
        withRequest(of: connection) { request in
            // A malformed head has no id yet, but its response needs one: the client's, if that line was parsed, else a
            // generated one.
            if connection.parser.isBetweenRequests, case .undecided = connection.destination {
                request.identity.choose(for: request.head, from: &identities)
                connection.headCompletedAt = LoopClock.nanoseconds()
            }
            fail(failure, request, on: connection)
        }
    }
}

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
