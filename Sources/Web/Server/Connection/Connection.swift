import HTTPWire

/// One client's connection: its parser, its unfinished request, what it has not read yet. Lives on one event loop and is
/// touched by that loop's thread only. `docs/http.md` draws its phases.
final class Connection {
    enum Phase {
        /// TLS is being agreed on; nothing has been asked yet.
        case handshaking
        /// Between requests.
        case idle
        /// A request has begun.
        case receiving
        /// A worker decides whether the request's body is wanted; nothing further is read.
        case admitting
        /// A handler has the request; nothing further is parsed.
        case handling
        /// A body is sent piece by piece; see ``Connection/source``.
        case streaming
        /// The last answer is out; what still comes is thrown away.
        case lingering
    }

    let descriptor: Int32
    let generation: UInt64
    let peer: SocketAddress
    /// Shared with the other connections of this client.
    let client: ClientAccount
    var transport: Transport
    var phase = Phase.idle
    /// Makes the pieces of a body while one is streamed.
    var source: (any ChunkSource)?
    var parser: RequestParser
    /// The request being received or handled. Its storage is lent by the loop while there is one.
    var request = Request()
    /// Where the request goes, known once its head is read.
    var destination = Destination.undecided
    /// Input that is not consumed.
    var held: [UInt8] = []
    /// `held` may hold a whole request: parse before reading more.
    var heldIsUntried = false
    /// What the kernel, or TLS before it, has taken of stuck answers so far.
    var bytesSent = 0
    /// What of that the client had acknowledged when the present stretch of writing began.
    var bytesTakenAtStretch = 0
    /// Answers that the kernel did not take, oldest first.
    var unsent = OutputQueue()
    /// The socket may have more for us (edge-triggered: we are told only once).
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
    /// When the head began, then when the present stretch of the body did, in milliseconds of the loop's clock.
    var receivingSince: Int64 = 0
    /// Body of the current request that has come, as sent.
    var bodyBytesIn = 0
    /// Of it, what had come when the present stretch began.
    var bodyBytesAtStretch = 0
    /// Part of it that is kept and counted in the ``BodyBudget``.
    var bodyBytesCharged = 0
    /// To which account it is charged.
    var bodyClient: ClientAccount
    /// The body of the request that a worker has, when it is worth counting.
    var heldBody: HeldBody?
    var lingeredBytes = 0
    var waitsInReadyList = false
    /// While the server drains: was used just before, so that a further request may be on its way.
    var mayAskOnceMore = false
    var isClosed = false
    /// There was no memory for the rest of an answer: the end of this connection must not look like an orderly one.
    var answerIsCut = false

    /// The rare answers are boxed, so that looking at the usual cases copies one word.
    enum Destination {
        case undecided
        /// See ``Request/route``.
        case route
        /// The answer is already certain; the body is read and dropped so that the connection can go on.
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

    /// Whether further input may be parsed now. Not while an answer is unsent: a client that does not read must not make
    /// us collect answers for it.
    var acceptsInput: Bool {
        guard unsent.isEmpty, !isClosed else { return false }
        switch phase {
        case .idle, .receiving: return true
        case .handshaking, .admitting, .handling, .streaming, .lingering: return false
        }
    }
}

/// Bytes on their way to a client that does not take them at once. Each segment is charged to the ``AnswerBudget`` until
/// its last byte is gone.
struct OutputQueue {
    private var segments: [HeldAnswer?] = []
    private var next = 0
    /// Bytes of the first segment that are gone.
    private var offset = 0

    var isEmpty: Bool { next == segments.count }

    mutating func append(_ segment: HeldAnswer, from start: Int = 0) {
        guard start < segment.bytes.count else { return }
        if isEmpty { offset = start } else { precondition(start == 0, "only the first segment may be begun") }
        segments.append(segment)
    }

    /// The bytes to send next. Not to be called when empty.
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
