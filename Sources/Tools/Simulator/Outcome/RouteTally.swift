package import Histogram

/// How a request ended.
package enum StatusClass: String, Sendable, CaseIterable {
    case success = "2xx"
    case redirect = "3xx"
    case refusal = "4xx"
    case failure = "5xx"
    case none = "no answer"

    /// `nil` stands for a request without a response.
    package init(status: Int?) {
        switch status {
        case nil: self = .none
        case (..<300)?: self = .success
        case (..<400)?: self = .redirect
        case (..<500)?: self = .refusal
        default: self = .failure
        }
    }
}

extension Histogram where Count == UInt64 {
    /// For microseconds, with three significant digits and room for more than ten minutes.
    package static func microseconds(_ digits: SignificantDigits = .three) -> Self {
        var histogram = Self(highestTrackableValue: 600_000_000, numberOfSignificantValueDigits: digits)
        histogram.autoResize = true
        return histogram
    }

    /// Returns 0 if nothing was measured.
    package func value(at percent: Double) -> UInt64 { totalCount == 0 ? 0 : valueAtPercentile(percent) }

    /// Records a duration in nanoseconds as microseconds; a negative one as 0.
    mutating func record(nanoseconds: Int64) { record(UInt64(Swift.max(0, nanoseconds) / 1000)) }
}

/// The counts and latencies of one kind of request, or of a slice of time.
package struct RouteTally: Sendable {
    /// Microseconds from when a request was due to its complete response. A request without a response counts with its
    /// waiting time, so that timeouts do not look fast.
    package private(set) var latencies: [StatusClass: Histogram<UInt64>] = [:]
    package var requests = 0
    package var statuses: [Int: Int] = [:]
    package var faults: [LoadFault: Int] = [:]
    /// Responses with an unexpected status or content.
    package var unusable = 0
    package private(set) var acceptedEvents = 0
    private let digits: SignificantDigits

    package init(_ digits: SignificantDigits = .three) { self.digits = digits }

    /// Of all classes.
    package var latency: Histogram<UInt64> {
        latencies.values.reduce(into: .microseconds(digits)) { $0.add($1) }
    }

    /// The number of responses with a status of at least this.
    package func answers(from status: Int = 0) -> Int {
        statuses.reduce(0) { $0 + ($1.key >= status ? $1.value : 0) }
    }

    /// The number of requests without a response.
    package var faultCount: Int { faults.values.reduce(0, +) }

    /// Counts how a request ended: the status of its response, or why it has none. Without `nanoseconds`, its latency
    /// does not count.
    package mutating func count(_ ending: Result<Int, LoadFault>, nanoseconds: Int64?, acceptedEvents: Int = 0) {
        switch ending {
        case .success(let status): statuses[status, default: 0] += 1
        case .failure(let fault): faults[fault, default: 0] += 1
        }
        self.acceptedEvents += acceptedEvents
        if let nanoseconds { record(nanoseconds, status: try? ending.get()) }
    }

    package mutating func record(_ nanoseconds: Int64, status: Int?) {
        latencies[StatusClass(status: status), default: .microseconds(digits)].record(nanoseconds: nanoseconds)
    }

    package mutating func add(_ other: RouteTally) {
        for (kind, histogram) in other.latencies { latencies[kind, default: .microseconds(digits)].add(histogram) }
        requests += other.requests
        statuses.merge(other.statuses, uniquingKeysWith: +)
        faults.merge(other.faults, uniquingKeysWith: +)
        unusable += other.unusable
        acceptedEvents += other.acceptedEvents
    }
}
