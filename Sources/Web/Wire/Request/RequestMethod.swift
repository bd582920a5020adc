/// The methods that this server implements. Any other gets 501, including CONNECT on purpose.
package enum RequestMethod: UInt8, Sendable, CaseIterable {
    case get, head, post, put, patch, delete, options
    /// Known, so that the response is 405 instead of 501, but not available to routes: echoing a request would reveal
    /// its credentials to the page that made a browser send it.
    case trace

    /// As on the wire: methods are case-sensitive (RFC 9110 section 9.1).
    package var name: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .trace: "TRACE"
        }
    }

    /// `nil` for a method that this server does not implement.
    init?(_ name: UnsafeRawBufferPointer) {
        switch name.count {
        case 3 where name.equals("GET"): self = .get
        case 3 where name.equals("PUT"): self = .put
        case 4 where name.equals("POST"): self = .post
        case 4 where name.equals("HEAD"): self = .head
        case 5 where name.equals("PATCH"): self = .patch
        case 5 where name.equals("TRACE"): self = .trace
        case 6 where name.equals("DELETE"): self = .delete
        case 7 where name.equals("OPTIONS"): self = .options
        default: return nil
        }
    }
}
