import HTTPTypes
import HTTPWire

/// Reading: from bytes to a request with a route.
extension EventLoop {
    private static let readsPerTurn = 16
    private static let shortReadBytes = 16 * 1024
    /// Of ``EventLoop/work``: bounds a turn in which a client sends many tiny pieces.
    private static let workPerTurn = 512
    /// The response to `OPTIONS *`: every method that a route can have.
    private static let allowedMethods = RequestMethod.allCases.filter { $0 != .trace }.map(\.name)
        .joined(separator: ", ")

    /// Processes a connection as far as possible without waiting, but for no longer than a turn.
    func advance(_ connection: Connection) {
        proceed(with: connection)
        settleMemory(of: connection)
    }

    private func proceed(with connection: Connection) {
        if case .handshaking = connection.phase, !shakeHands(with: connection) { return }
        flush(connection)
        var reads = 0
        let end = work + Self.workPerTurn
        while !connection.isClosed {
            if case .lingering = connection.phase { return discardInput(of: connection) }
            guard connection.acceptsInput else { break }
            guard work < end else { return postpone(connection) }
            if connection.heldIsUntried {
                connection.heldIsUntried = false
                let count = stage(connection.held)
                connection.held = []
                consume(count, on: connection, until: end)
                continue
            }
            guard connection.isReadable else { break }
            guard reads < Self.readsPerTurn else { return postpone(connection) }
            reads += 1
            receive(on: connection, until: end)
        }
        if !connection.isClosed, connection.inputEnded, connection.unsent.isEmpty { endWithoutInput(connection) }
        closeIfIdleWhileDraining(connection)
    }

    /// Copies a connection's unconsumed input to the front of the loop's input buffer.
    private func stage(_ held: [UInt8]) -> Int {
        held.withUnsafeBytes { input.copyMemory(from: $0) }
        return held.count
    }

    private func receive(on connection: Connection, until end: Int) {
        let staged = connection.held.isEmpty ? 0 : stage(connection.held)
        // Only plain bodies are worth a long read. Other pending input is further requests, which would wait in memory
        // while earlier responses are stuck, or chunks, whose number is only known when they are parsed.
        let room = input.count - staged
        let received = connection.transport.receive(
            into: inputBase + staged,
            room: connection.parser.isInPlainBody ? room : min(room, Self.shortReadBytes))
        work += 1
        switch received {
        case .bytes(let count, let isDrained):
            // The end of the input may still be unread.
            if isDrained, !connection.peerClosed { connection.isReadable = false }
            connection.held = []
            consume(staged + count, on: connection, until: end)
        case .tryAgain: break
        case .end:
            connection.isReadable = false
            connection.inputEnded = true
        case .nothingYet: connection.isReadable = false
        case .broken: close(connection)
        }
    }

    /// Parses the first `count` bytes of the input buffer, as far as this turn goes, and keeps the rest for later.
    private func consume(_ count: Int, on connection: Connection, until end: Int) {
        var offset = 0
        do throws(WireError) {
            while connection.acceptsInput, work < end {
                work += 1
                let window = UnsafeRawBufferPointer(rebasing: input[offset..<count])
                if case .idle = connection.phase {
                    guard !window.isEmpty else { break }
                    beginRequest(on: connection)
                }
                let (event, consumed) = try connection.parser.next(window, head: &connection.request.head)
                offset += consumed
                switch event {
                case .needMore:
                    connection.held = Array(input[offset..<count])
                    return waitForMore(on: connection)
                case .head:
                    if let shortage = chargeHead(of: connection) {
                        return refuse(shortage, .headsTooLarge, on: connection)
                    }
                    try headIsRead(on: connection, more: offset < count)
                case .body(let range):
                    let start = offset - consumed
                    precondition(start + range.upperBound <= count, "body beyond the input")
                    let body = UnsafeRawBufferPointer(rebasing: window[range])
                    if let shortage = receiveBody(body, on: connection) {
                        return refuse(shortage, .bodiesTooLarge, on: connection)
                    }
                    sieveIfComplete(connection)
                case .end: dispatch(connection)
                }
            }
        } catch {
            connection.closesAfterAnswer = true
            // A decision made before the body takes precedence; a body that is too large is then merely not read.
            if error == .bodyTooLarge, connection.destination.isCertain { return dispatch(connection) }
            // The limit is known as soon as the route is.
            if error == .bodyTooLarge, case .route = connection.destination {
                return fail(.bodyTooLarge(limitBytes: connection.parser.bodyLimit), on: connection)
            }
            fail(error, on: connection)
            return
        }
        // At the end of a turn, a request without a body may be complete although nothing is left to parse.
        let isPostponed = work >= end && connection.acceptsInput
        if offset < count || isPostponed, !connection.isClosed, !connection.closesAfterAnswer {
            connection.held = Array(input[offset..<count])
            connection.heldIsUntried = true
        }
        flush(connection)
    }

    private func refuse(_ shortage: MemoryShortage, _ failure: WireError, on connection: Connection) {
        application.observe(shortage)
        connection.closesAfterAnswer = true
        fail(failure, on: connection)
    }

