package import Histogram
import JSONWire
import SubGuardContract

/// A kind of request, with a row in the report.
package enum LoadRoute: String, Sendable, CaseIterable {
    /// A page of the catalogue, for a device without a copy or with an expired token.
    case whole
    /// Changes since a device's copy, with the last entity tag: 304 if there are none.
    case revalidation
    /// Changes since the copy, for a device without an entity tag.
    case delta
    case suggestions
    case analytics
    /// A page of the catalogue, in traffic at a rate.
    case catalogue
    case search
    /// Due, but not sent: no connection was free, or none could be made.
    case unsent = "never sent"

    /// Whether it synchronises a device's catalogue.
    package var isSynchronisation: Bool { self == .whole || self == .revalidation || self == .delta }

    /// Whether a device can use a response with this status. 410 and 422 make it start with the first page again.
    func isUsable(_ status: Int) -> Bool {
        switch self {
        case .whole, .catalogue, .search: status == 200
        case .revalidation: [200, 304, 410, 422].contains(status)
        case .delta: [200, 410, 422].contains(status)
        case .suggestions, .analytics: status == 202
        case .unsent: false
        }
    }
}

/// The counts of one thread, or of all.
package struct LoadTally: Sendable {
    /// A number beside those of the routes. The raw value is its name where the report lists it.
    package enum Count: String, Sendable {
        case bytesSent = "bytes_sent"
        /// Responses to batches whose counts differ from what was sent.
        case disagreements

        /// Responses with status 2xx, and accepted events, during the measurement.
        case measuredAnswers, measuredEvents

        // Traffic at a rate.

        /// Events of batches with another status than 202, which the server has not stored.
        case refusedEvents = "not_taken"
        /// Events of batches without a response, whose outcome is unknown.
        case unansweredEvents = "unanswered"
        /// Requests that were due and waited for a connection, at most.
        case largestBacklog = "largest_backlog"

        // Simulated devices.

        case visits
        case offlineVisits = "offline_visits"
        /// Simulated device-days, including those without a visit.
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
        case recorded
        case settled
        case waiting
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

    package var routes: [LoadRoute: RouteTally] = [:]
    /// Microseconds from when a request was sent.
    package var fromSent = Histogram<UInt64>.microseconds()
    /// Over time, in slices of equal length, with two significant digits.
    package private(set) var slices: [RouteTally] = []
    /// What the responses to batches should report, in traffic at a rate, and what they do report.
    package var expected = EventCounts()
    package var reported = EventCounts()
    /// A description of the first of the disagreements.
    package private(set) var firstDisagreement: String?
    private var counts: [Count: Int] = [:]

    package init() {}

    package subscript(count: Count) -> Int {
        get { counts[count, default: 0] }
        set { counts[count] = newValue }
    }

    /// The sum of all routes.
    package var total: RouteTally { routes.values.reduce(into: RouteTally()) { $0.add($1) } }

    /// Of all requests that synchronise a device's catalogue.
    package var synchronisation: Histogram<UInt64> {
        routes.filter { $0.key.isSynchronisation }.values.reduce(into: .microseconds()) { $0.add($1.latency) }
    }

    package mutating func add(_ other: LoadTally) {
        for (route, tally) in other.routes { change(route) { $0.add(tally) } }
        fromSent.add(other.fromSent)
        for (index, slice) in other.slices.enumerated() { change(slice: index) { $0.add(slice) } }
        expected += other.expected
        reported += other.reported
        firstDisagreement = firstDisagreement ?? other.firstDisagreement
        counts.merge(other.counts, uniquingKeysWith: +)
    }

    package mutating func change(_ route: LoadRoute, _ body: (inout RouteTally) -> Void) {
        body(&routes[route, default: RouteTally()])
    }

    package mutating func change(slice index: Int, _ body: (inout RouteTally) -> Void) {
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
    package mutating func note(_ disagreement: String) {
        self[.disagreements] += 1
        firstDisagreement = firstDisagreement ?? disagreement
    }
}

/// The expected or reported numbers of accepted, duplicate and rejected events.
package struct EventCounts: Sendable, Equatable, CustomStringConvertible {
    package var accepted = 0
    package var duplicates = 0
    package var rejected = 0

    package init(accepted: Int = 0, duplicates: Int = 0, rejected: Int = 0) {
        self.accepted = accepted
        self.duplicates = duplicates
        self.rejected = rejected
    }

    /// Reads the response to a batch; nil if it does not match the contract.
    init?(_ body: [UInt8]) {
        guard let object = (try? JSONValue.parse(body))?.objectValue,
            let receipt = try? EventReceipt(object, unknown: .ignored)
        else { return nil }
        self.init(accepted: receipt.accepted, duplicates: receipt.duplicates, rejected: receipt.rejectedCount)
    }

    package var total: Int { accepted + duplicates + rejected }

    package var description: String { "accepted \(accepted), duplicates \(duplicates), rejected \(rejected)" }

    package static func += (left: inout EventCounts, right: EventCounts) {
        left.accepted += right.accepted
        left.duplicates += right.duplicates
        left.rejected += right.rejected
    }
}
