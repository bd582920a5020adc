import DeviceSimulation
import Glibc
import HTTPServer

/// The times of one run, in nanoseconds of the monotonic clock; the same for all threads.
struct LoadTiming: Sendable {
    /// When the first request is due, or the first simulated day begins.
    let start: Int64
    /// When the warm-up ends.
    let measuredFrom: Int64
    /// When the last request is due, or the last day ends.
    let end: Int64
    /// When waiting for responses ends. Devices send pending data within one more day.
    let giveUpAt: Int64
    private let measuredUntil: Int64
    /// Milliseconds since 1970 when the run was prepared.
    let calendar = LoadClock.calendarMilliseconds()
    private let sliceNanoseconds: Int64

    init(_ plan: LoadPlan, start: Int64) {
        self.start = start
        measuredFrom = start + plan.warmUpLength.nanoseconds
        end = measuredFrom + plan.length.nanoseconds
        let timeout = plan.requestTimeout.nanoseconds
        let flush = plan.dayLength.nanoseconds + Int64(BackOff.attempts) * (timeout + BackOff.longestPause)
        giveUpAt = end + (plan.isOfDevices ? flush : timeout)
        measuredUntil = plan.isOfDevices ? giveUpAt : end
        sliceNanoseconds = plan.slice.nanoseconds
    }

    /// The slice of the time series at this time.
    func slice(at now: Int64) -> Int { Int(max(0, now - start) / sliceNanoseconds) }

    func isMeasured(_ moment: Int64) -> Bool { moment >= measuredFrom && moment < measuredUntil }
}

enum LoadClock {
    /// Nanoseconds of the monotonic clock.
    static func now() -> Int64 { nanoseconds(CLOCK_MONOTONIC) }

    /// Milliseconds since 1970.
    static func calendarMilliseconds() -> Int64 { nanoseconds(CLOCK_REALTIME) / 1_000_000 }

    /// Seconds of CPU time used by this process so far, in user mode and in the kernel.
    static func processorSeconds() -> Double { Double(nanoseconds(CLOCK_PROCESS_CPUTIME_ID)) / 1e9 }

    private static func nanoseconds(_ clock: clockid_t) -> Int64 { Int64(LoopClock.nanoseconds(clock)) }
}
