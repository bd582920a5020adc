import Glibc

/// Runs one thread's share of the devices, each over its own connection. Used only by its thread.
final class DeviceWorker {
    /// The state of a device's connection.
    struct Line {
        let connection = LoadConnection()
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
    /// Those of the devices, in turn.
    private let endpoints: [Endpoint]
    private let readiness: Readiness
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
    var devices: [SimulatedDevice]
    var lines: [Line]
    var agenda = DeviceAgenda()
    var reader = CatalogueReader()
    var tally = DeviceTally()
    private var finished = 0

    init(_ plan: DevicePlan, _ endpoints: [Endpoint], timing: DeviceTiming, thread: Int) throws(LoadError) {
        self.plan = plan
        self.timing = timing
        self.endpoints = endpoints
        readiness = try Readiness()
        devices = stride(from: thread, to: plan.devices, by: plan.threads).map { number in
            SimulatedDevice(seed: plan.seed, number: number, days: plan.days, epoch: timing.epoch)
        }
        lines = devices.map { _ in Line() }
        for (number, device) in devices.enumerated() { agenda.add(number, at: timing.moment(of: device.joinsAt)) }
    }

    deinit {
        for line in lines { _ = line.connection.close(now: 0) }
        readiness.close()
        buffer.deallocate()
    }

    /// Returns when every device has finished its days and sent everything, or at the deadline. `publish` is called
    /// several times a second; it returns whether to stop early.
    func run(publish: (DeviceTally) -> Bool) {
        var nextChore = LoadClock.now()
        while true {
            let now = LoadClock.now()
            if now >= nextChore {
                nextChore = now + Self.chore
                doChores(now)
                if publish(tally) { break }
            }
            while let (number, dueAt) = agenda.take(at: now) { wake(number, dueAt: dueAt) }
            if finished == devices.count || now >= timing.giveUpAt { break }
            let until = min(nextChore, agenda.next ?? nextChore)
            readiness.wait(nanoseconds: max(0, until - LoadClock.now())) { number, isReadable, isWritable in
                if isWritable || !lines[number].connection.isConnected { goOnWriting(number) }
                if isReadable { read(number) }
            }
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
        let connection = lines[number].connection
        if connection.isIdle { return transmit(number) }
        guard !connection.isOpen else { return }
        let now = LoadClock.now()
        if lines[number].lastUsedAt > 0 { tally.reopened += 1 }
        lines[number].lastUsedAt = now
        guard connection.open(endpoint(number), now: now) else { return fail(number, .fault(.connect)) }
        readiness.add(connection.descriptor, number: number, writing: true)
    }

    private func endpoint(_ number: Int) -> Endpoint { endpoints[number % endpoints.count] }

    private func transmit(_ number: Int) {
        guard let request = lines[number].request else { return }
        let bytes = request.bytes(authority: endpoint(number).target.authority)
        tally.bytesSent += bytes.count
        tally.change(request.call) { $0.requests += 1 }
        do {
            try lines[number].connection.send(
                MadeRequest(bytes: bytes), dueAt: lines[number].wantedAt, now: LoadClock.now())
            if lines[number].connection.wantsToWrite { listen(number) } else { wasSent(number) }
        } catch {
            fail(number, error)
        }
    }

    private func goOnWriting(_ number: Int) {
        let connection = lines[number].connection
        let (wasConnected, wasWriting) = (connection.isConnected, connection.wantsToWrite)
        guard connection.isOpen, !wasConnected || wasWriting else { return }
        do {
            try connection.write()
            if connection.wantsToWrite != wasWriting { listen(number) }
            guard connection.isConnected, !connection.wantsToWrite else { return }
            if wasConnected { wasSent(number) } else { transmit(number) }
        } catch {
            fail(number, error)
        }
    }

    private func wasSent(_ number: Int) {
        guard case .cut = lines[number].request?.fate else { return }
        tally.answersCut += 1
        _ = lines[number].connection.close(now: LoadClock.now())
        goOn(number, afterStatus: nil)
    }

    private func listen(_ number: Int) {
        let connection = lines[number].connection
        readiness.change(connection.descriptor, number: number, writing: connection.wantsToWrite)
    }

    // MARK: Receiving

    private func read(_ number: Int) {
        let connection = lines[number].connection
        guard connection.isConnected else { return }
        do {
            guard let (pending, answer) = try connection.read(buffer) else { return }
            let now = LoadClock.now()
            lines[number].lastUsedAt = now
            if answer.closes { _ = connection.close(now: now) }
            received(number, answer, dueAt: pending.dueAt, now: now)
        } catch {
            fail(number, error)
        }
    }

    private func doChores(_ now: Int64) {
        tally.connected = 0
        for number in lines.indices {
            let connection = lines[number].connection
            if connection.isConnected { tally.connected += 1 }
            if let pending = connection.pending, now - pending.sentAt > timing.timeout {
                fail(number, .fault(.timeout))
            } else if connection.isOpen, !connection.isConnected, now - connection.openedAt > timing.timeout {
                fail(number, .fault(.connect))
            }
        }
    }
}
