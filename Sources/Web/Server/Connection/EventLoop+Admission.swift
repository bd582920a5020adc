import HTTPWire

/// Large bodies are read only after a worker has admitted their request. The decision may block, such as looking up a
/// token in the database, and must precede the use of memory.
extension EventLoop {
    /// The admission of the request; `nil` if it needs none.
    func admission(for request: Request) -> (@Sendable (Request) throws -> Void)? {
        guard let index = request.route, let admission = routes.routes[index].admission else { return nil }
        switch request.head.framing {
        case .none: return nil
        case .length(let length): return length > Route.admittedBodyBytes ? admission : nil
        // The body may be as long as the route allows.
        case .chunked: return admission
        }
    }

    /// Leaves the rest of the request unread until ``endAdmission(of:refusal:)``.
    func beginAdmission(of connection: Connection, _ admission: @escaping @Sendable (Request) throws -> Void) {
        let request = connection.request
        ask(about: connection) {
            try admission(request)
            return { .admitted($0, refusal: nil) }
        }
    }

    /// Has a worker decide about the request while nothing further is read. An error of `decide` refuses the request;
    /// otherwise the message is posted. What `decide` holds is released when it has ended.
    func ask(
        about connection: Connection,
        _ decide: @escaping @Sendable () throws -> @Sendable (ReplyTicket) -> LoopMessage
    ) {
        connection.phase = .admitting
        let (request, ticket) = (connection.request, connection.ticket)
        let (application, mailbox, head) = (application, mailbox, connection.heldHead)
        @Sendable func post(_ result: Result<@Sendable (ReplyTicket) -> LoopMessage, any Error>) {
            switch result {
            case .success(let message): mailbox.post(message(ticket))
            case .failure(let error):
                mailbox.post(.admitted(ticket, refusal: application.response(for: error, request: request)))
            }
        }
        let isTaken = workers.submit(
            tooLate: { post(.failure(WireError.overloaded(retryAfterSeconds: 1))) },
            { withExtendedLifetime(head) { post(Result { try decide() }) } })
        guard isTaken else {
            connection.closesAfterAnswer = true
            return fail(.overloaded(retryAfterSeconds: 1), on: connection)
        }
        setDeadline(of: connection, after: deadlines.handling)
    }

    /// Continues with the body, which is read and dropped if the request is rejected.
    func endAdmission(of connection: Connection, refusal: Response?) {
        connection.phase = .receiving
        connection.receivingSince = clock.now
        // After a piece of the body, the client sends all of it.
        let expectsContinue = connection.request.head.expectsContinue && connection.request.sieved == nil
        if let refusal {
            connection.destination = .answer(refusal)
            if expectsContinue {
                // The client has not sent the body yet and can skip it.
                connection.closesAfterAnswer = true
                dispatch(connection)
                return advance(connection)
            }
        } else {
            // The sender is authenticated, so the body counts against the larger share of known clients.
            connection.bodyClient = connection.client.admitted ?? .unlimited
            connection.bodyUse = .body
            if expectsContinue, connection.held.isEmpty { output.append("HTTP/1.1 100 Continue\r\n\r\n") }
        }
        connection.heldIsUntried = !connection.held.isEmpty
        if connection.unsent.isEmpty { setReceivingDeadline(of: connection) }
        advance(connection)
    }
}
