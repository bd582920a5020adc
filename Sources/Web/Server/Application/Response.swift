package import HTTPTypes

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
