import Glibc

/// The times of one run, in nanoseconds of the monotonic clock; the same for all threads.
struct LoadTiming: Sendable {
    /// When the first request is due.
    let start: Int64
    /// When the warm-up ends.
    let measuredFrom: Int64
    /// When the last request is due.
    let end: Int64
    /// When waiting for responses ends.
    let giveUpAt: Int64
    let sliceNanoseconds: Int64

    init(_ plan: LoadPlan, start: Int64) {
        self.start = start
        measuredFrom = start + plan.warmUp.nanoseconds
        end = measuredFrom + plan.duration.nanoseconds
        giveUpAt = end + plan.timeout.nanoseconds
        sliceNanoseconds = Self.slice(of: plan.warmUp + plan.duration + plan.timeout).nanoseconds
    }

    /// The length of the slices of the time series, at most a few hundred of them.
    static func slice(of run: Duration) -> Duration {
        let whole = run.inSeconds
        return whole <= 30 ? .milliseconds(250) : .seconds(max(1, (whole / 300).rounded(.up)))
    }

    func slice(at now: Int64) -> Int { Int(max(0, now - start) / sliceNanoseconds) }

    func isMeasured(_ moment: Int64) -> Bool { moment >= measuredFrom && moment < end }
}

enum LoadClock {
    /// Nanoseconds of the monotonic clock.
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Milliseconds since 1970.
    static func calendarMilliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Seconds of CPU time used by this process so far, in user mode and in the kernel.
    static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
