import SubGuardDomain

/// The devices of one thread: when each is due, and what it sends. It has no socket; the caller passes in times,
/// responses and failures. Times are nanoseconds of the caller's clock.
package struct DeviceFleet {
    /// The real time at which the simulated days begin, and that of each day.
    private let start: Int64
    private let dayLength: Int64
    private let days: Int
    private let calendar: () -> Int64
    private var devices: [SimulatedDevice]
    /// When each device is due, at most once; the last is due first.
    private var agenda: [(at: Int64, device: Int)] = []
    private var reader = CatalogueReader()
    private var finished = 0

    /// - Parameters:
    ///   - numbers: of its devices among all.
    ///   - preparedAt: when the run was prepared, in milliseconds since 1970; the same for all fleets of a run.
    ///   - calendar: milliseconds since 1970 by an accurate clock.
    package init(
        seed: UInt64, numbers: some Sequence<Int>, days: Int, dayLength: Int64, start: Int64, preparedAt: Int64,
        calendar: @escaping () -> Int64
    ) {
        (self.start, self.dayLength, self.days, self.calendar) = (start, dayLength, days, calendar)
        // A midnight in UTC, so that simulated days are past calendar days.
        let epoch = (preparedAt / DeviceLife.day - Int64(days + 1)) * DeviceLife.day
        devices = numbers.map { SimulatedDevice(seed: seed, number: $0, days: days, epoch: epoch) }
        for (number, device) in devices.enumerated() { wake(number, at: moment(of: device.joinsAt)) }
    }

    package var count: Int { devices.count }

    /// When the next device is due: `.max` while all others wait for responses, nil when all have finished.
    package var nextDue: Int64? { finished == devices.count ? nil : agenda.last?.at ?? .max }

    /// The next request that is due, with its device and since when. Begins the device's visit, or continues one that
    /// paused after a failure.
    package mutating func take(
        at now: Int64, _ tally: inout ClientTally
    ) -> (device: Int, request: ClientRequest, dueAt: Int64)? {
        while let next = agenda.last, next.at <= now {
            agenda.removeLast()
            if devices[next.device].visit == nil { devices[next.device].begin(&tally) }
            if let request = proceed(next.device) { return (next.device, request, next.at) }
        }
        return nil
    }

    /// Processes the response to a device's current request. Returns whether it was usable, and the device's next
    /// request, which is due at once.
    package mutating func receive(
        _ answer: Answer, to request: ClientRequest, by device: Int, at now: Int64, _ tally: inout ClientTally
    ) -> (isUsable: Bool, next: ClientRequest?) {
        let hasStatus = request.route.isUsable(answer.status)
        if hasStatus, request.fate == .thrownAway {
            tally[.answersThrownAway] += 1
            let isUsable = devices[device].loseAnswer(answer, &tally)
            return (isUsable, fail(device, at: now, &tally))
        }
        if hasStatus, devices[device].take(answer, to: request, &reader, &tally) { return (true, proceed(device)) }
        return (false, fail(device, status: answer.status, retryAfter: answer.retryAfter, at: now, &tally))
    }

    /// Disconnects a device whose current request is to be cut off. Returns its next request, which is due at once.
    package mutating func cut(_ device: Int, at now: Int64, _ tally: inout ClientTally) -> ClientRequest? {
        tally[.answersCut] += 1
        return fail(device, at: now, &tally)
    }

    /// After a failure: repeats the current request after a pause, or returns that of the next part of the visit, which
    /// is due at once.
    package mutating func fail(
        _ device: Int, status: Int? = nil, retryAfter: Int? = nil, at now: Int64, _ tally: inout ClientTally
    ) -> ClientRequest? {
        guard let pause = devices[device].fail(status: status, retryAfter: retryAfter) else { return proceed(device) }
        tally[.retries] += 1
        wake(device, at: now + pause)
        return nil
    }

    /// The current request of a device, to be repeated at once; it is unknown whether the server received it.
    package mutating func again(_ device: Int) -> ClientRequest? {
        devices[device].forgetAnswer()
        return devices[device].request
    }

    /// Counts what was recorded and what waits on the devices at the end.
    package func end(_ tally: inout ClientTally) {
        for device in devices {
            tally[.recorded] += device.events.recorded
            tally[.waiting] += device.events.waiting.count
            tally[.suggestionsWaiting] += device.names.count
        }
    }

    /// The real time of a simulated one.
    private func moment(of simulated: Int64) -> Int64 {
        start + Int64(Double(simulated) * Double(dayLength) / Double(DeviceLife.day))
    }

    private mutating func wake(_ number: Int, at moment: Int64) {
        agenda.insert((moment, number), at: agenda.partitionIndex { $0.at <= moment })
    }

    /// The next request of the visit; nil when the visit has ended.
    private mutating func proceed(_ number: Int) -> ClientRequest? {
        devices[number].step(sentAt: calendar())
        if let request = devices[number].request { return request }
        if let visit = devices[number].upcoming {
            wake(number, at: moment(of: visit.at))
        } else if devices[number].needsFlush {
            // Spread over one more day, to avoid a burst.
            let end = start + Int64(days) * dayLength
            wake(number, at: end + Int64(Double(number) / Double(devices.count) * Double(dayLength)))
        } else {
            finished += 1
        }
        return nil
    }
}
