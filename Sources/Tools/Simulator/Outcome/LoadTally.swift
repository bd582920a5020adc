package import Histogram
import JSONWire
import SubGuardContract

/// What a request of constant traffic asks for.
package enum LoadRoute: String, Sendable, CaseIterable {
    case analytics
    case catalogue
    case search
    /// Due, but not sent: no connection was free, or none could be made.
    case unsent = "never sent"
}

/// The counts of one thread, or of all.
package struct LoadTally: Tally {
    package var routes: [LoadRoute: RouteTally] = [:]
    /// Microseconds from when a request was sent.
    package var fromSent = Histogram<UInt64>.microseconds()
    package var series = TimeSeries()
    /// The expected counts of all 202 responses.
    package var expected = EventCounts()
    /// The reported counts of all 202 responses.
    package var reported = EventCounts()
    /// 202 responses whose counts differ from the expected ones.
    package var disagreements = 0
    /// A description of the first of them.
    package var firstDisagreement: String?
    /// Events of batches with another status, which the server has not stored.
    package var refusedEvents = 0
    /// Events of batches without a response, whose outcome is unknown.
    package var unansweredEvents = 0
    /// Responses and accepted events during the measurement.
    package var measuredAnswers = 0
    package var measuredEvents = 0
    package var bytesSent = 0
    package var largestBacklog = 0

    package init() {}

    package mutating func add(_ other: LoadTally) {
        routes.add(other.routes)
        fromSent.add(other.fromSent)
        series.add(other.series)
        expected += other.expected
        reported += other.reported
        firstDisagreement = firstDisagreement ?? other.firstDisagreement
        addCounts(
            other,
            [
                \.disagreements, \.refusedEvents, \.unansweredEvents, \.measuredAnswers, \.measuredEvents, \.bytesSent,
                \.largestBacklog,
            ])
    }

    package mutating func change(_ route: LoadRoute, _ body: (inout RouteTally) -> Void) {
        body(&routes[route, default: RouteTally()])
    }
}

extension LoadTally {
    /// Counts a response. Returns whether the server has accepted the batch.
    mutating func count(
        _ answer: Answer, to pending: LoadConnection.Pending, at now: Int64, _ timing: LoadTiming
    ) -> Bool {
        var accepted = 0
        var isTaken = false
        if let batch = pending.request.batch {
            if answer.status == 202 {
                isTaken = true
                let said = EventCounts(answer.body) ?? EventCounts()
                accepted = said.accepted
                compare(said, with: batch.expected)
            } else {
                refusedEvents += batch.expected.total
            }
        }
        if timing.isMeasured(now), (200..<300).contains(answer.status) {
            measuredAnswers += 1
            measuredEvents += accepted
        }
        change(pending.request.route) { $0.statuses[answer.status, default: 0] += 1 }
        record(pending, status: answer.status, accepted: accepted, at: now, timing)
        return isTaken
    }

    /// Counts a request without a response.
    mutating func count(_ fault: LoadFault, _ pending: LoadConnection.Pending, at now: Int64, _ timing: LoadTiming) {
        unansweredEvents += pending.request.batch?.expected.total ?? 0
        change(pending.request.route) { $0.faults[fault, default: 0] += 1 }
        record(pending, status: nil, accepted: 0, at: now, timing)
    }

    /// Counts a request that was due and never sent.
    mutating func countUnsent(dueAt: Int64, at now: Int64, _ timing: LoadTiming) {
        change(.unsent) {
            $0.requests += 1
            $0.faults[.unsent, default: 0] += 1
            if timing.isMeasured(dueAt) { $0.record(now - dueAt, status: nil) }
        }
    }

    private mutating func record(
        _ pending: LoadConnection.Pending, status: Int?, accepted: Int, at now: Int64, _ timing: LoadTiming
    ) {
        series.count(
            at: timing.slice(at: now), status: status, nanoseconds: now - pending.dueAt, acceptedEvents: accepted)
        guard timing.isMeasured(pending.dueAt) else { return }
        change(pending.request.route) { $0.record(now - pending.dueAt, status: status) }
        fromSent.record(UInt64(max(0, now - pending.sentAt) / 1000))
    }

    private mutating func compare(_ said: EventCounts, with batch: EventCounts) {
        expected += batch
        reported += said
        guard said != batch else { return }
        disagreements += 1
        firstDisagreement =
            firstDisagreement
            ?? "a batch of \(batch.accepted) new, \(batch.duplicates) known and \(batch.rejected) bad events was answered "
            + "accepted \(said.accepted), duplicates \(said.duplicates), rejected \(said.rejected)"
    }
}

/// The expected or reported numbers of accepted, duplicate and rejected events of a batch.
package struct EventCounts: Tally, Equatable {
    package var accepted = 0
    package var duplicates = 0
    package var rejected = 0

    package init() {}

    package init(accepted: Int, duplicates: Int = 0, rejected: Int = 0) {
        self.accepted = accepted
        self.duplicates = duplicates
        self.rejected = rejected
    }

    /// Reads the response to a batch; nil if it does not match the contract.
    init?(_ body: [UInt8]) {
        guard let object = (try? JSONValue.parse(body))?.objectValue,
            let answer = try? EventReceipt(object, unknown: .ignored)
        else { return nil }
        self.init(accepted: answer.accepted, duplicates: answer.duplicates, rejected: answer.rejectedCount)
    }

    package var total: Int { accepted + duplicates + rejected }

    package mutating func add(_ other: EventCounts) { addCounts(other, [\.accepted, \.duplicates, \.rejected]) }

    package static func += (left: inout EventCounts, right: EventCounts) { left.add(right) }
}
