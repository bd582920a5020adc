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
}

/// Counts, of one thread or of several added up.
package protocol Tally: Sendable {
    init()
    mutating func add(_ other: Self)
}

extension Tally {
    mutating func addCounts(_ other: Self, _ counts: [WritableKeyPath<Self, Int>]) {
        for count in counts { self[keyPath: count] += other[keyPath: count] }
    }
}

/// The counts and latencies of one kind of request.
package struct RouteTally: Tally {
    /// Microseconds from when a request was due to its complete response. A request without a response counts with its
    /// waiting time, so that timeouts do not look fast.
    package private(set) var latencies: [StatusClass: Histogram<UInt64>] = [:]
    package var requests = 0
    package var statuses: [Int: Int] = [:]
    package var faults: [LoadFault: Int] = [:]
    /// Responses with an unexpected status or content.
    package var unusable = 0

    package init() {}

    /// Of all classes.
    package var latency: Histogram<UInt64> {
        latencies.values.reduce(into: .microseconds()) { $0.add($1) }
    }

    package mutating func record(_ nanoseconds: Int64, status: Int?) {
        latencies[StatusClass(status: status), default: .microseconds()].record(UInt64(max(0, nanoseconds) / 1000))
    }

    package mutating func add(_ other: RouteTally) {
        for (kind, histogram) in other.latencies { latencies[kind, default: .microseconds()].add(histogram) }
        requests += other.requests
        statuses.merge(other.statuses, uniquingKeysWith: +)
        faults.merge(other.faults, uniquingKeysWith: +)
        unusable += other.unusable
    }
}

extension Dictionary where Value == RouteTally {
    /// The sum of all routes.
    package var total: RouteTally { values.reduce(into: RouteTally()) { $0.add($1) } }

    mutating func add(_ other: Self) {
        for (route, tally) in other { self[route, default: RouteTally()].add(tally) }
    }
}

/// Counts and latencies over time, in slices of equal length.
package struct TimeSeries: Sendable {
    package struct Slice: Tally {
        package var answers = 0
        package var acceptedEvents = 0
        package var refused = 0
        package var faults = 0
        /// Microseconds, with two significant digits.
        package var latency = Histogram<UInt64>.microseconds(.two)

        package init() {}

        package mutating func add(_ other: Slice) {
            addCounts(other, [\.answers, \.acceptedEvents, \.refused, \.faults])
            latency.add(other.latency)
        }
    }

    package private(set) var slices: [Slice] = []

    package init() {}

    /// Counts a response, or a request without one, in the slice of this number.
    package mutating func count(at index: Int, status: Int?, nanoseconds: Int64, acceptedEvents: Int = 0) {
        reach(index)
        if let status { slices[index].answers += 1; slices[index].refused += status >= 400 ? 1 : 0 }
        if status == nil { slices[index].faults += 1 }
        slices[index].acceptedEvents += acceptedEvents
        slices[index].latency.record(UInt64(max(0, nanoseconds) / 1000))
    }

    mutating func add(_ other: TimeSeries) {
        for (index, slice) in other.slices.enumerated() {
            reach(index)
            slices[index].add(slice)
        }
    }

    private mutating func reach(_ index: Int) { while slices.count <= index { slices.append(Slice()) } }
}
