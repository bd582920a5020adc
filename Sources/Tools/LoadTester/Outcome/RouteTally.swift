import Histogram
import LatencyHistogram

/// How a request ended.
enum StatusClass: String, Sendable, CaseIterable {
    case success = "2xx"
    case redirect = "3xx"
    case refusal = "4xx"
    case failure = "5xx"
    case none = "no answer"

    /// `nil` stands for a request without a response.
    init(status: Int?) {
        let classes: [StatusClass] = [.success, .redirect, .refusal, .failure]
        self = status.map { classes[min(max($0 / 100 - 2, 0), 3)] } ?? StatusClass.none
    }
}

/// The counts and latencies of one kind of request, or of a slice of time.
struct RouteTally: Sendable {
    /// Microseconds from when a request was due to its complete response. A request without a response counts with its
    /// waiting time, so that timeouts do not look fast.
    private(set) var latencies: [StatusClass: Histogram<UInt64>] = [:]
    var requests = 0
    var statuses: [Int: Int] = [:]
    var faults: [LoadFault: Int] = [:]
    /// Responses with an unexpected status or content.
    var unusable = 0
    private(set) var acceptedEvents = 0
    private let digits: SignificantDigits

    init(_ digits: SignificantDigits = .three) { self.digits = digits }

    /// Of all classes.
    var latency: Histogram<UInt64> { latencies.values.reduce(into: .microseconds(digits)) { $0.add($1) } }

    /// The number of responses with a status of at least this.
    func answers(from status: Int = 0) -> Int { statuses.reduce(0) { $0 + ($1.key >= status ? $1.value : 0) } }

    /// The number of requests without a response.
    var faultCount: Int { faults.values.reduce(0, +) }

    /// Counts how a request ended: the status of its response, or why it has none. Without `nanoseconds`, its latency
    /// does not count.
    mutating func count(_ ending: Result<Int, LoadFault>, nanoseconds: Int64?, acceptedEvents: Int = 0) {
        switch ending {
        case .success(let status): statuses[status, default: 0] += 1
        case .failure(let fault): faults[fault, default: 0] += 1
        }
        self.acceptedEvents += acceptedEvents
        if let nanoseconds { record(nanoseconds, status: try? ending.get()) }
    }

    mutating func record(_ nanoseconds: Int64, status: Int?) {
        latencies[StatusClass(status: status), default: .microseconds(digits)].record(nanoseconds: nanoseconds)
    }

    mutating func add(_ other: RouteTally) {
        for (kind, histogram) in other.latencies { latencies[kind, default: .microseconds(digits)].add(histogram) }
        requests += other.requests
        statuses.merge(other.statuses, uniquingKeysWith: +)
        faults.merge(other.faults, uniquingKeysWith: +)
        unusable += other.unusable
        acceptedEvents += other.acceptedEvents
    }
}
