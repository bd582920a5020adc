import Histogram

/// Runs one thread's share of the devices, each over its own connection.
final class DeviceWorker: LoadWorker {
    /// What a device does over its connection.
    private struct Line {
        /// The current request, and since when it is due.
        var request: DeviceRequest?
        var wantedAt: Int64 = 0
        var lastUsedAt: Int64 = 0
    }

    private static let chore: Int64 = 200_000_000
    /// The server may close a connection idle for this long just as a request is sent; URL loading systems then retry
    /// automatically. In nanoseconds.
    private static let staleAfter: Int64 = 5_000_000_000

    private let timing: LoadTiming
    private let dayLength: Int64
    /// The server of each device.
    private let endpoints: [Endpoint]
    private let pool: ConnectionPool
    private var devices: [SimulatedDevice]
    private var lines: [Line]
    private var agenda = DeviceAgenda()
    private var reader = CatalogueReader()
    private var tally = LoadTally()
    private var finished = 0

    init(_ plan: LoadPlan, _ endpoints: [Endpoint], timing: LoadTiming, thread: Int) throws(LoadError) {
        self.timing = timing
        dayLength = plan.dayLength.nanoseconds
        // A midnight in UTC, so that simulated days are past calendar days.
        let epoch = (timing.calendar / DeviceLife.day - Int64(plan.dayCount + 1)) * DeviceLife.day
        devices = stride(from: thread, to: plan.deviceCount, by: plan.threads).map { number in
            SimulatedDevice(seed: plan.seedNumber, number: number, days: plan.dayCount, epoch: epoch)
        }
        self.endpoints = devices.indices.map { endpoints[$0 % endpoints.count] }
        pool = try ConnectionPool(self.endpoints, timeout: plan.requestTimeout.nanoseconds)
        lines = devices.map { _ in Line() }
        pool.handle = { [unowned self] in handle($0, $1) }
        for (number, device) in devices.enumerated() { agenda.add(number, at: moment(of: device.joinsAt)) }
    }

    func run(publish: (LoadTally) -> Bool) {
        var nextChore = LoadClock.now()
        while true {
            let now = LoadClock.now()
            if now >= nextChore {
                nextChore = now + Self.chore
                pool.expire(now)
                tally[.connected] = pool.connectedCount
                if publish(tally) { break }
            }
            while let (number, dueAt) = agenda.take(at: now) { wake(number, dueAt: dueAt) }
            if finished == devices.count || now >= timing.giveUpAt { break }
            pool.wait(until: min(nextChore, agenda.next ?? nextChore))
        }
        for device in devices {
            tally[.recorded] += device.events.recorded
            tally[.waiting] += device.events.waiting.count
            tally[.suggestionsWaiting] += device.waitingSuggestions
        }
        _ = publish(tally)
    }

    /// The real time of a simulated one.
    private func moment(of simulated: Int64) -> Int64 {
        timing.start + Int64(Double(simulated) * Double(dayLength) / Double(DeviceLife.day))
    }

    // MARK: Visits

    /// Begins a visit, or continues one that paused after a failure.
    private func wake(_ number: Int, dueAt: Int64) {
        if devices[number].visit == nil { devices[number].begin(&tally) }
        proceed(number, dueAt: dueAt)
    }

    /// Sends the next request of the visit, or ends the visit.
    private func proceed(_ number: Int, dueAt: Int64) {
        lines[number].request = devices[number].step(sentAt: LoadClock.calendarMilliseconds())
        if lines[number].request == nil { return rest(number) }
        lines[number].wantedAt = dueAt
        ask(number)
    }

    private func rest(_ number: Int) {
        if let visit = devices[number].upcoming {
            agenda.add(number, at: moment(of: visit.at))
        } else if devices[number].needsFlush {
            // Spread over one more day, to avoid a burst.
            agenda.add(number, at: timing.end + Int64(Double(number) / Double(devices.count) * Double(dayLength)))
        } else {
            finished += 1
        }
    }

    // MARK: Requests

