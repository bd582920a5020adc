/// Runs one thread's share of the devices, each over its own connection. Used only by its thread.
final class DeviceWorker {
    /// What a device does over its connection.
    struct Line {
        /// The current request, and since when it is due.
        var request: DeviceRequest?
        var wantedAt: Int64 = 0
        /// Whether the device pauses after a failure before it repeats the same part of the visit.
        var resumes = false
        var hasJoined = false
        var hasFlushed = false
        var isUser = false
        var lastUsedAt: Int64 = 0
    }

    private static let chore: Int64 = 200_000_000

    let plan: DevicePlan
    let timing: DeviceTiming
    /// The server of each device.
    private let endpoints: [Endpoint]
    let pool: ConnectionPool
    var devices: [SimulatedDevice]
    var lines: [Line]
    var agenda = DeviceAgenda()
    var reader = CatalogueReader()
    var tally = DeviceTally()
    private var finished = 0

    init(_ plan: DevicePlan, _ endpoints: [Endpoint], timing: DeviceTiming, thread: Int) throws(LoadError) {
        self.plan = plan
        self.timing = timing
        devices = stride(from: thread, to: plan.devices, by: plan.threads).map { number in
            SimulatedDevice(seed: plan.seed, number: number, days: plan.days, epoch: timing.epoch)
        }
        self.endpoints = devices.indices.map { endpoints[$0 % endpoints.count] }
        pool = try ConnectionPool(self.endpoints, timeout: timing.timeout)
        lines = devices.map { _ in Line() }
        pool.handle = { [unowned self] in handle($0, $1) }
        for (number, device) in devices.enumerated() { agenda.add(number, at: timing.moment(of: device.joinsAt)) }
    }

    /// Returns when every device has finished its days and sent everything, or at the deadline. `publish` is called
    /// several times a second; it returns whether to stop early.
    func run(publish: (DeviceTally) -> Bool) {
        var nextChore = LoadClock.now()
        while true {
            let now = LoadClock.now()
            if now >= nextChore {
                nextChore = now + Self.chore
                pool.expire(now)
                tally.connected = pool.connectedCount
                if publish(tally) { break }
            }
            while let (number, dueAt) = agenda.take(at: now) { wake(number, dueAt: dueAt) }
            if finished == devices.count || now >= timing.giveUpAt { break }
            let until = min(nextChore, agenda.next ?? nextChore)
            pool.wait(until: until)
        }
        for device in devices {
            tally.account.recorded += device.events.recorded
            tally.account.waiting += device.events.waiting.count
            tally.account.suggestionsWaiting += device.waitingSuggestions
        }
        _ = publish(tally)
    }

    // MARK: Visits

    private func wake(_ number: Int, dueAt: Int64) {
        if lines[number].resumes {
            lines[number].resumes = false
        } else if let visit = devices[number].upcoming {
            tally.visits += 1
            if !visit.isOnline { tally.offlineVisits += 1 }
            if !lines[number].hasJoined {
                lines[number].hasJoined = true
                tally.deviceDays += devices[number].days
            }
            devices[number].begin()
        } else {
            lines[number].hasFlushed = true
            devices[number].flush(at: Int64(plan.days) * DeviceLife.day)
        }
        proceed(number, dueAt: dueAt)
    }

    /// Sends the next request of the visit, or ends the visit.
    func proceed(_ number: Int, dueAt: Int64) {
        switch devices[number].step(sentAt: LoadClock.calendarMilliseconds()) {
        case .send(let request):
            lines[number].request = request
            lines[number].wantedAt = dueAt
            ask(number)
        case .done:
            lines[number].request = nil
            rest(number)
        }
    }

    private func rest(_ number: Int) {
        if let visit = devices[number].upcoming {
            agenda.add(number, at: timing.moment(of: visit.at))
        } else if devices[number].hasWaiting, !lines[number].hasFlushed {
            // Spread over one more day, to avoid a burst.
            let share = Double(number) / Double(devices.count)
            agenda.add(number, at: timing.end + Int64(share * Double(plan.dayLength.nanoseconds)))
        } else {
            finished += 1
        }
    }

    // MARK: Sending

    /// Sends the device's current request, over its connection or a new one.
    func ask(_ number: Int) {
        if pool[number].isIdle { return transmit(number) }
        guard !pool[number].isOpen else { return }
        if lines[number].lastUsedAt > 0 { tally.reopened += 1 }
        lines[number].lastUsedAt = LoadClock.now()
        pool.open(number)
    }

    private func transmit(_ number: Int) {
        guard let request = lines[number].request else { return }
        let bytes = request.bytes(authority: endpoints[number].target.authority)
        tally.bytesSent += bytes.count
        tally.change(request.call) { $0.requests += 1 }
        pool.send(number, MadeRequest(bytes: bytes), dueAt: lines[number].wantedAt)
    }

    private func handle(_ number: Int, _ event: ConnectionPool.Event) {
        switch event {
        case .connected: transmit(number)
        case .sent:
            guard case .cut = lines[number].request?.fate else { return }
            tally.answersCut += 1
            pool.close(number)
            goOn(number, afterStatus: nil)
        case .answer(let answer, let pending):
            let now = LoadClock.now()
            lines[number].lastUsedAt = now
            received(number, answer, dueAt: pending.dueAt, now: now)
        case .failed(let fault, let pending): failed(number, fault, pending)
        }
    }
}
