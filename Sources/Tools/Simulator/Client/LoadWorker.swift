import Glibc
import Histogram

/// Sends one thread's share of the requests over its own connections. Used only by its thread.
final class LoadWorker {
    /// Requests prepared in advance, so that at the due time they only need to be sent.
    private static let readyRequests = 16
    private static let chore: Int64 = 50_000_000

    private let address: NetworkAddress
    private let timing: LoadTiming
    private let timeout: Int64
    private let connections: [LoadConnection]
    private let readiness: Readiness
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
    private var idle: [Int] = []
    private var schedule: LoadSchedule
    private var maker: RequestMaker
    private var ready: [MadeRequest] = []
    private(set) var tally = LoadTally()

    init(_ plan: LoadPlan, _ address: NetworkAddress, timing: LoadTiming, thread: Int) throws(LoadError) {
        self.address = address
        self.timing = timing
        timeout = plan.timeout.nanoseconds
        readiness = try Readiness()
        let count = (plan.connections - thread + plan.threads - 1) / plan.threads
        connections = (0..<count).map { _ in LoadConnection() }
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
            if ready.count < Self.readyRequests, now + 200_000 < schedule.nextDue ?? .max { prepare() }
            var until = nextChore
            if !idle.isEmpty { until = min(until, schedule.nextDue ?? until) }
            readiness.wait(nanoseconds: max(0, until - LoadClock.now())) { number, isReadable, isWritable in
                if isWritable { continueWriting(number) }
                if isReadable { read(number) }
            }
        }
        giveUpTheRest(LoadClock.now(), wasStopped: stopsAt < timing.giveUpAt)
        _ = publish(tally)
    }

    // MARK: Sending

    private func sendWhatIsDue(_ now: Int64) {
        while let number = idle.last {
            // After a stall this loop may run long; responses that arrive meanwhile are timed when they are read.
            guard let due = schedule.take(at: now) else { return }
            idle.removeLast()
            let request = ready.popLast() ?? maker.make(now: LoadClock.calendarMilliseconds())
            tally.requests += 1
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

    /// Prepares one request, or before the start all that are missing.
    private func prepare() {
        let isStarted = LoadClock.now() >= timing.start
        repeat {
            ready.append(maker.make(now: LoadClock.calendarMilliseconds()))
        } while !isStarted && ready.count < Self.readyRequests
    }

    private func continueWriting(_ number: Int) {
        let connection = connections[number]
        guard connection.isOpen, connection.wantsToWrite else { return }
        let wasConnected = connection.isConnected
        do {
            try connection.write()
            if !wasConnected { idle.append(number) }
            if !connection.wantsToWrite { listen(number) }
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
        guard connection.isOpen else { return }
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
        guard connections[number].open(address, now: now) else { return fail(number, .fault(.connect)) }
        readiness.add(connections[number].descriptor, number: number, writing: true)
    }

    private func fail(_ number: Int, _ failure: LoadConnection.Failure) {
        guard case .fault(let fault) = failure else { return }
        let now = LoadClock.now()
        idle.removeAll { $0 == number }
        if let pending = connections[number].close(now: now) {
            tally.count(fault, pending, at: now, timing)
            maker.finish(pending.request, isTaken: false)
        } else if fault == .connect {
            tally.faults[.connect, default: 0] += 1
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
            tally.requests += 1
            tally.faults[.unsent, default: 0] += 1
            if timing.isMeasured(due) { tally.fromDue.record(LoadTally.microseconds(now - due)) }
        }
    }
}
