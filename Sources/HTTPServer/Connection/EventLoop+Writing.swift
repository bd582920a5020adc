import Glibc
import HTTPTypes
import HTTPWire

/// From an answer to bytes in the kernel.
extension EventLoop {
    /// Bodies from this size on are handed to the kernel where they lie instead of being copied behind their head.
    private static let copiedBodyBytes = 8 * 1024
    /// Answers collected for a pipelining client before they are sent.
    private static let collectedBytes = 256 * 1024
    private static let lingerBytes = 256 * 1024

    /// Writes the answer of the current request, and ends the request unless its body is still to be made.
    func answer(_ response: Response, on connection: Connection) {
        let bodyIsSent = connection.request.head.method != .head && response.status.allowsBody
        if !connection.request.head.keepsAlive || isDraining || connection.inputEnded
            || connection.requestCount >= configuration.maximumRequestsPerConnection
        {
            connection.closesAfterAnswer = true
        }
        var stream: (any ChunkSource)?
        var body: [UInt8] = []
        switch response.body {
        case .none: break
        case .bytes(let bytes): body = bytes
        case .chunks(let source): stream = source
        }
        // HTTP/1.0 knows no chunks: there the end of the connection is the end of the body.
        if stream != nil, connection.request.head.minorVersion == 0 { connection.closesAfterAnswer = true }
        writeHead(of: response, bodyBytes: stream == nil ? body.count : nil, on: connection)
        record(response, bodyBytesOut: bodyIsSent ? body.count : 0, on: connection)
        if let stream, bodyIsSent {
            connection.phase = .streaming(stream)
            flush(connection)
            askForChunk(of: connection)
            return
        }
        if bodyIsSent {
            if body.count < Self.copiedBodyBytes {
                output.append(contentsOf: body)
            } else {
                send(tail: body, on: connection)
            }
        }
        if output.count > Self.collectedBytes { send(tail: [], on: connection) }
        endRequest(on: connection)
    }

    private func writeHead(of response: Response, bodyBytes: Int?, on connection: Connection) {
        let minorVersion = connection.request.head.minorVersion
        ResponseHeadWriter.appendStatusLine(response.status, to: &output)
        output.append(contentsOf: clock.dateLine)
        ResponseHeadWriter.append("X-Request-Id: ", to: &output)
        connection.request.identity.append(to: &output, head: connection.request.head)
        ResponseHeadWriter.append("\r\n", to: &output)
        if case .tls = connection.transport { output.append(contentsOf: strictTransportLine) }
        output.append(contentsOf: response.renderedFields)
        for field in response.fields { ResponseHeadWriter.appendField(field, to: &output) }
        if response.status.allowsBody {
            if let bodyBytes {
                ResponseHeadWriter.append("Content-Length: ", to: &output)
                ResponseHeadWriter.appendDecimal(bodyBytes, to: &output)
                ResponseHeadWriter.append("\r\n", to: &output)
            } else if minorVersion >= 1 {
                ResponseHeadWriter.append("Transfer-Encoding: chunked\r\n", to: &output)
            }
        }
        if connection.closesAfterAnswer {
            ResponseHeadWriter.append("Connection: close\r\n", to: &output)
        } else if minorVersion == 0 {
            ResponseHeadWriter.append("Connection: keep-alive\r\n", to: &output)
        }
        ResponseHeadWriter.append("\r\n", to: &output)
    }

    private func record(_ response: Response, bodyBytesOut: Int, on connection: Connection) {
        let headWasRead = if case .undecided = connection.destination { false } else { true }
        application.observe(
            RequestRecord(
                route: connection.routeIndex, headWasRead: headWasRead, status: response.status.code,
                nanoseconds: LoopClock.nanoseconds() &- connection.headCompletedAt, bodyBytesOut: bodyBytesOut),
            request: connection.request)
    }

