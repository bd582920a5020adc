import Glibc
import HTTPWire

/// One thread that serves many connections: waits for events, processes each connection as far as possible, checks
/// deadlines. Its state belongs to that thread; other threads use its mailbox.
final class EventLoop {
    let mailbox: LoopMailbox
    let configuration: HTTPServerConfiguration
    let deadlines: DeadlineMilliseconds
    let application: any HTTPApplication
    /// Removed from the beginning of each path.
    let basePath: [UInt8]
    let routes: RouteTable
    let workers: WorkerPool
    let poller: Poller
    var clock = LoopClock()
    var wheel: DeadlineWheel
    var identities = IdentitySource()
    /// Indexed by descriptor.
    var connections: [Connection?] = []
    var connectionCount = 0
    var isDraining = false
    /// Buffer for received bytes, behind a connection's unconsumed input.
    let input: UnsafeMutableRawBufferPointer
    let inputBase: UnsafeMutableRawPointer
    /// Buffer for responses before they are sent, empty between two connections.
    var output = OutputBuffer()
    /// `nil` when connections are not encrypted.
    var tls: (any SecureContext)?
    let strictTransportLine: [UInt8]
    /// Steps done since the last wait for events: a step is a read or a parsed piece of input.
    var work = 0
    /// See ``shedUnfinished(for:)``; milliseconds of the loop's clock.
    var nextShedAt: Int64 = 0
    private var spareRequests: [Request] = []
    private var ready: [Connection] = []
    var nextGeneration: UInt64 = 1
    var acceptor: Acceptor?
    let gate: ConnectionGate
    let requests: RequestBudget
    let answers: AnswerBudget
    var drainDeadline: Int64 = .max

    /// Some milliseconds.
    private static let workPerRound = 8192

    /// A sufficient read. The buffer grows if a head is so large that no room for reading would be left behind it.
    private static let inputBytes = 128 * 1024

    init(
        configuration: HTTPServerConfiguration, application: any HTTPApplication, workers: WorkerPool,
        mailbox: LoopMailbox, gate: ConnectionGate, requests: RequestBudget, answers: AnswerBudget,
        acceptor: Acceptor?, tls: (any SecureContext)?
    ) throws {
        self.configuration = configuration
        deadlines = DeadlineMilliseconds(configuration.deadlines)
        self.application = application
        routes = application.routes
        basePath = Array(configuration.basePath.utf8)
        self.workers = workers
        self.mailbox = mailbox
        self.gate = gate
        self.requests = requests
        self.answers = answers
        self.acceptor = acceptor
        self.tls = tls
        strictTransportLine = Self.strictTransportLine(configuration.tls)
        poller = try Poller()
        wheel = DeadlineWheel(now: clock.now)
        let largestHeld = configuration.limits.requestLineBytes + configuration.limits.headerBytes
        let inputBytes = max(Self.inputBytes, 2 * largestHeld)
        inputBase = .allocate(byteCount: inputBytes, alignment: 16)
        input = UnsafeMutableRawBufferPointer(start: inputBase, count: inputBytes)
        poller.addLevelTriggered(mailbox.descriptor)
        if let acceptor { poller.addLevelTriggered(acceptor.listener.descriptor) }
    }

    /// Serves until it is drained and the last connection has closed. Returns `false` if connections had to be closed
    /// at the drain deadline.
    func run() -> Bool {
        var endedInTime = true
        while !(isDraining && connectionCount == 0) {
            let count = poller.wait(timeout: waitMilliseconds())
            // Before the events: the wait may have been long, and their deadlines count from now.
            clock.tick()
            work = 0
            for index in 0..<count { handle(poller.event(index)) }
            for message in mailboxHasNews ? takeMessages() : [] { handle(message) }
            resumeReady()
            for entry in wheel.advance(now: clock.now) { checkDeadline(entry) }
            if isDraining, clock.now >= drainDeadline, cutAll() { endedInTime = false }
            if let acceptor { acceptor.resumeIfDue(now: clock.now, poller: poller) }
        }
        poller.close()
        inputBase.deallocate()
        return endedInTime
    }

