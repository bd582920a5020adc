import Histogram

/// Runs one thread's share of the devices, each over its own connection.
final class DeviceWorker: LoadWorker {
    /// The server may close a connection idle for this long just as a request is sent; URL loading systems then retry
    /// automatically. In nanoseconds.
    private static let staleAfter: Int64 = 5_000_000_000

    private let timing: LoadTiming
    private let dayLength: Int64
    /// The server of each device.
    private let endpoints: [Endpoint]
    let pool: ConnectionPool
    private var devices: [SimulatedDevice]
    private var agenda = DeviceAgenda()
    private var reader = CatalogueReader()
    var tally = LoadTally()
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
        pool.handle = { [unowned self] in handle($0, $1) }
        for (number, device) in devices.enumerated() { agenda.add(number, at: moment(of: device.joinsAt)) }
    }

    func work(_ now: Int64) -> Int64? {
        while let (number, dueAt) = agenda.take(at: now) { wake(number, dueAt: dueAt) }
        return finished == devices.count ? nil : agenda.next ?? .max
    }

    func end(wasStopped: Bool) {
        for device in devices {
            tally[.recorded] += device.events.recorded
            tally[.waiting] += device.events.waiting.count
            tally[.suggestionsWaiting] += device.waitingSuggestions
        }
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
        devices[number].step(sentAt: LoadClock.calendarMilliseconds())
        if devices[number].request == nil { rest(number) } else { send(number, dueAt: dueAt) }
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
    private func send(_ number: Int, dueAt: Int64) {
        guard let request = devices[number].request else { return }
        if !pool[number].isOpen, pool[number].lastUsedAt > 0 { tally[.reopened] += 1 }
        let made = request.made(for: endpoints[number].target)
        tally[.bytesSent] += made.bytes.count
        tally.change(request.route) { $0.requests += 1 }
        pool.send(number, made, dueAt: dueAt)
    }

    private func handle(_ number: Int, _ event: ConnectionPool.Event) {
        switch event {
        case .sent:
            guard case .cut = devices[number].request?.fate else { return }
            tally[.answersCut] += 1
            pool.close(number)
            goOn(number, status: nil)
        case .answer(let answer, let pending): received(number, answer, pending)
        case .failed(let fault, let pending?): failed(number, fault, pending)
        // The connection was idle: the next visit reopens it.
        case .failed(_, nil): break
        }
    }

    private func received(_ number: Int, _ answer: Answer, _ pending: LoadConnection.Pending) {
        guard let request = devices[number].request else { return }
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
            proceed(number, dueAt: LoadClock.now())
        } else {
            goOn(number, status: answer.status, retryAfter: answer.retryAfter)
        }
    }

    /// Handles a broken connection or a timeout.
    private func failed(_ number: Int, _ fault: LoadFault, _ pending: LoadConnection.Pending) {
        if fault == .closed, pending.sentAt - pool[number].lastUsedAt > Self.staleAfter {
            devices[number].forgetAnswer()
            return send(number, dueAt: pending.dueAt)
        }
        guard let request = devices[number].request else { return }
        tally.record(.failure(fault), of: request.route, dueAt: pending.dueAt, sentAt: pending.sentAt, timing)
        goOn(number, status: nil)
    }

    /// After a failure: repeats the request after a pause, or continues with the next part of the visit.
    private func goOn(_ number: Int, status: Int?, retryAfter: Int? = nil) {
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
