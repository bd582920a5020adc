package import HTTPTypes
import HTTPWire

/// An answer. `Date`, `X-Request-Id`, `Content-Length`, `Transfer-Encoding` and `Connection` are the server's to write.
package struct Response: Sendable {
    package var status: HTTPResponse.Status
    package var fields = HTTPFields()
    /// Field lines rendered before, each with its CRLF, for answers that are sent again and again.
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
    /// Sent chunked, each piece asked for only when the client has taken the one before.
    case chunks(any ChunkSource)
}

/// A body that is made while it is sent. Asked on a worker, never twice at once.
package protocol ChunkSource: Sendable {
    /// The next piece, or `nil` at the end. An error cuts the connection, so that the client sees an incomplete body.
    func nextChunk() throws -> [UInt8]?
}

/// Where a handler that works on after returning leaves its answer. Call it once, from any thread; a second answer, or
/// one for a client that has gone, is dropped.
package struct Reply: Sendable {
    let mailbox: LoopMailbox
    let ticket: ReplyTicket
    let application: any HTTPApplication
    let request: Request
    let client: ClientAccount
    let answers: AnswerBudget
    /// The request's body is counted as long as a handler can read it, also when its connection has gone.
    let body: HeldBody?

    package func callAsFunction(_ result: Result<Response, any Error>) {
        var response: Response
        switch result {
        case .success(let answer): response = answer
        case .failure(let error): response = application.response(for: error, request: request)
        }
        application.finish(&response, for: request)
        guard case .bytes(let body) = response.body, body.count >= AnswerBudget.largeBytes, request.method != .head
        else { return mailbox.post(.reply(ticket, response, nil)) }
        // Counted from here on, because workers may make large answers faster than a loop sends them.
        do throws(MemoryShortage) {
            mailbox.post(.reply(ticket, response, try answers.hold(body, for: client)))
        } catch {
            mailbox.post(.lacksMemory(ticket, error))
        }
    }
}

/// Which request of which connection an answer is for. Descriptors are reused, so the generation tells an old
/// connection from a new one.
struct ReplyTicket: Sendable, Equatable {
    let descriptor: Int32
    let generation: UInt64
    let request: UInt64
}
