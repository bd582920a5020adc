/// The order in which devices are due, as a binary heap. Each device is in it at most once.
struct DeviceAgenda {
    private var entries: [(at: Int64, device: Int)] = []

    var next: Int64? { entries.first?.at }

    mutating func add(_ device: Int, at moment: Int64) {
        entries.append((moment, device))
        var child = entries.count - 1
        while child > 0, entries[(child - 1) / 2].at > entries[child].at {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Removes and returns the first device that is due, with its due time.
    mutating func take(at now: Int64) -> (device: Int, dueAt: Int64)? {
        guard let first = entries.first, first.at <= now else { return nil }
        let last = entries.removeLast()
        if !entries.isEmpty {
            entries[0] = last
            sink()
        }
        return (first.device, first.at)
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count {
                if entries[child].at < entries[least].at { least = child }
            }
            guard least != parent else { return }
            entries.swapAt(parent, least)
            parent = least
        }
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
