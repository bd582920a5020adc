import Histogram

/// Sends one thread's share of the requests over its own connections.
final class RateWorker: LoadWorker {
    /// Requests prepared in advance, so that at the due time they only need to be sent.
    private static let readyRequests = 16
    /// How long a connection rests that could not be made, so as not to flood a server that is down.
    private static let rest: Int64 = 20_000_000

    private let timing: LoadTiming
    private let targets: [LoadTarget]
    /// The number of the server of each connection.
    private let servers: [Int]
    let pool: ConnectionPool
    private var idle: [Int]
    /// Connections that could not be made, and when that was.
    private var broken: [Int] = []
    private var brokenAt: Int64 = 0
    private var schedule: LoadSchedule
    private var maker: RequestMaker
    /// By server; the oldest first, so that the same seed sends the same batches however fast the machine is.
    private var ready: [[MadeRequest]]
    var tally = LoadTally()

    init(_ plan: LoadPlan, _ endpoints: [Endpoint], timing: LoadTiming, thread: Int) throws(LoadError) {
        self.timing = timing
        targets = endpoints.map(\.target)
        servers = stride(from: thread, to: plan.connections, by: plan.threads).map { $0 % endpoints.count }
        pool = try ConnectionPool(servers.map { endpoints[$0] }, timeout: plan.requestTimeout.nanoseconds)
        idle = Array(servers.indices)
        ready = endpoints.map { _ in [] }
        schedule = LoadSchedule(
            start: timing.start, duration: plan.warmUpLength + plan.length, requestsPerSecond: plan.requestsPerSecond,
            thread: thread, of: plan.threads)
        maker = RequestMaker(plan, thread: thread)
        pool.handle = { [unowned self] in handle($0, $1) }
        for number in servers.indices { pool.open(number) }
        prepare()
    }

    func work(_ now: Int64) -> Int64? {
        if now - brokenAt > Self.rest {
            idle += broken
            broken = []
        }
        sendWhatIsDue(now)
        let now = LoadClock.now()
        if schedule.isExhausted(at: now), servers.indices.allSatisfy({ pool[$0].pending == nil }) { return nil }
        if now + 200_000 < schedule.nextDue ?? timing.end { prepare() }
        if idle.isEmpty { return .max }
        // A closed loop has no next time but its start.
        return schedule.nextDue ?? (now < timing.start ? timing.start : .max)
    }

    /// Counts requests that were due but never sent with their delay. After an interrupt, what still runs is
    /// unanswered, but not late.
    func end(wasStopped: Bool) {
        guard !wasStopped else {
            for number in servers.indices { tally[.unansweredEvents] += pool[number].pending?.request.eventCount ?? 0 }
            return
        }
        pool.giveUp()
        while let due = schedule.take(at: timing.end) {
            tally.change(.unsent) { $0.requests += 1 }
            tally.record(.failure(.unsent), of: .unsent, dueAt: due, sentAt: nil, timing)
        }
    }

    private func sendWhatIsDue(_ now: Int64) {
        // With one server, the connection that was idle for the shortest time; else the servers in turn.
        while let number = ready.count == 1 ? idle.last : idle.first {
            // After a stall this loop may run long; responses that arrive meanwhile are timed when they are read.
            guard let due = schedule.take(at: now) else { return }
            if ready.count == 1 { idle.removeLast() } else { idle.removeFirst() }
            let server = servers[number]
            let request = ready[server].isEmpty ? make(for: server) : ready[server].removeFirst()
            tally.change(request.route) { $0.requests += 1 }
            tally[.bytesSent] += request.bytes.count
            pool.send(number, request, dueAt: due)
        }
        tally[.largestBacklog] = max(tally[.largestBacklog], schedule.backlog(at: now))
    }

    /// Prepares a request for each server, or before the start all that are missing.
    private func prepare() {
        let isStarted = LoadClock.now() >= timing.start
        repeat {
            for server in ready.indices where ready[server].count < Self.readyRequests {
                ready[server].append(make(for: server))
            }
        } while !isStarted && ready[0].count < Self.readyRequests
    }

    private func make(for server: Int) -> MadeRequest {
        maker.make(now: LoadClock.calendarMilliseconds(), for: targets[server])
    }

    private func handle(_ number: Int, _ event: ConnectionPool.Event) {
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
        let (request, status) = (pending.request, try? ending.get())
        var accepted = 0
        if let batch = request.batch {
            if status == 202 {
                accepted = said?.accepted ?? 0
                compare(said ?? EventCounts(), with: batch.expected)
                maker.remember(batch)
            } else {
                tally[status == nil ? .unansweredEvents : .refusedEvents] += batch.expected.total
            }
        }
        tally.record(
            ending, of: request.route, dueAt: pending.dueAt, sentAt: pending.sentAt, timing, acceptedEvents: accepted)
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
