package import Histogram

/// What the devices of one thread, or of all of them, saw.
package struct DeviceTally: Sendable {
    package struct Call: Sendable {
        /// Microseconds from when a device wanted to ask to its whole answer, connecting included. A request without an
        /// answer counts with the time that was waited for it; one that the device cut off itself does not count.
        package var latency = LoadTally.emptyHistogram()
        package var requests = 0
        package var statuses: [Int: Int] = [:]
        package var faults: [LoadFault: Int] = [:]
        /// Answers with a status, or a content, with which a device cannot go on.
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
    /// Days that devices lived, those without a visit included.
    package var deviceDays = 0
    /// Requests that were sent again after a failure.
    package var retries = 0
    package var partsGivenUp = 0
    package var answersThrownAway = 0
    package var answersCut = 0
    /// Batches with the events of more than one day.
    package var lateBatches = 0
    /// Connections that the server closed while nothing was asked, and that were opened again.
    package var reopened = 0
    /// Connections that stand at the moment.
    package var connected = 0
    package var account = DeviceAccount()

    package init() {}

    package mutating func change(_ call: DeviceCall, _ body: (inout Call) -> Void) {
        body(&calls[call, default: Call()])
    }

    /// Failures by kind: calls without an answer, and with one that is of no use.
    package var errors: [(name: String, count: Int)] {
        LoadFault.allCases.compactMap { fault in
            let count = calls.values.reduce(0) { $0 + ($1.faults[fault] ?? 0) }
            return count > 0 ? (fault.rawValue, count) : nil
        } + (unusable > 0 ? [("answer of no use", unusable)] : [])
    }

    private var unusable: Int { calls.values.reduce(0) { $0 + $1.unusable } }

    /// Of every call of the catalogue.
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
