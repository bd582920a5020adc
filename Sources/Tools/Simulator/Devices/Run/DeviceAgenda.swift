/// The order in which devices are due. Each device is in it at most once.
struct DeviceAgenda {
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

/// The mapping between simulated and real time; the same for all threads.
struct DeviceTiming: Sendable {
    /// The first simulated midnight, in nanoseconds of the monotonic clock.
    let start: Int64
    /// The same midnight in the devices' calendar, in milliseconds since 1970.
    let epoch: Int64
    /// The end of the last day. Pending data is sent within one more day.
    let end: Int64
    /// Anything unsettled at this time is lost.
    let giveUpAt: Int64
    let timeout: Int64
    let sliceNanoseconds: Int64
    private let nanosecondsPerMillisecond: Double

    /// - Parameter calendar: milliseconds since 1970 at `start`.
    init(_ plan: DevicePlan, start: Int64, calendar: Int64) {
        self.start = start
        let days = Int64(plan.days + 1)
        // A midnight in UTC, so that simulated days are past calendar days.
        epoch = (calendar / DeviceLife.day - days) * DeviceLife.day
        end = start + plan.duration.nanoseconds
        timeout = plan.timeout.nanoseconds
        sliceNanoseconds = LoadTiming.slice(of: plan.duration).nanoseconds
        giveUpAt = end + plan.dayLength.nanoseconds + Int64(BackOff.attempts) * (timeout + BackOff.longestPause)
        nanosecondsPerMillisecond = Double(plan.dayLength.nanoseconds) / Double(DeviceLife.day)
    }

    /// The slice of the time series at this time.
    func slice(at now: Int64) -> Int { Int(max(0, now - start) / sliceNanoseconds) }

    /// The real time of a simulated one.
    func moment(of simulated: Int64) -> Int64 { start + Int64(Double(simulated) * nanosecondsPerMillisecond) }
}
