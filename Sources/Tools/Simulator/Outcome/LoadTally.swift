import Histogram
import JSONWire
import SubGuardContract

/// The counts of one thread, or of all.
struct LoadTally: Sendable {
    /// A number beside those of the routes. The raw value is its name where the report lists it.
    enum Count: String, Sendable {
        case bytesSent = "bytes_sent"
        /// Responses to batches whose counts differ from what was sent.
        case disagreements
        /// Responses with status 2xx, and accepted events, during the measurement.
        case measuredAnswers, measuredEvents

        // Traffic at a rate: events of batches with another status than 202, which the server has not stored; events of
        // batches without a response; requests that were due and waited for a connection, at most.
        case refusedEvents = "not_taken"
        case unansweredEvents = "unanswered"
        case largestBacklog = "largest_backlog"

        // Simulated devices; their days include those without a visit.
        case visits
        case offlineVisits = "offline_visits"
        case deviceDays = "device_days"
        case bytesReceived = "bytes_received"
        /// Requests sent again after a failure.
        case retries
        case answersThrownAway = "answers_thrown_away"
        case answersCut = "answers_cut"
        /// Idle connections that the server closed and the device reopened.
        case reopened = "connections_reopened"
        /// Currently open connections.
        case connected
        /// Distinct events recorded by devices; those of them with a received response, and without one.
        case recorded, settled, waiting
        /// Events in all answered batches, counted each time that they were sent.
        case sent
        case suggestionsTaken, suggestionsWaiting
        /// What the dashboard should gain: devices with a settled event, settled additions minus settled removals, and
        /// settled purchases.
        case users = "total_users"
        case subscriptions = "subscriptions_tracked"
        case conversions = "premium_conversions"

        /// Those that the report shows as they are.
        static let shown: [Count] = [
            .disagreements, .bytesSent, .bytesReceived, .largestBacklog, .reopened, .visits, .offlineVisits,
            .deviceDays, .answersThrownAway, .answersCut, .retries,
        ]
        /// Those that the dashboard shows as well.
        static let ofDashboard: [Count] = [.users, .subscriptions, .conversions]
    }

    var routes: [LoadRoute: RouteTally] = [:]
    /// Microseconds from when a request was sent.
    var fromSent = Histogram<UInt64>.microseconds()
    /// Over time, in slices of equal length, with two significant digits.
    private(set) var slices: [RouteTally] = []
    /// What the responses to batches should report, in traffic at a rate, and what they do report.
    var expected = EventCounts()
    var reported = EventCounts()
    /// A description of the first of the disagreements.
    private(set) var firstDisagreement: String?
    private var counts: [Count: Int] = [:]

    subscript(count: Count) -> Int {
        get { counts[count, default: 0] }
        set { counts[count] = newValue }
    }

    /// The sum of all routes.
    var total: RouteTally { routes.values.reduce(into: RouteTally()) { $0.add($1) } }

    /// Of all requests that synchronise a device's catalogue.
    var synchronisation: Histogram<UInt64> {
        routes.filter(\.key.isSynchronisation).values.reduce(into: .microseconds()) { $0.add($1.latency) }
    }

    mutating func add(_ other: LoadTally) {
        for (route, tally) in other.routes { change(route) { $0.add(tally) } }
        fromSent.add(other.fromSent)
        for (index, slice) in other.slices.enumerated() { change(slice: index) { $0.add(slice) } }
        expected += other.expected
        reported += other.reported
        firstDisagreement = firstDisagreement ?? other.firstDisagreement
        counts.merge(other.counts, uniquingKeysWith: +)
    }

    mutating func change(_ route: LoadRoute, _ body: (inout RouteTally) -> Void) {
        body(&routes[route, default: RouteTally()])
    }

    mutating func change(slice index: Int, _ body: (inout RouteTally) -> Void) {
        while slices.count <= index { slices.append(RouteTally(.two)) }
        body(&slices[index])
    }

    /// Counts how a request ended: the status of its response, or why it has none.
    ///
    /// - Parameter sentAt: nil if it was not sent.
    mutating func record(
        _ ending: Result<Int, LoadFault>, of route: LoadRoute, dueAt: Int64, sentAt: Int64?, _ timing: LoadTiming,
        acceptedEvents: Int = 0
    ) {
        let now = LoadClock.now()
        let isMeasured = timing.isMeasured(dueAt)
        change(route) { $0.count(ending, nanoseconds: isMeasured ? now - dueAt : nil) }
        change(slice: timing.slice(at: now)) {
            $0.count(ending, nanoseconds: now - dueAt, acceptedEvents: acceptedEvents)
        }
        if isMeasured, let sentAt { fromSent.record(nanoseconds: now - sentAt) }
        if timing.isMeasured(now), case .success(200..<300) = ending {
            self[.measuredAnswers] += 1
            self[.measuredEvents] += acceptedEvents
        }
    }

    /// Counts a response that differs from what was sent.
    mutating func note(_ disagreement: String) {
        self[.disagreements] += 1
        firstDisagreement = firstDisagreement ?? disagreement
    }
}

/// The expected or reported numbers of accepted, duplicate and rejected events.
struct EventCounts: Sendable, Equatable, CustomStringConvertible {
    var accepted = 0
    var duplicates = 0
    var rejected = 0

    var total: Int { accepted + duplicates + rejected }

    var description: String { "accepted \(accepted), duplicates \(duplicates), rejected \(rejected)" }

    static func += (left: inout EventCounts, right: EventCounts) {
        left.accepted += right.accepted
        left.duplicates += right.duplicates
        left.rejected += right.rejected
    }
}

extension EventCounts {
    /// Reads the response to a batch; nil if it does not match the contract.
    init?(_ body: [UInt8]) {
        guard let object = (try? JSONValue.parse(body))?.objectValue,
            let receipt = try? EventReceipt(object, unknown: .ignored)
        else { return nil }
        self.init(accepted: receipt.accepted, duplicates: receipt.duplicates, rejected: receipt.rejectedCount)
    }
}
