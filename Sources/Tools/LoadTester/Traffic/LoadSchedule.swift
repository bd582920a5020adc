/// When requests are due, in nanoseconds of the caller's clock.
///
/// An open schedule is fixed in advance and never waits for responses. After a stall, the server therefore receives all
/// the requests that were due meanwhile, each with the delay counted.
struct LoadSchedule: Sendable {
    private let start: Int64
    /// No request is due at or after this time.
    let end: Int64
    /// Between two requests; nil for a closed loop.
    private let interval: Double?
    /// From the start to the first request.
    private let offset: Double
    private let count: Int
    private var taken = 0

    /// - Parameters:
    ///   - requestsPerSecond: over all threads; nil for a closed loop, in which a request is always due.
    ///   - thread: of `threads`; it sends the requests whose number modulo `threads` is this.
    init(start: Int64, duration: Duration, requestsPerSecond: Double?, thread: Int = 0, of threads: Int = 1) {
        self.start = start
        end = start + duration.nanoseconds
        let between = requestsPerSecond.map { 1e9 / $0 }
        interval = between.map { $0 * Double(threads) }
        offset = (between ?? 0) * Double(thread)
        count = requestsPerSecond.map { Self.count(duration, perSecond: $0, thread: thread, of: threads) } ?? 0
    }

    /// How many requests a thread sends.
    static func count(_ duration: Duration, perSecond rate: Double, thread: Int, of threads: Int) -> Int {
        let total = Int((Double(duration.nanoseconds) * rate / 1e9).rounded(.up))
        return max(0, (total - thread + threads - 1) / threads)
    }

    /// When the next request is due; nil if there is none left, and for a closed loop.
    var nextDue: Int64? {
        guard let interval, taken < count else { return nil }
        return start + Int64(offset + Double(taken) * interval)
    }

    /// Takes the next request if it is due, and returns its due time.
    mutating func take(at now: Int64) -> Int64? {
        if interval == nil { return now >= start && now < end ? now : nil }
        guard let due = nextDue, due <= now else { return nil }
        taken += 1
        return due
    }

    /// Whether every request was taken.
    func isExhausted(at now: Int64) -> Bool { interval == nil ? now >= end : nextDue == nil }

    /// The number of due requests not yet taken, which wait for a free connection.
    func backlog(at now: Int64) -> Int {
        guard let interval else { return 0 }
        let due = Int(((Double(now - start) - offset) / interval).rounded(.down)) + 1
        return max(0, min(due, count) - taken)
    }
}
