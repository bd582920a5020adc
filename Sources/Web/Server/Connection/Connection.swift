import HTTPWire

/// One client's connection: its parser, its unfinished request and its unread responses. It belongs to one event loop
/// and is used by that loop's thread only. `docs/architecture.md` draws its phases.
final class Connection {
    enum Phase {
        /// The TLS handshake is running; there is no request yet.
        case handshaking
        /// Between requests.
        case idle
        /// A request has begun.
        case receiving
        /// A worker decides whether to accept the request's body, or takes a piece of it; nothing further is read.
        case admitting
        /// A handler has the request; nothing further is parsed.
        case handling
        /// A body is sent piece by piece; see ``Connection/source``.
        case streaming
        /// The last response is sent; further input is discarded.
        case lingering
    }

    let descriptor: Int32
    let generation: UInt64
    let peer: SocketAddress
    /// Shared with the other connections of this client.
    let client: ClientAccount
    var transport: Transport
    var phase = Phase.idle
    /// Produces the pieces of a streamed body.
    var source: (any ChunkSource)?
    var parser: RequestParser
    /// The request being received or handled. Its storage belongs to the loop.
    var request = Request()
    /// The matched route, known once the head is read.
    var destination = Destination.undecided
    /// Unconsumed input.
    var held: [UInt8] = []
    /// `held` may contain a whole request: parse before reading more.
    var heldIsUntried = false
    /// Bytes of stuck responses that the kernel, or TLS, has taken so far.
    var bytesSent = 0
    /// The acknowledged part of them when the current stretch of writing began.
    var bytesTakenAtStretch = 0
    /// Responses that the kernel did not take, oldest first.
    var unsent = OutputQueue()
    /// The socket may have more data (edge-triggered: signalled only once).
    var isReadable = false
    /// The peer has announced the end of its side.
    var peerClosed = false
    /// The end of the peer's side has been read.
    var inputEnded = false
    var closesAfterAnswer = false
    var requestCount: UInt64 = 0
    /// Milliseconds of the loop's clock; see ``DeadlineWheel``.
    var deadline: Int64 = .max
    var scheduledTick: Int64 = .max
    /// When the head was complete, in nanoseconds.
    var headCompletedAt: UInt64 = 0
    /// When the handshake or the head began, then when the current stretch of the body began, in milliseconds of the
    /// loop's clock.
    var receivingSince: Int64 = 0
    /// Received bytes of the current request's body, as sent.
    var bodyBytesIn = 0
    /// Received bytes when the current stretch began.
    var bodyBytesAtStretch = 0
    /// The part that is stored and charged to the ``RequestBudget``.
    var bodyBytesCharged = 0
    /// The account charged for the body.
    var bodyClient: ClientAccount
    /// How the body is charged.
    var bodyUse = RequestBudget.Use.body
    /// The body of a request that a worker handles, if it is large enough to be charged.
    var heldBody: RequestCharge?
    /// The head of a complete request, if it is large enough to be charged.
    var heldHead: RequestCharge?
    /// What else is charged to the ``RequestBudget``: see ``EventLoop/settleMemory(of:)``.
    var unfinishedBytesCharged = 0
    var lingeredBytes = 0
    var waitsInReadyList = false
    /// While the server drains: recently used, so another request may be in flight.
    var mayAskOnceMore = false
    var isClosed = false
    /// A response was truncated for lack of memory, so the connection must not end like a complete one.
    var answerIsCut = false

    /// Rare cases are boxed, so that checking the common ones copies one word.
    enum Destination {
        case undecided
        /// See ``Request/route``.
        case route
        /// The response is already decided; the body is read and dropped so that the connection can continue.
        indirect case failure(WireError)
        indirect case answer(Response)

        var isCertain: Bool {
            switch self {
            case .undecided, .route: false
            case .failure, .answer: true
            }
        }
    }

    init(descriptor: Int32, generation: UInt64, peer: SocketAddress, client: ClientAccount, limits: HTTPLimits) {
        self.descriptor = descriptor
        self.generation = generation
        self.peer = peer
        self.client = client
        bodyClient = client
        transport = .plain(descriptor)
        parser = RequestParser(limits: limits)
    }

    var ticket: ReplyTicket {
        ReplyTicket(descriptor: descriptor, generation: generation, request: requestCount)
    }

    /// Whether a handshake, a request or a record has begun, and the rest of it has not arrived.
    var isUnfinished: Bool {
        switch phase {
        case .handshaking, .receiving: true
        case .idle: unfinishedBytesCharged > 0
        case .admitting, .handling, .streaming, .lingering: false
        }
    }

    /// Whether further input may be parsed now. Not while a response is unsent: a client that does not read must not
    /// make the server accumulate responses.
    var acceptsInput: Bool {
        guard unsent.isEmpty, !isClosed else { return false }
        switch phase {
        case .idle, .receiving: return true
        case .handshaking, .admitting, .handling, .streaming, .lingering: return false
        }
    }
}

/// Unsent bytes for a client that reads slowly. Each segment is charged to the ``AnswerBudget`` until its last byte is
/// sent.
struct OutputQueue {
    private var segments: [HeldAnswer?] = []
    private var next = 0
    /// Sent bytes of the first segment.
    private var offset = 0

    var isEmpty: Bool { next == segments.count }

    mutating func append(_ segment: HeldAnswer, from start: Int = 0) {
        guard start < segment.bytes.count else { return }
        if isEmpty { offset = start } else { precondition(start == 0, "only the first segment may be partly sent") }
        segments.append(segment)
    }

    /// The bytes to send next. The queue must not be empty.
    func withFirst<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        (segments[next]?.bytes ?? []).withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
    }

    mutating func drop(_ count: Int) {
        offset += count
        guard offset >= segments[next]?.bytes.count ?? 0 else { return }
        segments[next] = nil
        next += 1
        offset = 0
        if isEmpty {
            segments = []
            next = 0
        }
    }
}
