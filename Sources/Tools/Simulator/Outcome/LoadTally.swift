package import Histogram
import JSONWire
import SubGuardContract

/// The counts of one thread, or of all.
package struct LoadTally: Sendable {
    /// The counts of a time slice.
    package struct Slice: Sendable, Equatable {
        package var answers = 0
        package var acceptedEvents = 0
        package var faults = 0

        package init() {}
    }

    /// Microseconds from the due time of a request to its complete response. A request without a response counts with
    /// its waiting time, so that timeouts do not look fast.
    package var fromDue = LoadTally.emptyHistogram()
    /// Microseconds from when a request was sent.
    package var fromSent = LoadTally.emptyHistogram()
    package var requests = 0
    package var statuses: [Int: Int] = [:]
    package var faults: [LoadFault: Int] = [:]
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
    package var slices: [Slice] = []

    package init() {}

    package var answered: Int { statuses.values.reduce(0, +) }
    package var faultCount: Int { faults.values.reduce(0, +) }
    package var succeeded: Int { statuses.reduce(0) { $0 + ((200..<300).contains($1.key) ? $1.value : 0) } }

    package mutating func add(_ other: LoadTally) {
        fromDue.add(other.fromDue)
        fromSent.add(other.fromSent)
        requests += other.requests
        statuses.merge(other.statuses, uniquingKeysWith: +)
        faults.merge(other.faults, uniquingKeysWith: +)
        expected += other.expected
        reported += other.reported
        disagreements += other.disagreements
        firstDisagreement = firstDisagreement ?? other.firstDisagreement
        refusedEvents += other.refusedEvents
        unansweredEvents += other.unansweredEvents
        measuredAnswers += other.measuredAnswers
        measuredEvents += other.measuredEvents
        bytesSent += other.bytesSent
        largestBacklog += other.largestBacklog
        for (index, slice) in other.slices.enumerated() {
            change(slice: index) {
                $0.answers += slice.answers
                $0.acceptedEvents += slice.acceptedEvents
                $0.faults += slice.faults
            }
        }
    }

    mutating func change(slice index: Int, _ body: (inout Slice) -> Void) {
        while slices.count <= index { slices.append(Slice()) }
        body(&slices[index])
    }

    /// Three significant digits, with room for more than ten minutes.
    package static func emptyHistogram() -> Histogram<UInt64> {
        var histogram = Histogram<UInt64>(highestTrackableValue: 600_000_000, numberOfSignificantValueDigits: .three)
        histogram.autoResize = true
        return histogram
    }
}

extension LoadTally {
    static func microseconds(_ nanoseconds: Int64) -> UInt64 { UInt64(max(0, nanoseconds) / 1000) }

    /// Counts a response. Returns whether the server has accepted the batch.
    mutating func count(
        _ answer: Answer, to pending: LoadConnection.Pending, at now: Int64, _ timing: LoadTiming
    ) -> Bool {
        statuses[answer.status, default: 0] += 1
        record(pending, at: now, timing)
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
        change(slice: timing.slice(at: now)) {
            $0.answers += 1
            $0.acceptedEvents += accepted
        }
        return isTaken
    }

    /// Counts a request without a response.
    mutating func count(
        _ fault: LoadFault, _ pending: LoadConnection.Pending, at now: Int64, _ timing: LoadTiming
    ) {
        faults[fault, default: 0] += 1
        unansweredEvents += pending.request.batch?.expected.total ?? 0
        record(pending, at: now, timing)
        change(slice: timing.slice(at: now)) { $0.faults += 1 }
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

    private mutating func record(_ pending: LoadConnection.Pending, at now: Int64, _ timing: LoadTiming) {
        guard timing.isMeasured(pending.dueAt) else { return }
        fromDue.record(Self.microseconds(now - pending.dueAt))
        fromSent.record(Self.microseconds(now - pending.sentAt))
    }
}

/// The expected or reported numbers of accepted, duplicate and rejected events of a batch.
package struct EventCounts: Sendable, Equatable {
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
            let answer = try? EventReceipt(object, unknown: .ignored)
        else { return nil }
        self.init(accepted: answer.accepted, duplicates: answer.duplicates, rejected: answer.rejectedCount)
    }

    package var total: Int { accepted + duplicates + rejected }

    package static func += (left: inout EventCounts, right: EventCounts) {
        left.accepted += right.accepted
        left.duplicates += right.duplicates
        left.rejected += right.rejected
    }
}
