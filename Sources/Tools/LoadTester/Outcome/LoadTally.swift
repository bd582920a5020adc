import DeviceSimulation
import Histogram
import LatencyHistogram

extension ClientTally.Count {
    static let bytesSent = Self("bytes_sent")
    static let bytesReceived = Self("bytes_received")
    /// Responses with status 2xx, and accepted events, during the measurement.
    static let (measuredAnswers, measuredEvents) = (Self("measured_answers"), Self("measured_events"))
    // Traffic at a rate: events of batches with another status than 202, which the server has not stored; events of
    // batches without a response; requests that were due and waited for a connection, at most.
    static let refusedEvents = Self("not_taken")
    static let unansweredEvents = Self("unanswered")
    static let largestBacklog = Self("largest_backlog")
    /// Idle connections that the server closed and the device reopened.
    static let reopened = Self("connections_reopened")
    /// Currently open connections.
    static let connected = Self("connected")
}

/// The counts of one thread, or of all.
struct LoadTally: Sendable {
    /// By kind of request; nil for those that were due but not sent, because no connection was free or could be made.
    var routes: [ClientRoute?: RouteTally] = [:]
    /// Microseconds from when a request was sent.
    var fromSent = Histogram<UInt64>.microseconds()
    /// Over time, in slices of equal length, with two significant digits.
    private(set) var slices: [RouteTally] = []
    /// What the responses to batches should report, in traffic at a rate.
    var expected = EventCounts()
    /// What they do report, and the other numbers.
    var client = ClientTally()

    subscript(count: ClientTally.Count) -> Int {
        get { client[count] }
        set { client[count] = newValue }
    }

    /// The sum of all routes.
    var total: RouteTally { routes.values.reduce(into: RouteTally()) { $0.add($1) } }

    /// Of all requests that synchronise a device's catalogue.
    var synchronisation: Histogram<UInt64> {
        routes.reduce(into: .microseconds()) { if $1.key?.isSynchronisation ?? false { $0.add($1.value.latency) } }
    }

    mutating func add(_ other: LoadTally) {
        for (route, tally) in other.routes { change(route) { $0.add(tally) } }
        fromSent.add(other.fromSent)
        for (index, slice) in other.slices.enumerated() { change(slice: index) { $0.add(slice) } }
        expected += other.expected
        client.add(other.client)
    }

    mutating func change(_ route: ClientRoute?, _ body: (inout RouteTally) -> Void) {
        body(&routes[route, default: RouteTally()])
    }

    mutating func change(slice index: Int, _ body: (inout RouteTally) -> Void) {
        while slices.count <= index { slices.append(RouteTally(.two)) }
        body(&slices[index])
    }

    /// Counts how a request ended: the status of its response, or why it has none.
    ///
    /// - Parameter pending: nil if it was not sent.
    mutating func record(
        _ ending: Result<Int, LoadFault>, of pending: LoadConnection.Pending?, dueAt: Int64, _ timing: LoadTiming,
        acceptedEvents: Int = 0
    ) {
        let now = LoadClock.now()
        let isMeasured = timing.isMeasured(dueAt)
        change(pending?.request.route) { $0.count(ending, nanoseconds: isMeasured ? now - dueAt : nil) }
        change(slice: timing.slice(at: now)) {
            $0.count(ending, nanoseconds: now - dueAt, acceptedEvents: acceptedEvents)
        }
        if isMeasured, let pending { fromSent.record(nanoseconds: now - pending.sentAt) }
        if timing.isMeasured(now), case .success(200..<300) = ending {
            self[.measuredAnswers] += 1
            self[.measuredEvents] += acceptedEvents
        }
    }
}

/// The result of a run.
struct LoadResult: Sendable {
    var plan: LoadPlan
    let tally: LoadTally
    /// Excludes the warm-up and the wait for the last responses of traffic at a rate.
    var measuredSeconds = 0.0
    /// CPU time of the load tool itself over the whole run, in cores.
    var processorCores = 0.0
    /// What the server used over the whole run, as far as it was asked for.
    var usage = ServerUsage()
    /// Whether the run was stopped early.
    var wasStopped = false
    /// The tried rates of a ramp, of which this is the highest that held, or else the last.
    var ramp: [RampStep] = []
    /// Maximum number of devices that were connected at once.
    var mostConnected = 0
    /// The increase of the dashboard's figures during a run of devices; nil without a token.
    var dashboard: [String: Int]?

    /// The sum of all routes; its latency counts from when requests were due.
    var total: RouteTally { tally.total }

    /// What the bounds of latency hold for: all requests, or those with which devices synchronise the catalogue.
    var latency: Histogram<UInt64> { plan.isOfDevices ? tally.synchronisation : total.latency }

    /// Why the run failed, most serious first; empty if it passed.
    var failures: [String] {
        let interruption = "interrupted: what waited on the devices was not sent"
        let ofDevices = wasStopped ? [interruption] : tally.client.deviceFailures(dashboard: dashboard)
        return (plan.isOfDevices ? ofDevices : rateFailures) + plan.thresholds.failures(of: self)
    }

    private var rateFailures: [String] {
        var failures: [String] = []
        if !ramp.isEmpty, !ramp.contains(where: \.holds) { failures.append("--ramp: no rate keeps the bounds") }
        if wasStopped { failures.append("interrupted: the run was stopped early") }
        if let first = tally.client.firstDisagreement {
            failures.append(
                "the server's counts disagree with what was sent in \(tally[.disagreements]) answers: \(first)")
        }
        if !total.statuses.contains(where: { (200..<300).contains($0.key) }) { failures.append("no request succeeded") }
        return failures
    }
}
