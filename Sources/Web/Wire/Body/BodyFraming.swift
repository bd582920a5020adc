/// How long a request's body is, decided from its head alone (RFC 9112 section 6).
package enum BodyFraming: Sendable, Equatable {
    case none
    /// `Content-Length`, also when it is 0.
    case length(Int)
    case chunked
}