    private var mailboxHasNews = false

    private func takeMessages() -> [LoopMessage] {
        mailboxHasNews = false
        return mailbox.take()
    }

    private func waitMilliseconds() -> Int32 {
        if !ready.isEmpty { return 0 }
        return connectionCount > 0 || isDraining || acceptor?.isPaused == true
            ? Int32(1000 / DeadlineWheel.ticksPerSecond) : -1
    }

    private func handle(_ event: Poller.Event) {
        if event.descriptor == mailbox.descriptor {
            mailboxHasNews = true
        } else if let acceptor, event.descriptor == acceptor.listener.descriptor {
            acceptor.acceptAll(into: self)
        } else if connections.indices.contains(Int(event.descriptor)),
            let connection = connections[Int(event.descriptor)]
        {
            if event.isBroken { return close(connection) }
            if event.peerClosed { connection.peerClosed = true }
            if event.isWritable, !connection.unsent.isEmpty { sendUnsent(of: connection) }
            if event.isReadable || event.peerClosed { connection.isReadable = true }
            if case .tls(let session) = connection.transport { resumeCrossed(session, of: connection) }
            // One that already waits for its turn gets no second one.
            if !connection.waitsInReadyList { advance(connection) }
        }
    }

    private func handle(_ message: LoopMessage) {
        switch message {
        case .adopt(let descriptor, let peer, let client): adopt(descriptor, peer: peer, client: client)
        case .reply(let ticket, let response, let held):
            guard let connection = connection(for: ticket), case .handling = connection.phase else { return }
            withRequest(of: connection) { answer(response, to: $0, on: connection, held: held) }
            advance(connection)
        case .lacksMemory(let ticket, let shortage):
            guard let connection = connection(for: ticket), case .handling = connection.phase else { return }
            withRequest(of: connection) { refuseAnswer(shortage, to: $0, on: connection) }
            advance(connection)
        case .admitted(let ticket, let refusal):
            guard let connection = connection(for: ticket), case .admitting = connection.phase else { return }
            endAdmission(of: connection, refusal: refusal)
        case .sieved(let ticket, let sieve, let kept):
            guard let connection = connection(for: ticket), case .admitting = connection.phase else { return }
            endSieving(of: connection, sieve, kept)
        case .chunk(let ticket, let result):
            guard let connection = connection(for: ticket), case .streaming = connection.phase else { return }
            receiveChunk(result, on: connection)
        case .shedIdle: shedIdle()
        case .useTLS(let context): tls = context
        case .useTicketKeys(let keys): tls?.replace(keys)
        case .drain(let deadline): startDraining(within: deadline)
        }
    }

    private func connection(for ticket: ReplyTicket) -> Connection? {
        guard connections.indices.contains(Int(ticket.descriptor)),
            let connection = connections[Int(ticket.descriptor)], connection.ticket == ticket
        else { return nil }
        return connection
    }

    // MARK: Fairness, spare storage

    /// Continues with this connection after the others.
    func postpone(_ connection: Connection) {
        guard !connection.waitsInReadyList else { return }
        connection.waitsInReadyList = true
        ready.append(connection)
    }

    /// Gives waiting connections a turn, the longest waiting first. The rest wait until new events are handled, so that
    /// a request of another client does not wait for all of them.
    private func resumeReady() {
        let resumed = ready
        ready = []
        // However much the events have taken, some of them have their turn.
        work = 0
        for (index, connection) in resumed.enumerated() {
            guard work < Self.workPerRound else {
                ready.insert(contentsOf: resumed[index...], at: 0)
                return
            }
            connection.waitsInReadyList = false
            if !connection.isClosed { advance(connection) }
        }
    }

    func lendRequest(to connection: Connection) {
        if let spare = spareRequests.popLast() {
            connection.request = spare
        } else {
            connection.request.head.reserveStorage()
        }
        connection.request.peer = connection.peer
    }

    func takeBackRequest(from connection: Connection) {
        var request = Request()
        swap(&request, &connection.request)
        request.reset()
        refundRequest(of: connection)
        if spareRequests.count < 64 { spareRequests.append(request) }
    }
}
