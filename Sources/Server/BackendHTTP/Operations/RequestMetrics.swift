import HTTPServer
import HTTPWire
import Synchronization

/// Request counts and latencies per route.
final class RequestMetrics: Sendable {
    /// Upper bounds of the latency buckets in seconds: a cached read takes tens of microseconds, a commit milliseconds.
    static let bucketBounds = [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0]
    private static let bucketNanoseconds = bucketBounds.map { UInt64($0 * 1_000_000_000) }

    struct Outcome: Equatable {
        let method: RequestMethod?
        let status: Int
    }

    struct Figures {
        /// A route has few outcomes and the most common one is first, so a linear search is faster than hashing.
        private(set) var requests: [(outcome: Outcome, count: Int64)] = []
        /// Not cumulative; the last bucket counts everything slower than the bounds.
        var buckets = [Int64](repeating: 0, count: bucketBounds.count + 1)
        var nanoseconds: UInt64 = 0
        var count: Int64 = 0

        mutating func note(_ outcome: Outcome, times: Int64 = 1) {
            if let index = requests.firstIndex(where: { $0.outcome == outcome }) {
                requests[index].count += times
            } else {
                requests.append((outcome, times))
            }
        }

        mutating func add(_ other: Figures) {
            for (outcome, times) in other.requests { note(outcome, times: times) }
            for index in buckets.indices { buckets[index] += other.buckets[index] }
            nanoseconds &+= other.nanoseconds
            count += other.count
        }
    }

    private final class Cell: Sendable {
        let figures = Mutex(Figures())
    }

    /// One cell per route, and one for unmatched requests.
    private let cells: [Cell]
    private let openConnections = Atomic<Int>(0)
    private let acceptedConnections = Atomic<Int>(0)
    private let unknownIngest = Mutex<[UnknownIngestAddress: Int64]>([:])
    private let shortages = Mutex<[ConnectionShortage: Int64]>([:])
    private let memoryShortages = Mutex<[MemoryShortage: Int64]>([:])

    init(routeCount: Int) { cells = (0...routeCount).map { _ in Cell() } }

    var connections: (open: Int, accepted: Int) {
        (openConnections.load(ordering: .relaxed), acceptedConnections.load(ordering: .relaxed))
    }

    func note(_ record: RequestRecord, method: RequestMethod) {
        let outcome = Outcome(method: record.headWasRead ? method : nil, status: record.status)
        let bucket = Self.bucketNanoseconds.firstIndex { record.nanoseconds <= $0 } ?? Self.bucketBounds.count
        cells[record.route ?? cells.count - 1].figures.withLock { figures in
            figures.note(outcome)
            figures.buckets[bucket] += 1
            figures.nanoseconds &+= record.nanoseconds
            figures.count += 1
        }
    }

    func note(_ address: UnknownIngestAddress) { unknownIngest.withLock { $0[address, default: 0] += 1 } }

    func count(of address: UnknownIngestAddress) -> Int64 { unknownIngest.withLock { $0[address] ?? 0 } }

    func note(_ shortage: ConnectionShortage) { shortages.withLock { $0[shortage, default: 0] += 1 } }

    func count(of shortage: ConnectionShortage) -> Int64 { shortages.withLock { $0[shortage] ?? 0 } }

    func note(_ shortage: MemoryShortage) { memoryShortages.withLock { $0[shortage, default: 0] += 1 } }

    func count(of shortage: MemoryShortage) -> Int64 { memoryShortages.withLock { $0[shortage] ?? 0 } }

    func note(connections change: Int) {
        openConnections.add(change, ordering: .relaxed)
        if change > 0 { acceptedConnections.add(change, ordering: .relaxed) }
    }

    /// The counts of a route; nil for unmatched requests.
    func figures(ofRoute route: Int?) -> Figures { cells[route ?? cells.count - 1].figures.withLock { $0 } }
}
