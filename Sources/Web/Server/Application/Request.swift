import HTTPTypes
package import HTTPWire

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
