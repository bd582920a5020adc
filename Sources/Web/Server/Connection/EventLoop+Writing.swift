import Glibc
import HTTPTypes
import HTTPWire

/// Writing: from a response to bytes in the kernel.
extension EventLoop {
    /// Bodies of at least this size are passed to the kernel without being copied behind their head.
    private static let copiedBodyBytes = 8 * 1024
    /// Bytes of responses to pipelined requests that are collected before they are sent.
    private static let collectedBytes = 32 * 1024
    private static let lingerBytes = 256 * 1024

    /// Writes the response to a connection's request, and ends the request unless its body is streamed. `held` is the
    /// body if it is already charged.
    func answer(
        _ response: Response, to request: Request, on connection: Connection, held: HeldAnswer? = nil
    ) {
        let bodyIsSent = request.head.method != .head && response.status.allowsBody
        var held = held
        if bodyIsSent, held == nil, case .bytes(let body) = response.body, body.count >= AnswerBudget.largeBytes,
            answers.mayLack(body.count, for: connection.client)
        {
            do throws(MemoryShortage) {
                held = try answers.hold(body, for: connection.client)
            } catch {
                return refuseAnswer(error, to: request, on: connection)
            }
        }
        if !request.head.keepsAlive || isDraining || connection.inputEnded
            || connection.requestCount >= configuration.maximumRequestsPerConnection
        {
            connection.closesAfterAnswer = true
        }
        switch response.body {
        case .none: writeHead(of: response, bodyBytes: 0, to: request, on: connection)
        case .bytes(let body):
            writeHead(of: response, bodyBytes: body.count, to: request, on: connection)
            guard bodyIsSent else { break }
            if body.count < Self.copiedBodyBytes {
                output.append(body)
            } else {
                send(tail: body, held: held, on: connection)
            }
        case .chunks(let source):
            // HTTP/1.0 has no chunks: closing the connection ends the body.
            if request.head.minorVersion == 0 { connection.closesAfterAnswer = true }
            writeHead(of: response, bodyBytes: nil, to: request, on: connection)
            guard bodyIsSent else { break }
            record(response, to: request, on: connection)
            connection.phase = .streaming
            connection.source = source
            flush(connection)
            return askForChunk(of: connection)
        }
        record(response, to: request, on: connection)
        if output.count > Self.collectedBytes { send(tail: [], on: connection) }
        endRequest(on: connection)
    }

    /// Responds 503 instead of a response that does not fit into memory, and closes: the client must read earlier
    /// responses first.
    func refuseAnswer(_ shortage: MemoryShortage, to request: Request, on connection: Connection) {
        application.observe(shortage)
        connection.closesAfterAnswer = true
        fail(.answersUnread, request, on: connection)
    }

    private func writeHead(
        of response: Response, bodyBytes: Int?, to request: Request, on connection: Connection
    ) {
        let minorVersion = request.head.minorVersion
        ResponseHeadWriter.appendStatusLine(response.status, to: &output)
        output.append(clock.dateLine)
        output.append("X-Request-Id: ")
        request.identity.append(to: &output, head: request.head)
        output.append("\r\n")
        if case .tls = connection.transport { output.append(strictTransportLine) }
        output.append(response.renderedFields)
        for field in response.fields { ResponseHeadWriter.appendField(field, to: &output) }
        if response.status.allowsBody {
            if let bodyBytes {
                output.append("Content-Length: ")
                output.appendDecimal(bodyBytes)
                output.append("\r\n")
            } else if minorVersion >= 1 {
                output.append("Transfer-Encoding: chunked\r\n")
            }
        }
        if connection.closesAfterAnswer {
            output.append("Connection: close\r\n")
        } else if minorVersion == 0 {
            output.append("Connection: keep-alive\r\n")
        }
        output.append("\r\n")
    }

    private func record(_ response: Response, to request: Request, on connection: Connection) {
        let headWasRead = if case .undecided = connection.destination { false } else { true }
        var bodyBytesOut = 0
        if case .bytes(let body) = response.body, request.head.method != .head, response.status.allowsBody {
            bodyBytesOut = body.count
        }
        application.observe(
            RequestRecord(
                route: request.route, headWasRead: headWasRead, status: response.status.code,
                nanoseconds: LoopClock.nanoseconds() &- connection.headCompletedAt, bodyBytesOut: bodyBytesOut),
            request: request)
    }

