package import HTTPWire

/// How a server listens, and how long anything may take. No limit can be switched off: a server without deadlines is
/// held by the first client that stops talking.
package struct HTTPServerConfiguration: Sendable {
    /// Address to bind: an IPv4 or IPv6 literal.
    package var host = "127.0.0.1"
    /// 0 lets the system choose; ``HTTPServer/port`` tells which.
    package var port = 8080
    /// Event loops, each a thread of its own. Default: one per core.
    package var loops = 2
    /// With it the port speaks TLS and nothing else.
    package var tls: TLSConfiguration?
    package var limits = HTTPLimits()
    package var deadlines = ConnectionDeadlines()
    package var connections = ConnectionLimits()
    /// Memory for the bodies of all requests at once, in bytes; beyond it a request is answered 503. One client gets a
    /// quarter of it for requests without an admission.
    package var maximumBodyMemoryBytes = 64 << 20
    /// Memory for the answers that clients have not read yet, in bytes; beyond it an answer is replaced by a 503, or its
    /// connection closed. One client gets a quarter of it.
    package var maximumAnswerMemoryBytes = 64 << 20
    /// Requests on one connection before it is closed, so that load spreads again after a change.
    package var maximumRequestsPerConnection = 100_000
    /// Threads for handlers that may block.
    package var workers = 4
    /// Requests that may wait for a worker; beyond them the answer is 503 at once.
    package var maximumWaitingRequests = 1024
    /// How long the first of them may have waited when another comes; beyond it the answer is 503 at once.
    package var longestWait = Duration.seconds(1)
    /// Pending connections that the kernel holds for us.
    package var backlog: Int32 = 1024

    package init() {}
}

/// Deadlines of a connection, each measured from the moment that its name says.
package struct ConnectionDeadlines: Sendable {
    /// From the connection to the end of the TLS handshake, absolute.
    package var handshake = Duration.seconds(10)
    /// From the last answer to the next request's first byte.
    package var idle = Duration.seconds(60)
    /// From a request's first byte to the end of its head, absolute: a byte now and then does not prolong it.
    package var head = Duration.seconds(10)
    /// For a stretch of a body, which ends when it has brought ``bodyBytesPerSecond`` over this time.
    package var bodyIdle = Duration.seconds(10)
    /// Slowest body that is waited for.
    package var bodyBytesPerSecond = 500
    /// From the whole request to its answer.
    package var handling = Duration.seconds(30)
    /// For a stretch of an answer that is stuck, in which the client must take ``readBytesPerSecond`` over this time.
    package var writeStall = Duration.seconds(30)
    /// Slowest reading that is waited for.
    package var readBytesPerSecond = 500
    /// While the server drains, for one more request on a connection that was used within the last second.
    package var lastRequest = Duration.milliseconds(250)
    /// For what a client still sends after the last answer, so that the answer is not lost to a reset.
    package var linger = Duration.seconds(1)

    package init() {}
}

/// ``ConnectionDeadlines`` in the unit of a loop's clock: they are looked at with every request.
struct DeadlineMilliseconds {
    let handshake, idle, head, bodyIdle, handling, writeStall, lastRequest, linger: Int64
    let bodyBytesPerSecond, readBytesPerSecond: Int64

    init(_ deadlines: ConnectionDeadlines) {
        handshake = deadlines.handshake.milliseconds
        idle = deadlines.idle.milliseconds
        head = deadlines.head.milliseconds
        bodyIdle = deadlines.bodyIdle.milliseconds
        handling = deadlines.handling.milliseconds
        writeStall = deadlines.writeStall.milliseconds
        lastRequest = deadlines.lastRequest.milliseconds
        linger = deadlines.linger.milliseconds
        bodyBytesPerSecond = Int64(max(1, deadlines.bodyBytesPerSecond))
        readBytesPerSecond = Int64(max(1, deadlines.readBytesPerSecond))
    }
}