    /// Sends the device's current request, over its connection or a new one.
    private func ask(_ number: Int) {
        if pool[number].isIdle { return transmit(number) }
        guard !pool[number].isOpen else { return }
        if lines[number].lastUsedAt > 0 { tally[.reopened] += 1 }
        lines[number].lastUsedAt = LoadClock.now()
        pool.open(number)
    }

    private func transmit(_ number: Int) {
        guard let request = lines[number].request else { return }
        let made = request.made(for: endpoints[number].target)
        tally[.bytesSent] += made.bytes.count
        tally.change(request.route) { $0.requests += 1 }
        pool.send(number, made, dueAt: lines[number].wantedAt)
    }

    private func handle(_ number: Int, _ event: ConnectionPool.Event) {
        switch event {
        case .connected: transmit(number)
        case .sent:
            guard case .cut = lines[number].request?.fate else { return }
            tally[.answersCut] += 1
            pool.close(number)
            goOn(number, status: nil)
        case .answer(let answer, let pending): received(number, answer, pending)
        case .failed(let fault, let pending): failed(number, fault, pending)
        }
    }

    private func received(_ number: Int, _ answer: Answer, _ pending: LoadConnection.Pending) {
        let now = LoadClock.now()
        lines[number].lastUsedAt = now
        guard let request = lines[number].request else { return }
        tally[.bytesReceived] += answer.wireBytes
        tally.record(
            .success(answer.status), of: request.route, dueAt: pending.dueAt, sentAt: pending.sentAt, timing,
            acceptedEvents: request.route == .analytics ? EventCounts(answer.body)?.accepted ?? 0 : 0)
        var isUsable = request.route.isUsable(answer.status)
        let isThrownAway = isUsable && request.fate == .thrownAway
        if isThrownAway {
            tally[.answersThrownAway] += 1
            isUsable = devices[number].loseAnswer(answer, &tally)
        } else if isUsable {
            isUsable = devices[number].take(answer, to: request, &reader, &tally)
        }
        if !isUsable { tally.change(request.route) { $0.unusable += 1 } }
        if isThrownAway {
            goOn(number, status: nil)
        } else if isUsable {
            proceed(number, dueAt: now)
        } else {
            goOn(number, status: answer.status, retryAfter: answer.retryAfter)
        }
    }

    /// Handles a broken connection or a timeout.
    private func failed(_ number: Int, _ fault: LoadFault, _ pending: LoadConnection.Pending?) {
        // The connection was idle: the next visit reopens it.
        guard let request = lines[number].request, pending != nil || fault == .connect || fault == .tls else { return }
        if let pending, fault == .closed, pending.sentAt - lines[number].lastUsedAt > Self.staleAfter {
            devices[number].forgetAnswer()
            return ask(number)
        }
        tally.record(
            .failure(fault), of: request.route, dueAt: lines[number].wantedAt, sentAt: pending?.sentAt, timing)
        goOn(number, status: nil)
    }

    /// After a failure: repeats the request after a pause, or continues with the next part of the visit.
    private func goOn(_ number: Int, status: Int?, retryAfter: Int? = nil) {
        lines[number].request = nil
        let now = LoadClock.now()
        if let pause = devices[number].fail(status: status, retryAfter: retryAfter) {
            tally[.retries] += 1
            agenda.add(number, at: now + pause)
        } else {
            proceed(number, dueAt: now)
        }
    }
}

/// The order in which devices are due. Each device is in it at most once.
private struct DeviceAgenda {
    /// The last is due first.
    private var entries: [(at: Int64, device: Int)] = []

    var next: Int64? { entries.last?.at }

    mutating func add(_ device: Int, at moment: Int64) {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].at > moment { low = middle + 1 } else { high = middle }
        }
        entries.insert((moment, device), at: low)
    }

    /// Removes and returns the first device that is due, with its due time.
    mutating func take(at now: Int64) -> (device: Int, dueAt: Int64)? {
        guard let next, next <= now, let entry = entries.popLast() else { return nil }
        return (entry.device, entry.at)
    }
}
