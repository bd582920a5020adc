package import HTTPWire

/// One method of one address, and who answers it.
package struct Route: Sendable {
    package let method: RequestMethod
    package let pattern: RoutePattern
    /// Body as sent that this route takes, in bytes.
    package let maximumBodyBytes: Int
    package let endpoint: Endpoint

    package init(_ method: RequestMethod, _ pattern: String, maximumBodyBytes: Int = 65_536, _ endpoint: Endpoint) {
        self.method = method
        self.pattern = RoutePattern(pattern)
        self.maximumBodyBytes = maximumBodyBytes
        self.endpoint = endpoint
    }
}

/// Where a handler runs.
package enum Endpoint: Sendable {
    /// On the event loop. Only for answers that are in memory: whatever blocks here blocks every connection of the loop.
    case immediate(@Sendable (Request) throws -> Response)
    /// On the event loop when the first handler has the answer at hand, else on a worker.
    case remembered(@Sendable (Request) -> Response?, otherwise: @Sendable (Request) throws -> Response)
    /// On a worker.
    case blocking(@Sendable (Request) throws -> Response)
    /// On a worker, and the answer may come later and from elsewhere.
    case deferred(@Sendable (Request, Reply) throws -> Void)
}