    /// The request's storage is returned to the loop in ``withRequest(of:_:)``.
    private func endRequest(on connection: Connection) {
        connection.destination = .undecided
        connection.phase = .idle
        connection.source = nil
        if connection.closesAfterAnswer { flush(connection) }
        // `sendUnsent` continues with stuck output.
        guard !connection.isClosed, connection.unsent.isEmpty else { return }
        if connection.closesAfterAnswer {
            startLingering(connection)
        } else {
            setDeadline(of: connection, after: deadlines.idle)
        }
    }

    // MARK: Streaming

    private func askForChunk(of connection: Connection) {
        guard !connection.isClosed, connection.unsent.isEmpty, let source = connection.source else { return }
        let ticket = connection.ticket
        let mailbox = mailbox
        setDeadline(of: connection, after: deadlines.handling)
        let taken = workers.submit { mailbox.post(.chunk(ticket, Result { try source.nextChunk() })) }
        // The head is sent, so no status can report this: truncate the body.
        if !taken { close(connection) }
    }

    func receiveChunk(_ result: Result<[UInt8]?, any Error>, on connection: Connection) {
        let chunked = connection.request.head.minorVersion >= 1
        switch result {
        case .failure: close(connection)
        case .success(let chunk?):
            if chunked { ChunkedEncoder.append(chunk, to: &output) } else { output.append(chunk) }
            flush(connection)
            askForChunk(of: connection)
        case .success(nil):
            if chunked { ChunkedEncoder.appendEnd(to: &output) }
            withRequest(of: connection) { _ in endRequest(on: connection) }
            flush(connection)
            advance(connection)
        }
    }

    // MARK: The socket

    /// Sends what has been written for this connection. Must be called before another connection's turn.
    func flush(_ connection: Connection) {
        if !output.isEmpty { send(tail: [], on: connection) }
    }

    private func send(tail: [UInt8], held: HeldAnswer? = nil, on connection: Connection) {
        defer { output.removeAll() }
        guard !connection.isClosed else { return }
        var tail = tail
        if case .tls = connection.transport, tail.count <= Self.joinedBodyBytes {
            output.append(tail)
            tail = []
        }
        var sent = 0
        let wasStuck = !connection.unsent.isEmpty
        if !wasStuck {
            sent = output.withBytes { connection.transport.send($0, tail) }
            if sent < 0 { return close(connection) }
            if sent == output.count + tail.count { return }
        }
        do throws(MemoryShortage) {
            if sent < output.count {
                connection.unsent.append(try answers.hold(output.bytes(from: sent), for: connection.client))
            }
            if !tail.isEmpty {
                let rest = if let held { held } else { try answers.hold(tail, for: connection.client) }
                connection.unsent.append(rest, from: max(0, sent - output.count))
            }
        } catch {
            // The head or an earlier response may already be sent.
            application.observe(error)
            connection.answerIsCut = true
            return close(connection)
        }
        if !wasStuck { beginWriteStretch(of: connection) }
    }

    /// The kernel can take more bytes.
    func sendUnsent(of connection: Connection) {
        while !connection.unsent.isEmpty {
            let count = connection.unsent.withFirst { connection.transport.send($0) }
            if count < 0 { return close(connection) }
            if count == 0 { return }
            connection.unsent.drop(count)
            connection.bytesSent += count
        }
        switch connection.phase {
        case .streaming: askForChunk(of: connection)
        case .idle where connection.closesAfterAnswer: startLingering(connection)
        case .idle: setDeadline(of: connection, after: deadlines.idle)
        case .receiving:
            // Nothing was received while earlier responses were stuck.
            connection.receivingSince = clock.now
            setReceivingDeadline(of: connection)
        case .admitting, .handling: setDeadline(of: connection, after: deadlines.handling)
        case .handshaking, .lingering: break
        }
    }

    // MARK: The last answer

    /// Ends our side and reads the client's last bytes, so that no reset overtakes the response.
    private func startLingering(_ connection: Connection) {
        if connection.inputEnded { return close(connection) }
        connection.transport.endOutput(connection.descriptor)
        connection.phase = .lingering
        connection.held = []
        connection.isReadable = true
        setDeadline(of: connection, after: deadlines.linger)
    }

    func discardInput(of connection: Connection) {
        while connection.isReadable {
            let count = recv(connection.descriptor, input.baseAddress, input.count, 0)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                connection.isReadable = false
                return
            }
            connection.lingeredBytes += max(count, 0)
            if count <= 0 || connection.lingeredBytes > Self.lingerBytes { return close(connection) }
        }
    }
}

extension HTTPResponse.Status {
    /// RFC 9110 section 6.4.1: these have neither content nor a length.
    var allowsBody: Bool { code >= 200 && code != 204 && code != 304 }
}
