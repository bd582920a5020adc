/// What a server serves. Called from event loops and workers at once, so implementations keep no unguarded state.
package protocol HTTPApplication: Sendable {
    var routes: RouteTable { get }

    /// Answers instead of the route that the request has found, e.g. when a client asks too often. On the event loop: it
    /// must not block.
    func intercept(_ request: Request) -> Response?

    /// The answer that stands for an error, thrown by a handler or found by the server.
    func response(for error: any Error, request: Request) -> Response

    /// Last changes to an answer: content coding, validators. On the thread of the handler.
    func finish(_ response: inout Response, for request: Request)

    /// A request was answered. On the event loop: it must not block and cannot fail.
    func observe(_ record: RequestRecord, request: Request)

    /// A connection came (+1) or went (-1). On the event loop.
    func observe(connections change: Int)

    /// Somebody was turned away, or waits to be accepted. On the event loop.
    func observe(_ shortage: ConnectionShortage)

    /// A request or an answer was refused because it would take too much memory. On the event loop.
    func observe(_ shortage: MemoryShortage)
}

/// Why a connection is not served.
package enum ConnectionShortage: String, Sendable, CaseIterable {
    /// Its client has as many as one may have; it was closed.
    case client
    /// There are as many as there may be in all; it waits. Counted each time that somebody is found waiting.
    case connections
    /// The system gives out no more descriptors or memory; it waits. Counted like ``connections``.
    case descriptors
}

/// What is known of a request once its answer is on its way.
package struct RequestRecord: Sendable {
    /// The route's place in ``RouteTable/routes``, `nil` when none matched.
    package let route: Int?
    /// `false` when the head could not be read, so that the request's method and path mean nothing.
    package let headWasRead: Bool
    package let status: Int
    /// From the end of the head to the answer.
    package let nanoseconds: UInt64
    /// Body as sent, without its head.
    package let bodyBytesOut: Int
}