    func beginRequest(on connection: Connection) {
        connection.phase = .receiving
        connection.requestCount += 1
        connection.destination = .undecided
        connection.bodyClient = connection.client
        connection.bodyUse = configuration.limitsBodiesOfStrangers ? .strangersBody : .body
        connection.receivingSince = clock.now
        lendRequest(to: connection)
    }

    /// A request is incomplete: its deadline starts now.
    private func waitForMore(on connection: Connection) {
        flush(connection)
        // While earlier responses are stuck, the deadline for reading them applies.
        guard !connection.isClosed, connection.unsent.isEmpty, case .receiving = connection.phase else { return }
        setReceivingDeadline(of: connection)
    }

    func setReceivingDeadline(of connection: Connection) {
        guard !connection.parser.isBetweenRequests else {
            return setDeadline(of: connection, at: connection.receivingSince + deadlines.head)
        }
        // Each stretch of a body must reach the minimum rate. Earlier bytes do not count; otherwise a client could send
        // most of a body at once and then hold it in memory for an hour by sending a byte now and then.
        let brought = Int64(connection.bodyBytesIn - connection.bodyBytesAtStretch)
        if brought * 1000 >= deadlines.bodyBytesPerSecond * deadlines.bodyIdle {
            connection.receivingSince = clock.now
            connection.bodyBytesAtStretch = connection.bodyBytesIn
        }
        setDeadline(of: connection, at: connection.receivingSince + deadlines.bodyIdle)
    }

    private func headIsRead(on connection: Connection, more: Bool) throws(WireError) {
        connection.headCompletedAt = LoopClock.nanoseconds()
        connection.receivingSince = clock.now
        connection.bodyBytesIn = 0
        connection.bodyBytesAtStretch = 0
        // Moved out of the connection temporarily: values accessed through it would be copied in every call.
        var request = Request()
        swap(&request, &connection.request)
        request.identity.choose(for: request.head, from: &identities)
        request.isBelowBasePath = request.head.dropPrefix(ofPath: basePath)
        decideDestination(of: connection, for: &request)
        swap(&request, &connection.request)
        if case .length(let length) = connection.request.head.framing, length > connection.parser.bodyLimit {
            throw .bodyTooLarge
        }
        if case .route = connection.destination, let admission = admission(for: connection.request) {
            return beginAdmission(of: connection, admission)
        }
        guard connection.request.head.expectsContinue else { return }
        if case .route = connection.destination {
            if !more { output.append("HTTP/1.1 100 Continue\r\n\r\n") }
        } else {
            // The client has not sent the body yet and can skip it: respond without reading it.
            connection.closesAfterAnswer = true
            dispatch(connection)
        }
    }

    private func decideDestination(of connection: Connection, for request: inout Request) {
        if request.head.method == .options, request.head.withPath({ $0.first == UInt8(ascii: "*") }) {
            let answer = Response(status: .noContent, fields: [.allow: Self.allowedMethods])
            connection.destination = .answer(application.intercept(request) ?? answer)
            return
        }
        switch routes.match(request.head) {
        case .route(let index, let parameters):
            request.route = index
            request.parameters = parameters
            connection.parser.bodyLimit = routes.routes[index].maximumBodyBytes
            if let answer = application.intercept(request) {
                connection.destination = .answer(answer)
            } else {
                connection.destination = .route
            }
        case .otherMethods(let allow):
            if request.head.method == .options {
                let answer = Response(status: .noContent, fields: [.allow: allow])
                connection.destination = .answer(application.intercept(request) ?? answer)
            } else {
                connection.destination = .failure(.methodNotAllowed(allow: allow))
            }
        case .none: connection.destination = .failure(.notFound)
        case .malformed:
            connection.destination = .failure(
                WireError(
                    .malformedPath, "The path holds a dot segment or is not percent-encoded UTF-8."))
        }
    }

    /// Stores a piece of the body. If that would exceed a memory limit, stores nothing and returns the limit.
    private func receiveBody(_ bytes: UnsafeRawBufferPointer, on connection: Connection) -> MemoryShortage? {
        connection.bodyBytesIn += bytes.count
        guard case .route = connection.destination else { return nil }
        if let shortage = takeForBody(bytes.count, of: connection) { return shortage }
        connection.bodyBytesCharged += bytes.count
        if connection.request.body.isEmpty, case .length(let length) = connection.request.head.framing {
            connection.request.body.reserveCapacity(
                hasSieve(connection.request) ? min(length, Self.sievedPieceBytes) : length)
        }
        connection.request.body.append(contentsOf: bytes)
        return nil
    }

    /// The peer sends no more: a request in progress cannot be completed, but a response in progress may still be read.
    private func endWithoutInput(_ connection: Connection) {
        connection.closesAfterAnswer = true
        switch connection.phase {
        case .handshaking, .idle, .receiving: close(connection)
        case .admitting, .handling, .streaming, .lingering: break
        }
    }
}
