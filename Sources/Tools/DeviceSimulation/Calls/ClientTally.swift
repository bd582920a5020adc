import JSONWire
import SubGuardContract

/// What clients did and what servers answered, in numbers.
package struct ClientTally: Sendable {
    /// What a number counts.
    package struct Count: Sendable, Hashable {
        /// As in the report, where it lists the number.
        package let name: String

        package init(_ name: String) { self.name = name }
    }

    /// What the responses to batches report.
    package var reported = EventCounts()
    /// A description of the first of the disagreements.
    package private(set) var firstDisagreement: String?
    private var counts: [Count: Int] = [:]

    package init() {}

    package subscript(count: Count) -> Int {
        get { counts[count, default: 0] }
        set { counts[count] = newValue }
    }

    package mutating func add(_ other: ClientTally) {
        reported += other.reported
        firstDisagreement = firstDisagreement ?? other.firstDisagreement
        counts.merge(other.counts, uniquingKeysWith: +)
    }

    /// Counts a response that differs from what was sent.
    package mutating func note(_ disagreement: String) {
        self[.disagreements] += 1
        firstDisagreement = firstDisagreement ?? disagreement
    }
}

extension ClientTally.Count {
    /// Responses to batches whose counts differ from what was sent.
    package static let disagreements = Self("disagreements")

    // Simulated devices; their days include those without a visit.
    package static let visits = Self("visits")
    package static let offlineVisits = Self("offline_visits")
    package static let deviceDays = Self("device_days")
    /// Requests sent again after a failure.
    package static let retries = Self("retries")
    package static let answersThrownAway = Self("answers_thrown_away")
    package static let answersCut = Self("answers_cut")
    /// Distinct events recorded by devices; those of them with a received response, and without one.
    package static let (recorded, settled, waiting) = (Self("recorded"), Self("settled"), Self("waiting"))
    /// Events in all answered batches, counted each time that they were sent.
    package static let sent = Self("sent")
    package static let suggestionsTaken = Self("suggestions_taken")
    package static let suggestionsWaiting = Self("suggestions_waiting")

    /// What the dashboard should gain: devices with a settled event, settled additions minus settled removals, and
    /// settled purchases.
    package static let users = Self("total_users")
    package static let subscriptions = Self("subscriptions_tracked")
    package static let conversions = Self("premium_conversions")

    /// Those that the dashboard shows as well.
    package static let ofDashboard: [Self] = [.users, .subscriptions, .conversions]
}

extension ClientTally {
    /// The events and suggestions of devices, with their names in the report.
    package var deviceEvents: [(name: String, count: Int)] {
        [
            ("recorded", self[.recorded]), ("answered_for", self[.settled]),
            ("lost", self[.recorded] - self[.settled]), ("sent", self[.sent]), ("accepted", reported.accepted),
            ("duplicates", reported.duplicates), ("rejected", reported.rejected),
            ("miscounts", self[.disagreements]), ("suggestions_taken", self[.suggestionsTaken]),
        ]
    }

    /// What is wrong with the numbers of a run of devices, most serious first; empty if every event is accounted for.
    ///
    /// - Parameter dashboard: the increase of the dashboard's figures during the run; nil if it was not read.
    package func deviceFailures(dashboard: [String: Int]?) -> [String] {
        var failures = accountFault.map { [$0] } ?? []
        let figures = Count.ofDashboard.sorted { $0.name < $1.name }
        if let dashboard, figures.contains(where: { dashboard[$0.name] != self[$0] }) {
            let words = figures.map { "\($0.name) \(dashboard[$0.name] ?? 0) of \(self[$0])" }
            failures.append("the dashboard differs from the devices' counts: " + words.joined(separator: ", "))
        }
        return failures
    }

    /// The most important discrepancy; nil if every event of the devices is accounted for.
    private var accountFault: String? {
        let (recorded, settled, sent) = (self[.recorded], self[.settled], self[.sent])
        if let firstDisagreement {
            return "\(self[.disagreements]) answers have wrong counts; the first: \(firstDisagreement)"
        }
        if self[.waiting] > 0 || settled != recorded {
            return "\(settled) of \(recorded) events were acknowledged; \(recorded - settled) are lost"
        }
        if sent != reported.total { return "\(sent) events were sent, but the responses count \(reported.total)" }
        if reported.rejected > 0 { return "\(reported.rejected) events were rejected" }
        if self[.suggestionsWaiting] > 0 { return "\(self[.suggestionsWaiting]) suggestions are lost" }
        return nil
    }
}

/// The expected or reported numbers of accepted, duplicate and rejected events.
package struct EventCounts: Sendable, Equatable, CustomStringConvertible {
    package var accepted: Int
    package var duplicates: Int
    package var rejected: Int

    package init(accepted: Int = 0, duplicates: Int = 0, rejected: Int = 0) {
        (self.accepted, self.duplicates, self.rejected) = (accepted, duplicates, rejected)
    }

    package var total: Int { accepted + duplicates + rejected }

    package var description: String { "accepted \(accepted), duplicates \(duplicates), rejected \(rejected)" }

    package static func += (left: inout EventCounts, right: EventCounts) {
        left.accepted += right.accepted
        left.duplicates += right.duplicates
        left.rejected += right.rejected
    }
}

extension EventCounts {
    /// Reads the response to a batch; nil if it does not match the contract.
    package init?(_ body: [UInt8]) {
        guard let object = (try? JSONValue.parse(body))?.objectValue,
            let receipt = try? EventReceipt(object, unknown: .ignored)
        else { return nil }
        self.init(accepted: receipt.accepted, duplicates: receipt.duplicates, rejected: receipt.rejectedCount)
    }
}
