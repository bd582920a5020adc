import SubGuardDomain

/// Runs one thread's share of the devices, each over its own connection.
final class DeviceWorker: LoadWorker {
    /// The server may close a connection idle for this long just as a request is sent; URL loading systems then retry
    /// automatically. In nanoseconds.
    private static let staleAfter: Int64 = 5_000_000_000

    private let dayLength: Int64
    private var devices: [SimulatedDevice]
    /// When each device is due, at most once; the last is due first.
    private var agenda: [(at: Int64, device: Int)] = []
    private var reader = CatalogueReader()
    private var finished = 0

    init(_ plan: LoadPlan, _ endpoints: [Endpoint], timing: LoadTiming, thread: Int) throws(LoadError) {
        dayLength = plan.dayLength.nanoseconds
        // A midnight in UTC, so that simulated days are past calendar days.
        let epoch = (timing.calendar / DeviceLife.day - Int64(plan.dayCount + 1)) * DeviceLife.day
        let devices = stride(from: thread, to: plan.deviceCount, by: plan.threads).map { number in
            SimulatedDevice(seed: plan.seedNumber, number: number, days: plan.dayCount, epoch: epoch)
        }
        self.devices = devices
        try super.init(plan, devices.indices.map { endpoints[$0 % endpoints.count] }, timing: timing)
        for (number, device) in devices.enumerated() { wake(number, at: moment(of: device.joinsAt)) }
    }

    override func work(_ now: Int64) -> Int64? {
        while let next = agenda.last, next.at <= now {
            agenda.removeLast()
            // Begins a visit, or continues one that paused after a failure.
            if devices[next.device].visit == nil { devices[next.device].begin(&tally) }
            proceed(next.device, dueAt: next.at)
        }
        return finished == devices.count ? nil : agenda.last?.at ?? .max
    }

    override func end(wasStopped: Bool) {
        for device in devices {
            tally[.recorded] += device.events.recorded
            tally[.waiting] += device.events.waiting.count
            tally[.suggestionsWaiting] += device.names.count
        }
    }

    /// The real time of a simulated one.
    private func moment(of simulated: Int64) -> Int64 {
        timing.start + Int64(Double(simulated) * Double(dayLength) / Double(DeviceLife.day))
    }

    private func wake(_ number: Int, at moment: Int64) {
        agenda.insert((moment, number), at: agenda.partitionIndex { $0.at <= moment })
    }

    /// Sends the next request of the visit, or ends the visit.
    private func proceed(_ number: Int, dueAt: Int64) {
        devices[number].step(sentAt: LoadClock.calendarMilliseconds())
        if devices[number].request != nil {
            send(number, dueAt: dueAt)
        } else if let visit = devices[number].upcoming {
            wake(number, at: moment(of: visit.at))
        } else if devices[number].needsFlush {
            // Spread over one more day, to avoid a burst.
            wake(number, at: timing.end + Int64(Double(number) / Double(devices.count) * Double(dayLength)))
        } else {
            finished += 1
        }
    }

    /// Sends the device's current request, over its connection or a new one.
    private func send(_ number: Int, dueAt: Int64) {
        guard let request = devices[number].request else { return }
        if !pool[number].isOpen, pool[number].lastUsedAt > 0 { tally[.reopened] += 1 }
        send(number, request, dueAt: dueAt)
    }

    override func handle(_ number: Int, _ event: ConnectionPool.Event) {
        switch event {
        case .sent:
            guard case .cut = devices[number].request?.fate else { return }
            tally[.answersCut] += 1
            pool.close(number)
            goOn(number)
        case .answer(let answer, let pending): received(number, answer, pending)
        // A broken connection or a timeout.
        case .failed(.closed, let pending?) where pending.sentAt - pool[number].lastUsedAt > Self.staleAfter:
            devices[number].forgetAnswer()
            send(number, dueAt: pending.dueAt)
        case .failed(let fault, let pending?):
            let route = pending.request.route
            tally.record(.failure(fault), of: route, dueAt: pending.dueAt, sentAt: pending.sentAt, timing)
            goOn(number)
        // The connection was idle: the next visit reopens it.
        case .failed(_, nil): break
        }
    }

    private func received(_ number: Int, _ answer: Answer, _ pending: LoadConnection.Pending) {
        let request = pending.request
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
            goOn(number)
        } else if isUsable {
            proceed(number, dueAt: LoadClock.now())
        } else {
            goOn(number, status: answer.status, retryAfter: answer.retryAfter)
        }
    }

    /// After a failure: repeats the request after a pause, or continues with the next part of the visit.
    private func goOn(_ number: Int, status: Int? = nil, retryAfter: Int? = nil) {
        let now = LoadClock.now()
        if let pause = devices[number].fail(status: status, retryAfter: retryAfter) {
            tally[.retries] += 1
            wake(number, at: now + pause)
        } else {
            proceed(number, dueAt: now)
        }
    }
}
