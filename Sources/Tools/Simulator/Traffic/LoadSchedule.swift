/// When requests are due. It knows no clock: moments come in as nanoseconds of whatever clock the caller has.
///
/// An open schedule is made before anything is sent and never waits for an answer. So a server that stands still finds
/// all the requests that were due meanwhile, each already late by as long as it waited.
package struct LoadSchedule: Sendable {
    private enum Kind: Sendable {
        case open(interval: Double, offset: Double, count: Int)
        case closed
    }

    private let kind: Kind
    private let start: Int64
    /// Nothing is due from here on.
    package let end: Int64
    private var taken = 0

    /// - Parameters:
    ///   - requestsPerSecond: over all threads; nil for a closed loop, where a request is always due.
    ///   - thread: of `threads`; request number n of all belongs to the thread n modulo `threads`.
    package init(
        start: Int64, duration: Duration, requestsPerSecond: Double?, thread: Int = 0, of threads: Int = 1
    ) {
        self.start = start
        end = start + duration.nanoseconds
        guard let requestsPerSecond else {
            kind = .closed
            return
        }
        let between = 1e9 / requestsPerSecond
        let total = Int((Double(duration.nanoseconds) / between).rounded(.up))
        kind = .open(
            interval: between * Double(threads), offset: between * Double(thread),
            count: max(0, (total - thread + threads - 1) / threads))
    }

    /// When the next request is due; nil when there is none left, and for a closed loop.
    package var nextDue: Int64? {
        guard case .open(let interval, let offset, let count) = kind, taken < count else { return nil }
        return start + Int64(offset + Double(taken) * interval)
    }

    /// Takes the next request if it is due, and returns the moment at which it was.
    package mutating func take(at now: Int64) -> Int64? {
        switch kind {
        case .closed:
            guard now >= start, now < end else { return nil }
            taken += 1
            return now
        case .open:
            guard let due = nextDue, due <= now else { return nil }
            taken += 1
            return due
        }
    }

    /// Whether every request was taken.
    package func isExhausted(at now: Int64) -> Bool {
        if case .open = kind { nextDue == nil } else { now >= end }
    }

    /// How many requests are due and not taken: those that wait for a free connection.
    package func backlog(at now: Int64) -> Int {
        guard case .open(let interval, let offset, let count) = kind else { return 0 }
        let due = Int(((Double(now - start) - offset) / interval).rounded(.down)) + 1
        return max(0, min(due, count) - taken)
    }
}

/// Picks a percentage of all that passes, evenly spread and without chance: of any number that passed, the share is
/// exact but for one.
struct ExactShare {
    private static let whole = 100_000
    private let share: Int
    private var credit: Int

    /// `percent` to three decimals. `start` moves the first pick, so that two shares do not fall together: 0 ..< 1.
    init(percent: Double, start: Double = 0) {
        share = Int((percent / 100 * Double(Self.whole)).rounded())
        credit = Int(start * Double(Self.whole))
    }

    /// Whether the next one is picked.
    mutating func next() -> Bool {
        credit += share
        guard credit >= Self.whole else { return false }
        credit -= Self.whole
        return true
    }

    /// The last pick could not be used; the next one makes up for it.
    mutating func putBack() { credit += Self.whole }
}
