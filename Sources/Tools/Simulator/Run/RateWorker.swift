/// Sends one thread's share of the requests over its own connections.
final class RateWorker: LoadWorker {
    /// Requests prepared in advance, so that at the due time they only need to be sent.
    private static let readyRequests = 16
    /// How long a connection rests that could not be made, so as not to flood a server that is down.
    private static let rest: Int64 = 20_000_000

    private let connections: Range<Int>
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
    private var ready: [LoadRequest] = []

    init(_ plan: LoadPlan, _ endpoints: [Endpoint], timing: LoadTiming, thread: Int) throws(LoadError) {
        let servers = stride(from: thread, to: plan.connections, by: plan.threads).map { $0 % endpoints.count }
        connections = servers.indices
        takesTurns = endpoints.count > 1
        idle = Array(servers.indices)
        schedule = LoadSchedule(
            start: timing.start, duration: plan.warmUpLength + plan.length, requestsPerSecond: plan.requestsPerSecond,
            thread: thread, of: plan.threads)
        maker = RequestMaker(plan, thread: thread)
        try super.init(plan, servers.map { endpoints[$0] }, timing: timing)
        for number in connections { pool.open(number) }
        prepare()
    }

    override func work(_ now: Int64) -> Int64? {
        if now - brokenAt > Self.rest {
            idle += broken
            broken = []
        }
        sendWhatIsDue(now)
        let now = LoadClock.now()
        if schedule.isExhausted(at: now), connections.allSatisfy({ pool[$0].pending == nil }) { return nil }
        if now + 200_000 < schedule.nextDue ?? timing.end { prepare() }
        if idle.isEmpty { return .max }
        // A closed loop has no next time but its start.
        return schedule.nextDue ?? (now < timing.start ? timing.start : .max)
    }

    /// Counts requests that were due but never sent with their delay. After an interrupt, what still runs is
    /// unanswered, but not late.
    override func end(wasStopped: Bool) {
        guard !wasStopped else {
            let running = connections.compactMap { pool[$0].pending?.request.batch }
            return tally[.unansweredEvents] += running.reduce(0) { $0 + $1.expected.total }
        }
        pool.giveUp()
        while let due = schedule.take(at: timing.end) {
            tally.change(.unsent) { $0.requests += 1 }
            tally.record(.failure(.unsent), of: .unsent, dueAt: due, sentAt: nil, timing)
        }
    }

    private func sendWhatIsDue(_ now: Int64) {
        // After a stall this loop may run long; responses that arrive meanwhile are timed when they are read.
        while !idle.isEmpty, let due = schedule.take(at: now) {
            let number = takesTurns ? idle.removeFirst() : idle.removeLast()
            send(number, ready.isEmpty ? make() : ready.removeFirst(), dueAt: due)
        }
        tally[.largestBacklog] = max(tally[.largestBacklog], schedule.backlog(at: now))
    }

    /// Prepares a request, or before the start all that are missing.
    private func prepare() {
        repeat {
            guard ready.count < Self.readyRequests else { return }
            ready.append(make())
        } while LoadClock.now() < timing.start
    }

    private func make() -> LoadRequest { maker.make(now: LoadClock.calendarMilliseconds()) }

    override func handle(_ number: Int, _ event: ConnectionPool.Event) {
        switch event {
        // A server may close an idle connection; the next request opens it again.
        case .sent, .failed(_, nil): break
        case .answer(let answer, let pending):
            finish(pending, .success(answer.status), said: answer.status == 202 ? EventCounts(answer.body) : nil)
            idle.append(number)
        case .failed(let fault, let pending?):
            finish(pending, .failure(fault), said: nil)
            guard fault == .connect || fault == .tls else { return idle.append(number) }
            broken.append(number)
            brokenAt = LoadClock.now()
        }
    }

    /// Counts how a request ended.
    private func finish(_ pending: LoadConnection.Pending, _ ending: Result<Int, LoadFault>, said: EventCounts?) {
        var accepted = 0
        if let batch = pending.request.batch {
            switch ending {
            case .success(202):
                accepted = said?.accepted ?? 0
                compare(said ?? EventCounts(), with: batch.expected)
                maker.remember(batch)
            case .success: tally[.refusedEvents] += batch.expected.total
            case .failure: tally[.unansweredEvents] += batch.expected.total
            }
        }
        tally.record(
            ending, of: pending.request.route, dueAt: pending.dueAt, sentAt: pending.sentAt, timing,
            acceptedEvents: accepted)
    }

    private func compare(_ said: EventCounts, with batch: EventCounts) {
        tally.expected += batch
        tally.reported += said
        guard said != batch else { return }
        tally.note(
            "a batch of \(batch.accepted) new, \(batch.duplicates) known and \(batch.rejected) bad events was answered "
                + "\(said)")
    }
}
