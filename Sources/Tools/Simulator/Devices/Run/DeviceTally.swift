package import Histogram

/// The counts of one thread's devices, or of all.
package struct DeviceTally: Sendable {
    package struct Call: Sendable {
        /// Microseconds from the wish to send a request to its complete response, including connecting. A request
        /// without a response counts with its waiting time; one that the device aborted does not count.
        package var latency = LoadTally.emptyHistogram()
        package var requests = 0
        package var statuses: [Int: Int] = [:]
        package var faults: [LoadFault: Int] = [:]
        /// Responses with an unexpected status or content, which the device cannot use.
        package var unusable = 0

        package init() {}

        mutating func add(_ other: Call) {
            latency.add(other.latency)
            requests += other.requests
            statuses.merge(other.statuses, uniquingKeysWith: +)
            faults.merge(other.faults, uniquingKeysWith: +)
            unusable += other.unusable
        }
    }

    package var calls: [DeviceCall: Call] = [:]
    package var bytesSent = 0
    package var bytesReceived = 0
    package var visits = 0
    package var offlineVisits = 0
    /// Simulated device-days, including those without a visit.
    package var deviceDays = 0
    /// Requests sent again after a failure.
    package var retries = 0
    package var partsGivenUp = 0
    package var answersThrownAway = 0
    package var answersCut = 0
    /// Batches with events of several days.
    package var lateBatches = 0
    /// Idle connections that the server closed and the device reopened.
    package var reopened = 0
    /// Currently open connections.
    package var connected = 0
    package var account = DeviceAccount()

    package init() {}

    package mutating func change(_ call: DeviceCall, _ body: (inout Call) -> Void) {
        body(&calls[call, default: Call()])
    }

    /// Failures by kind: calls without a response or with an unusable one.
    package var errors: [(name: String, count: Int)] {
        LoadFault.allCases.compactMap { fault in
            let count = calls.values.reduce(0) { $0 + ($1.faults[fault] ?? 0) }
            return count > 0 ? (fault.rawValue, count) : nil
        } + (unusable > 0 ? [("answer of no use", unusable)] : [])
    }

    private var unusable: Int { calls.values.reduce(0) { $0 + $1.unusable } }

    /// The latency of all catalogue calls.
    package var catalogueLatency: Histogram<UInt64> {
        var all = LoadTally.emptyHistogram()
        for (call, figures) in calls where call.isCatalogue { all.add(figures.latency) }
        return all
    }

    package mutating func add(_ other: DeviceTally) {
        for (call, figures) in other.calls { change(call) { $0.add(figures) } }
        bytesSent += other.bytesSent
        bytesReceived += other.bytesReceived
        visits += other.visits
        offlineVisits += other.offlineVisits
        deviceDays += other.deviceDays
        retries += other.retries
        partsGivenUp += other.partsGivenUp
        answersThrownAway += other.answersThrownAway
        answersCut += other.answersCut
        lateBatches += other.lateBatches
        reopened += other.reopened
        connected += other.connected
        account.add(other.account)
    }
}
