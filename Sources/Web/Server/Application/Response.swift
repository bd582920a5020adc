package import HTTPTypes
import HTTPWire

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
