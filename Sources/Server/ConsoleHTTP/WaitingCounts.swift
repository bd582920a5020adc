import Console
import SubGuardDomain
import Synchronization

/// How much waits in areas of the console, as its pages counted it last: the navigation counts nothing itself. Another
/// server of the same database has its own.
final class WaitingCounts: Sendable {
    /// How long a count is shown.
    private static let seconds: Int64 = 600

    private let noted = Mutex<[ConsoleSection: (count: Int64, at: UTCInstant)]>([:])
    private let now: @Sendable () -> UTCInstant

    init(now: @escaping @Sendable () -> UTCInstant) { self.now = now }

    func note(_ section: ConsoleSection, _ count: Int64) {
        let instant = now()
        noted.withLock { $0[section] = (count, instant) }
    }

    /// Drops the count of the area that a form may have changed.
    func forget(_ path: [String]) {
        guard path.count > 1, let section = ConsoleSection(rawValue: path[1]) else { return }
        noted.withLock { $0[section] = nil }
    }

    /// The counts of the last ten minutes.
    var recent: [ConsoleSection: Int64] {
        let earliest = now().adding(seconds: -Self.seconds)
        return noted.withLock { $0.filter { $0.value.at >= earliest }.mapValues(\.count) }
    }
}