    private func endRequest(on connection: Connection) {
        takeBackRequest(from: connection)
        connection.destination = .undecided
        connection.phase = .idle
        if connection.closesAfterAnswer { flush(connection) }
        // What is stuck goes on in `sendUnsent`.
        guard !connection.isClosed, connection.unsent.isEmpty else { return }
        if connection.closesAfterAnswer {
            startLingering(connection)
        } else {
            setDeadline(of: connection, after: configuration.deadlines.idle)
        }
    }

    // MARK: Streaming

    private func askForChunk(of connection: Connection) {
        guard !connection.isClosed, connection.unsent.isEmpty, case .streaming(let source) = connection.phase else {
            return
        }
        let ticket = connection.ticket
        let mailbox = mailbox
        setDeadline(of: connection, after: configuration.deadlines.handling)
        let taken = workers.submit { mailbox.post(.chunk(ticket, Result { try source.nextChunk() })) }
        // The head is out, so there is no status left to say this with: cut the body short.
        if !taken { close(connection) }
    }

    func receiveChunk(_ result: Result<[UInt8]?, any Error>, on connection: Connection) {
        let chunked = connection.request.head.minorVersion >= 1
        switch result {
        case .failure: close(connection)
        case .success(let chunk?):
            if chunked { ChunkedEncoder.append(chunk, to: &output) } else { output.append(contentsOf: chunk) }
            flush(connection)
            askForChunk(of: connection)
        case .success(nil):
            if chunked { ChunkedEncoder.appendEnd(to: &output) }
            endRequest(on: connection)
            flush(connection)
            advance(connection)
        }
    }

    // MARK: The socket

    /// Sends what has been written for this connection. Must be called before another connection's turn.
    func flush(_ connection: Connection) {
        if !output.isEmpty { send(tail: [], on: connection) }
    }

    private func send(tail: [UInt8], on connection: Connection) {
        defer { output.removeAll(keepingCapacity: true) }
        guard !connection.isClosed else { return }
        var tail = tail
        if case .tls = connection.transport, tail.count <= Self.joinedBodyBytes {
            output.append(contentsOf: tail)
            tail = []
        }
        var sent = 0
        if connection.unsent.isEmpty {
            sent = connection.transport.send(output, tail)
            if sent < 0 { return close(connection) }
            if sent == output.count + tail.count { return }
        }
        if sent < output.count {
            connection.unsent.append(Array(output[sent...]))
            connection.unsent.append(tail)
        } else {
            connection.unsent.append(tail, from: sent - output.count)
        }
        setDeadline(of: connection, after: configuration.deadlines.writeStall)
    }

    /// The kernel has room again.
    func sendUnsent(of connection: Connection) {
        while !connection.unsent.isEmpty {
            let count = connection.unsent.withFirst { connection.transport.send($0) }
            if count < 0 { return close(connection) }
            if count == 0 { return }
            connection.unsent.drop(count)
            setDeadline(of: connection, after: configuration.deadlines.writeStall)
        }
        switch connection.phase {
        case .streaming: askForChunk(of: connection)
        case .idle where connection.closesAfterAnswer: startLingering(connection)
        case .idle: setDeadline(of: connection, after: configuration.deadlines.idle)
        case .receiving:
            // While the answers before it were stuck, nothing more of it was read.
            connection.receivingSince = clock.now
            setReceivingDeadline(of: connection)
        case .handling: setDeadline(of: connection, after: configuration.deadlines.handling)
        case .handshaking, .lingering: break
        }
    }

    // MARK: The last answer

    /// Says goodbye: our side ends, and the client's last bytes are read so that no reset overtakes the answer.
    private func startLingering(_ connection: Connection) {
        if connection.inputEnded { return close(connection) }
        connection.transport.endOutput(connection.descriptor)
        connection.phase = .lingering
        connection.held = []
        connection.isReadable = true
        setDeadline(of: connection, after: configuration.deadlines.linger)
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
    /// RFC 9110 section 6.4.1: these never have content, nor a length of one.
    var allowsBody: Bool { code >= 200 && code != 204 && code != 304 }
}
