import HTTPTypes
import HTTPWire

/// From a whole request to its answer.
extension EventLoop {
    /// The request is whole: hand it to whoever answers it.
    func dispatch(_ connection: Connection) {
        switch connection.destination {
        case .undecided: fail(.notFound, on: connection)
        case .failure(let failure): fail(failure, on: connection)
        case .answer(let response):
            var response = response
            application.finish(&response, for: connection.request)
            answer(response, on: connection)
        case .route(let index): serve(application.routes.routes[index].endpoint, connection)
        }
    }

    private func serve(_ endpoint: Endpoint, _ connection: Connection) {
        switch endpoint {
        case .immediate(let handler):
            var response: Response
            do {
                response = try handler(connection.request)
            } catch {
                response = application.response(for: error, request: connection.request)
            }
            application.finish(&response, for: connection.request)
            answer(response, on: connection)
        case .remembered(let lookUp, let handler):
            guard var response = lookUp(connection.request) else { return serve(.blocking(handler), connection) }
            application.finish(&response, for: connection.request)
            answer(response, on: connection)
        case .blocking(let handler):
            submit(connection) { request, reply in reply(Result { try handler(request) }) }
        case .deferred(let handler):
            submit(connection) { request, reply in
                do { try handler(request, reply) } catch { reply(.failure(error)) }
            }
        }
    }

    private func submit(_ connection: Connection, _ work: @escaping @Sendable (Request, Reply) -> Void) {
        let request = connection.request
        let reply = Reply(mailbox: mailbox, ticket: connection.ticket, application: application, request: request)
        connection.phase = .handling
        guard workers.submit({ work(request, reply) }) else {
            return fail(.overloaded(retryAfterSeconds: 1), on: connection)
        }
        setDeadline(of: connection, after: configuration.deadlines.handling)
    }

    /// Answers with an error that the server itself found.
    func fail(_ failure: HTTPFailure, on connection: Connection) {
        // A head that could not be read has no id yet, and its answer still needs one: the client's, if that line was
        // reached, else a made one.
        if connection.routeIndex == nil, connection.parser.isBetweenRequests, case .undecided = connection.destination {
            connection.request.identity.choose(for: connection.request.head, from: &identities)
            connection.headCompletedAt = LoopClock.nanoseconds()
        }
        var response = application.response(for: failure, request: connection.request)
        application.finish(&response, for: connection.request)
        answer(response, on: connection)
    }

    /// A deadline has passed.
    func expire(_ connection: Connection) {
        switch connection.phase {
        case .receiving where connection.unsent.isEmpty:
            connection.closesAfterAnswer = true
            fail(.requestTimeout, on: connection)
            advance(connection)
        case .handling where connection.unsent.isEmpty:
            connection.closesAfterAnswer = true
            fail(.handlingTimeout, on: connection)
            advance(connection)
        case .handshaking, .idle, .receiving, .handling, .streaming, .lingering: close(connection)
        }
    }
}
