import DeviceSimulation

/// Runs one thread's share of the devices, each over its own connection.
final class DeviceWorker: LoadWorker {
    /// The server may close a connection idle for this long just as a request is sent; URL loading systems then retry
    /// automatically. In nanoseconds.
    private static let staleAfter: Int64 = 5_000_000_000

    private var fleet: DeviceFleet

    init(_ plan: LoadPlan, _ endpoints: [Endpoint], timing: LoadTiming, thread: Int) throws(RunError) {
        fleet = DeviceFleet(
            seed: plan.seedNumber, numbers: stride(from: thread, to: plan.deviceCount, by: plan.threads),
            days: plan.dayCount, dayLength: plan.dayLength.nanoseconds, start: timing.start,
            preparedAt: timing.calendar, calendar: LoadClock.calendarMilliseconds)
        try super.init(plan, (0..<fleet.count).map { endpoints[$0 % endpoints.count] }, timing: timing)
    }

    override func work(_ now: Int64) -> Int64? {
        while let next = fleet.take(at: now, &tally.client) { proceed(next.device, next.request, dueAt: next.dueAt) }
        return fleet.nextDue
    }

    override func end(wasStopped: Bool) { fleet.end(&tally.client) }

    /// Sends a device's request if it has one, over its connection or a new one. By default it is due at once.
    private func proceed(_ device: Int, _ request: ClientRequest?, dueAt: Int64? = nil) {
        guard let request else { return }
        if !pool[device].isOpen, pool[device].lastUsedAt > 0 { tally[.reopened] += 1 }
        send(device, request, dueAt: dueAt ?? LoadClock.now())
    }

    override func handle(_ device: Int, _ event: ConnectionPool.Event) {
        let now = LoadClock.now()
        switch event {
        case .sent:
            guard pool[device].pending?.request.fate == .cut else { return }
            pool.close(device)
            proceed(device, fleet.cut(device, at: now, &tally.client))
        case .answer(let answer, let pending):
            let request = pending.request
            let accepted = request.route == .analytics ? EventCounts(answer.body)?.accepted ?? 0 : 0
            tally.record(
                .success(answer.status), of: pending, dueAt: pending.dueAt, timing, acceptedEvents: accepted)
            let (isUsable, next) = fleet.receive(answer, to: request, by: device, at: now, &tally.client)
            if !isUsable { tally.change(request.route) { $0.unusable += 1 } }
            proceed(device, next)
        // A broken connection or a timeout.
        case .failed(.closed, let pending?) where pending.sentAt - pool[device].lastUsedAt > Self.staleAfter:
            proceed(device, fleet.again(device), dueAt: pending.dueAt)
        case .failed(let fault, let pending?):
            tally.record(.failure(fault), of: pending, dueAt: pending.dueAt, timing)
            proceed(device, fleet.fail(device, at: now, &tally.client))
        // The connection was idle: the next visit reopens it.
        case .failed(_, nil): break
        }
    }
}
