package import HTTPWire

/// Addresses, limits and deadlines of a server. No limit can be disabled: without deadlines, one silent client could
/// block a server.
package struct HTTPServerConfiguration: Sendable {
    /// Address to bind: an IPv4 or IPv6 literal, or `unix:` and the path of a socket.
    package var host = "127.0.0.1"
    /// Access to a Unix socket.
    package var socketAccess = SocketAccess()
    /// A listening socket of the parent process, in place of host and port.
    package var inherited: InheritedSocket?
    /// 0 lets the system choose; ``HTTPServer/port`` is the chosen port.
    package var port = 8080
    /// A path such as `/subguard` that is removed from the beginning of a request's path, if it is there.
    package var basePath = ""
    /// Event loops, each with its own thread. Default: one per core.
    package var loops = 2
    /// With it, the port accepts only TLS.
    package var tls: (any SecureTransport)?
    package var limits = HTTPLimits()
    package var deadlines = ConnectionDeadlines()
    package var connections = ConnectionLimits()
    /// Memory for the bodies of all requests, in bytes; beyond it the response is 503. Large and unfinished heads count
    /// as well, and get at most half of it. One client gets a quarter of it for requests without an admission.
    package var maximumBodyMemoryBytes = 64 << 20
    /// Whether the bodies of requests without an admission count with the heads: together they get at most half of that
    /// memory, so that admitted ones always find the other half, and those that are unfinished for longest give way to
    /// further ones. Default false: where most requests need no admission, their bodies may take all of it.
    package var limitsBodiesOfStrangers = false
    /// Memory for unread responses, in bytes; beyond it a response is replaced by a 503 or its connection closed. One
    /// client gets a quarter of it.
    package var maximumAnswerMemoryBytes = 64 << 20
    /// Requests on one connection before it is closed, so that load is redistributed after a change.
    package var maximumRequestsPerConnection = 100_000
    /// Threads for handlers that may block.
    package var workers = 4
    /// Requests that may wait for a worker; beyond it the response is 503 at once.
    package var maximumWaitingRequests = 1024
    /// Maximum waiting time of the first of them; beyond it further requests get 503 at once.
    package var longestWait = Duration.seconds(1)
    /// Backlog of pending connections in the kernel.
    package var backlog: Int32 = 1024

    package init() {}
}

/// Deadlines of a connection. Each counts from the event given in its comment.
package struct ConnectionDeadlines: Sendable {
    /// From the connection to the end of the TLS handshake, absolute.
    package var handshake = Duration.seconds(10)
    /// From the last answer to the next request's first byte.
    package var idle = Duration.seconds(60)
    /// From a request's first byte to the end of its head, absolute: further bytes do not extend it.
    package var head = Duration.seconds(10)
    /// For a stretch of a body, which ends once ``bodyBytesPerSecond`` is reached over this time.
    package var bodyIdle = Duration.seconds(10)
    /// Minimum rate of a body.
    package var bodyBytesPerSecond = 500
    /// From the complete request to its response.
    package var handling = Duration.seconds(30)
    /// For a stretch of a stuck response, in which the client must read at ``readBytesPerSecond``.
    package var writeStall = Duration.seconds(30)
    /// Minimum rate at which a client must read.
    package var readBytesPerSecond = 500
    /// While the server drains: for one more request on a connection used within the last second.
    package var lastRequest = Duration.milliseconds(250)
    /// For data that a client still sends after the last response, so that no reset destroys the response.
    package var linger = Duration.seconds(1)

    package init() {}
}

/// ``ConnectionDeadlines`` in milliseconds, because they are used by every request.
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
