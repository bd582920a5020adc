import DeviceSimulation

/// Sends one thread's share of the requests over its own connections.
final class RateWorker: LoadWorker {
    /// Requests prepared in advance, so that at the due time they only need to be sent.
    private static let readyRequests = 16
    /// How long a connection rests that could not be made, so as not to flood a server that is down.
    private static let rest: Int64 = 20_000_000

    /// Whether the next request goes to the connection that was idle for the longest time, so that several servers take
    /// turns; with one server, to the one that was idle for the shortest.
    private let takesTurns: Bool
    private var idle: [Int]
    /// Connections that could not be made, and when that was.
    private var broken: [Int] = []
    private var brokenAt: Int64 = 0
    private var schedule: LoadSchedule
    private var maker: RequestMaker
    /// The oldest first, so that the same seed sends the same batches however fast the machine is.
    private var ready: [(request: ClientRequest, batch: MadeBatch?)] = []
    /// The batch of the running request of each connection.
    private var batches: [MadeBatch?]

    init(_ plan: LoadPlan, _ endpoints: [Endpoint], timing: LoadTiming, thread: Int) throws(RunError) {
        let servers = stride(from: thread, to: plan.connections, by: plan.threads).map { $0 % endpoints.count }
        takesTurns = endpoints.count > 1
        idle = Array(servers.indices)
        batches = Array(repeating: nil, count: servers.count)
        schedule = LoadSchedule(
            start: timing.start, duration: plan.warmUpLength + plan.length, requestsPerSecond: plan.requestsPerSecond,
            thread: thread, of: plan.threads)
        maker = RequestMaker(plan, thread: thread)
        try super.init(plan, servers.map { endpoints[$0] }, timing: timing)
        for number in servers.indices { pool.open(number) }
        prepare()
    }

    override func work(_ now: Int64) -> Int64? {
        if now - brokenAt > Self.rest {
            idle += broken
            broken = []
        }
        // After a stall this loop may run long; responses that arrive meanwhile are timed when they are read.
        while !idle.isEmpty, let due = schedule.take(at: now) {
            let number = takesTurns ? idle.removeFirst() : idle.removeLast()
            if ready.isEmpty { ready.append(maker.make(now: LoadClock.calendarMilliseconds())) }
            let (request, batch) = ready.removeFirst()
            batches[number] = batch
            send(number, request, dueAt: due)
        }
        tally[.largestBacklog] = max(tally[.largestBacklog], schedule.backlog(at: now))
        let now = LoadClock.now()
        if schedule.isExhausted(at: now), batches.indices.allSatisfy({ pool[$0].pending == nil }) { return nil }
        if now + 200_000 < schedule.nextDue ?? timing.end { prepare() }
        if idle.isEmpty { return .max }
        // A closed loop has no next time but its start.
        return schedule.nextDue ?? (now < timing.start ? timing.start : .max)
    }

    /// Counts requests that were due but never sent with their delay. After an interrupt, what still runs is
    /// unanswered, but not late.
    override func end(wasStopped: Bool) {
        guard !wasStopped else {
            let running = batches.indices.compactMap { pool[$0].pending == nil ? nil : batches[$0] }
            return tally[.unansweredEvents] += running.reduce(0) { $0 + $1.expected.total }
        }
        pool.giveUp()
        while let due = schedule.take(at: timing.end) {
            tally.change(nil) { $0.requests += 1 }
            tally.record(.failure(.unsent), of: nil, dueAt: due, timing)
        }
    }

    /// Prepares a request, or before the start all that are missing.
    private func prepare() {
        repeat {
            guard ready.count < Self.readyRequests else { return }
            ready.append(maker.make(now: LoadClock.calendarMilliseconds()))
        } while LoadClock.now() < timing.start
    }

    override func handle(_ number: Int, _ event: ConnectionPool.Event) {
        switch event {
        // A server may close an idle connection; the next request opens it again.
        case .sent, .failed(_, nil): break
        case .answer(let answer, let pending):
            let said = answer.status == 202 ? EventCounts(answer.body) : nil
            finish(number, pending, .success(answer.status), said: said ?? EventCounts())
            idle.append(number)
        case .failed(let fault, let pending?):
            finish(number, pending, .failure(fault))
            guard fault == .connect || fault == .tls else { return idle.append(number) }
            broken.append(number)
            brokenAt = LoadClock.now()
        }
    }

    /// Counts how a request ended, and compares what the server `said` about a batch with what was sent.
    private func finish(
        _ number: Int, _ pending: LoadConnection.Pending, _ ending: Result<Int, LoadFault>,
        said: EventCounts = EventCounts()
    ) {
        let batch = batches[number]
        tally.record(
            ending, of: pending, dueAt: pending.dueAt, timing, acceptedEvents: batch == nil ? 0 : said.accepted)
        guard let batch else { return }
        let expected = batch.expected
        switch ending {
        case .success(202):
            maker.batches.remember(batch)
            tally.expected += expected
            tally.client.reported += said
            guard said != expected else { return }
            tally.client.note(
                "a batch of \(expected.accepted) new, \(expected.duplicates) known and \(expected.rejected) bad events "
                    + "was answered \(said)")
        case .success: tally[.refusedEvents] += expected.total
        case .failure: tally[.unansweredEvents] += expected.total
        }
    }
}
