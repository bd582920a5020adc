/// The application behind a server. Called concurrently from event loops and workers, so its state must be thread-safe.
package protocol HTTPApplication: Sendable {
    var routes: RouteTable { get }

    /// Responds instead of the matched route, for example when a client sends too many requests. Runs on the event
    /// loop: it must not block. Also asked, without a route, before a path or the server tells its methods (`OPTIONS`).
    func intercept(_ request: Request) -> Response?

    /// The response for an error thrown by a handler or found by the server.
    func response(for error: any Error, request: Request) -> Response

    /// Final changes to a response: content coding, validators. Runs on the handler's thread.
    func finish(_ response: inout Response, for request: Request)

    /// Called after a request was answered. Runs on the event loop: it must not block and cannot fail.
    func observe(_ record: RequestRecord, request: Request)

    /// Called when a connection opens (+1) or closes (-1). Runs on the event loop.
    func observe(connections change: Int)

    /// Called when a connection is rejected or has to wait. Runs on the event loop.
    func observe(_ shortage: ConnectionShortage)

    /// Called when a request or response was rejected for lack of memory. Runs on the event loop.
    func observe(_ shortage: MemoryShortage)
}

/// Why a connection is not accepted.
package enum ConnectionShortage: String, Sendable, CaseIterable {
    /// The client has reached its limit; the connection was closed.
    case client
    /// The total limit is reached; the connection waits. Counted at each check that finds one waiting.
    case connections
    /// The system is out of descriptors or memory; the connection waits. Counted like ``connections``.
    case descriptors
}

/// The record of an answered request.
package struct RequestRecord: Sendable {
    /// The route's index in ``RouteTable/routes``, `nil` when none matched.
    package let route: Int?
    /// `false` if the head could not be read, so that the request's method and path are undefined.
    package let headWasRead: Bool
    package let status: Int
    /// Time from the end of the head to the response.
    package let nanoseconds: UInt64
    /// Size of the body as sent.
    package let bodyBytesOut: Int
}
