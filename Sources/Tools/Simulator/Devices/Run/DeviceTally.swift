package import Histogram

/// The counts of one thread's devices, or of all.
package struct DeviceTally: Tally {
    /// Latencies count from the wish to send a request, connecting included; a request that the device aborted does not
    /// count.
    package var calls: [DeviceCall: RouteTally] = [:]
    package var series = TimeSeries()
    package var bytesSent = 0
    package var bytesReceived = 0
    package var visits = 0
    package var offlineVisits = 0
    /// Simulated device-days, including those without a visit.
    package var deviceDays = 0
    /// Requests sent again after a failure.
    package var retries = 0
    package var answersThrownAway = 0
    package var answersCut = 0
    /// Idle connections that the server closed and the device reopened.
    package var reopened = 0
    /// Currently open connections.
    package var connected = 0
    package var account = DeviceAccount()

    package init() {}

    package mutating func change(_ call: DeviceCall, _ body: (inout RouteTally) -> Void) {
        body(&calls[call, default: RouteTally()])
    }

    /// Of all catalogue calls.
    package var catalogueLatency: Histogram<UInt64> {
        calls.filter { $0.key.isCatalogue }.total.latency
    }

    package mutating func add(_ other: DeviceTally) {
        calls.add(other.calls)
        series.add(other.series)
        addCounts(
            other,
            [
                \.bytesSent, \.bytesReceived, \.visits, \.offlineVisits, \.deviceDays, \.retries, \.answersThrownAway,
                \.answersCut, \.reopened, \.connected,
            ])
        account.add(other.account)
    }
}
