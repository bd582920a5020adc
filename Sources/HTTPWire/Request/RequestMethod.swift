package import HTTPTypes

/// The methods that this server implements. Any other is answered 501, CONNECT with intent.
package enum RequestMethod: UInt8, Sendable, CaseIterable {
    case get, head, post, put, patch, delete, options
    /// Known, so that it is answered 405 and not 501, but no route can have it: echoing a request back would hand
    /// credentials to whoever made the browser send it.
    case trace

    /// As it stands on the wire: methods are case-sensitive (RFC 9110 section 9.1).
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

    package var httpMethod: HTTPRequest.Method {
        switch self {
        case .get: .get
        case .head: .head
        case .post: .post
        case .put: .put
        case .patch: .patch
        case .delete: .delete
        case .options: .options
        case .trace: .trace
        }
    }

    init?(_ octets: UnsafeRawBufferPointer) {
        guard let method = Self.allCases.first(where: { octets.elementsEqual($0.spelling) }) else { return nil }
        self = method
    }

    private var spelling: StaticOctets {
        switch self {
        case .get: StaticOctets("GET")
        case .head: StaticOctets("HEAD")
        case .post: StaticOctets("POST")
        case .put: StaticOctets("PUT")
        case .patch: StaticOctets("PATCH")
        case .delete: StaticOctets("DELETE")
        case .options: StaticOctets("OPTIONS")
        case .trace: StaticOctets("TRACE")
        }
    }
}

/// The octets of a literal as a sequence without allocation.
struct StaticOctets: Sequence {
    let octets: UnsafeBufferPointer<UInt8>

    init(_ literal: StaticString) {
        octets = UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
    }

    func makeIterator() -> UnsafeBufferPointer<UInt8>.Iterator { octets.makeIterator() }
}
