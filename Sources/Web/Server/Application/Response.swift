package import HTTPTypes
package import HTTPWire

/// A response. The server writes `Date`, `X-Request-Id`, `Content-Length`, `Transfer-Encoding` and `Connection`.
package struct Response: Sendable {
    package var status: HTTPResponse.Status
    package var fields = HTTPFields()
    /// Pre-rendered field lines, each with its CRLF, for frequent responses.
    package var renderedFields: [UInt8] = []
    package var body = ResponseBody.none

    package init(status: HTTPResponse.Status, fields: HTTPFields = HTTPFields(), body: ResponseBody = .none) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

package enum ResponseBody: Sendable {
    case none
    /// Sent with `Content-Length`.
    case bytes([UInt8])
    /// Sent chunked; each piece is produced after the client has taken the previous one.
    case chunks(any ChunkSource)
}

/// A body produced while it is sent. Called on a worker, never concurrently.
package protocol ChunkSource: Sendable {
    /// The next piece, or `nil` at the end. An error closes the connection, so that the client sees an incomplete body.
    func nextChunk() throws -> [UInt8]?
}

/// Sends the response of a handler that continues after it returned. Call it once, from any thread; a second response,
/// or one for a closed connection, is dropped.
package struct Reply: Sendable {
    let mailbox: LoopMailbox
    let ticket: ReplyTicket
    let application: any HTTPApplication
    let request: Request
    let client: ClientAccount
    let answers: AnswerBudget
    /// The request stays charged as long as a handler can read it, even after its connection has closed.
    let head: RequestCharge?
    let body: RequestCharge?

    package func callAsFunction(_ result: Result<Response, any Error>) {
        var response: Response
        switch result {
        case .success(let answer): response = answer
        case .failure(let error): response = application.response(for: error, request: request)
        }
        application.finish(&response, for: request)
        guard case .bytes(let body) = response.body, body.count >= AnswerBudget.largeBytes, request.method != .head
        else { return mailbox.post(.reply(ticket, response, nil)) }
        // Charged now, because workers may produce large responses faster than a loop sends them.
        do throws(MemoryShortage) {
            mailbox.post(.reply(ticket, response, try answers.hold(body, for: client)))
        } catch {
            mailbox.post(.lacksMemory(ticket, error))
        }
    }
}

/// The request and connection that a response belongs to. Descriptors are reused; the generation distinguishes an old
/// connection from a new one.
struct ReplyTicket: Sendable, Equatable {
    let descriptor: Int32
    let generation: UInt64
    let request: UInt64
}

/// A complete request.
package struct Request: Sendable {
    package internal(set) var head = RequestHead()
    /// The body as sent, still with its content coding.
    package internal(set) var body: [UInt8] = []
    /// What the route's sieve has kept of the body before ``body``; `nil` unless the body is large and has one.
    package internal(set) var sieved: SievedBody?
    /// Values of the route's path parameters.
    package internal(set) var parameters = PathParameters()
    package internal(set) var peer = SocketAddress.unknown
    /// Whether its path began with ``HTTPServerConfiguration/basePath``, which is removed.
    package internal(set) var isBelowBasePath = false
    /// The route's index in ``RouteTable/routes``, `nil` when none matched.
    package internal(set) var route: Int?
    var identity = RequestIdentity()

    package init() {}

    package var method: RequestMethod { head.method }
    package var path: String { head.path }

    /// The client's `X-Request-Id` if it is 1 to 128 visible ASCII characters, else a generated one.
    package var id: String { identity.text(in: head) }

    /// Whether ``id`` is from the client's head.
    package var hasGivenID: Bool { identity.given }

    /// Writes ``id`` without creating a string.
    package func appendID(to output: inout OutputBuffer) { identity.append(to: &output, head: head) }

    /// The items of the query. Throws 400 if they cannot be decoded.
    package func queryItems() throws(WireError) -> QueryItems {
        guard let items = head.withQuery({ QueryItems($0) }) else {
            throw WireError(.malformedQuery, "The query is not percent-encoded UTF-8, or has %00.")
        }
        return items
    }

    mutating func reset() {
        head.reset()
        body.removeAll(keepingCapacity: body.count <= 65_536)
        if sieved != nil { sieved = nil }
        if !parameters.values.isEmpty { parameters = PathParameters() }
        route = nil
        isBelowBasePath = false
    }
}
