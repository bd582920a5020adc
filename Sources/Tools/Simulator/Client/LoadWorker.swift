import Glibc
import Histogram

/// Sends one thread's share of the requests over its own connections. Used only by its thread.
final class LoadWorker {
    /// Requests prepared in advance, so that at the due time they only need to be sent.
    private static let readyRequests = 16
    private static let chore: Int64 = 50_000_000

    /// Those of the connections, in turn.
    private let endpoints: [Endpoint]
    private let timing: LoadTiming
    private let timeout: Int64
    private let connections: [LoadConnection]
    private let servers: [Int]
    private let readiness: Readiness
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
    private var idle: [Int] = []
    private var schedule: LoadSchedule
    private var maker: RequestMaker
    /// By server; the oldest first, so that the same seed sends the same batches however fast the machine is.
    private var ready: [[MadeRequest]]
    private(set) var tally = LoadTally()

    init(_ plan: LoadPlan, _ endpoints: [Endpoint], timing: LoadTiming, thread: Int) throws(LoadError) {
        self.endpoints = endpoints
        ready = endpoints.map { _ in [] }
        self.timing = timing
        timeout = plan.timeout.nanoseconds
        readiness = try Readiness()
        let count = (plan.connections - thread + plan.threads - 1) / plan.threads
        connections = (0..<count).map { _ in LoadConnection() }
        servers = (0..<count).map { (thread + $0 * plan.threads) % endpoints.count }
        schedule = LoadSchedule(
            start: timing.start, duration: plan.warmUp + plan.duration, requestsPerSecond: plan.requestsPerSecond,
            thread: thread, of: plan.threads)
        maker = RequestMaker(plan, thread: thread, now: LoadClock.calendarMilliseconds())
    }

    deinit {
        for connection in connections { _ = connection.close(now: 0) }
        readiness.close()
        buffer.deallocate()
    }

    /// Returns when every request is answered or given up. `publish` is called several times a second; it returns
    /// whether to stop early.
    func run(publish: (LoadTally) -> Bool) {
        openAll()
        prepare()
        var nextChore = LoadClock.now()
        var stopsAt = timing.giveUpAt
        while true {
            var now = LoadClock.now()
            if now >= nextChore {
                nextChore = now + Self.chore
                doChores(now)
                if publish(tally) { stopsAt = now }
            }
            sendWhatIsDue(now)
            now = LoadClock.now()
            let isDone = schedule.isExhausted(at: now) && connections.allSatisfy { $0.pending == nil }
            if isDone || now >= stopsAt { break }
            if now + 200_000 < schedule.nextDue ?? timing.end { prepare() }
            var until = nextChore
            if !idle.isEmpty { until = min(until, schedule.nextDue ?? until) }
            readiness.wait(nanoseconds: max(0, until - LoadClock.now())) { number, isReadable, isWritable in
                if isWritable || !connections[number].isConnected { continueWriting(number) }
                if isReadable { read(number) }
            }
        }
        giveUpTheRest(LoadClock.now(), wasStopped: stopsAt < timing.giveUpAt)
        _ = publish(tally)
    }

    // MARK: Sending

    private func sendWhatIsDue(_ now: Int64) {
        // With one server, the connection that was idle for the shortest time; else the servers in turn.
        while let number = endpoints.count == 1 ? idle.last : idle.first {
            // After a stall this loop may run long; responses that arrive meanwhile are timed when they are read.
            guard let due = schedule.take(at: now) else { return }
            if endpoints.count == 1 { idle.removeLast() } else { idle.removeFirst() }
            let server = servers[number]
            let request =
                ready[server].isEmpty
                ? maker.make(now: LoadClock.calendarMilliseconds(), server: server) : ready[server].removeFirst()
            tally.change(request.route) { $0.requests += 1 }
            tally.bytesSent += request.bytes.count
            do {
                try connections[number].send(request, dueAt: due, now: LoadClock.now())
                if connections[number].wantsToWrite { listen(number) }
            } catch {
                fail(number, error)
            }
        }
        tally.largestBacklog = max(tally.largestBacklog, schedule.backlog(at: now))
    }

    /// Prepares a request for each server, or before the start all that are missing.
    private func prepare() {
        let isStarted = LoadClock.now() >= timing.start
        repeat {
            for server in ready.indices where ready[server].count < Self.readyRequests {
                ready[server].append(maker.make(now: LoadClock.calendarMilliseconds(), server: server))
            }
        } while !isStarted && ready[0].count < Self.readyRequests
    }

    private func continueWriting(_ number: Int) {
        let connection = connections[number]
        let (wasConnected, wasWriting) = (connection.isConnected, connection.wantsToWrite)
        guard connection.isOpen, !wasConnected || wasWriting else { return }
        do {
            try connection.write()
            if !wasConnected, connection.isConnected { idle.append(number) }
            if connection.wantsToWrite != wasWriting { listen(number) }
        } catch {
            fail(number, error)
        }
    }

    private func listen(_ number: Int) {
        readiness.change(connections[number].descriptor, number: number, writing: connections[number].wantsToWrite)
    }

    // MARK: Receiving

    private func read(_ number: Int) {
        let connection = connections[number]
        guard connection.isConnected else { return }
        do {
            guard let (pending, answer) = try connection.read(buffer) else { return }
            let now = LoadClock.now()
            let isTaken = tally.count(answer, to: pending, at: now, timing)
            maker.finish(pending.request, isTaken: isTaken)
            if answer.closes {
                _ = connection.close(now: now)
            } else {
                idle.append(number)
            }
        } catch {
            fail(number, error)
        }
    }

    // MARK: Connections

    private func openAll() {
        for number in connections.indices { open(number, LoadClock.now()) }
    }

    private func open(_ number: Int, _ now: Int64) {
        guard connections[number].open(endpoints[servers[number]], now: now) else {
            return fail(number, .fault(.connect))
        }
        readiness.add(connections[number].descriptor, number: number, writing: true)
    }

    private func fail(_ number: Int, _ failure: LoadConnection.Failure) {
        guard case .fault(let fault) = failure else { return }
        let now = LoadClock.now()
        idle.removeAll { $0 == number }
        if let pending = connections[number].close(now: now) {
            tally.count(fault, pending, at: now, timing)
            maker.finish(pending.request, isTaken: false)
        } else if fault == .connect || fault == .tls {
            tally.change(.unsent) { $0.faults[fault, default: 0] += 1 }
        }
        // A server may close an idle connection; it is reopened and nothing is lost.
    }

    private func doChores(_ now: Int64) {
        for (number, connection) in connections.enumerated() {
            if let pending = connection.pending, now - pending.sentAt > timeout { fail(number, .fault(.timeout)) }
            if connection.isOpen, !connection.isConnected, now - connection.openedAt > timeout {
                fail(number, .fault(.connect))
            }
            if !connection.isOpen, now >= connection.reopensAt, now < timing.end { open(number, now) }
        }
    }

    /// Counts requests that were due but never sent with their delay, unless the run was stopped.
    private func giveUpTheRest(_ now: Int64, wasStopped: Bool) {
        for (number, connection) in connections.enumerated() where connection.pending != nil {
            fail(number, .fault(.timeout))
        }
        guard !wasStopped else { return }
        while let due = schedule.take(at: now) {
            tally.countUnsent(dueAt: due, at: now, timing)
        }
    }
}
