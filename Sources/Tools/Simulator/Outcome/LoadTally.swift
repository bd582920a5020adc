package import Histogram

/// What one thread, or all of them, saw.
package struct LoadTally: Sendable {
    /// A slice of time.
    package struct Slice: Sendable, Equatable {
        package var answers = 0
        package var acceptedEvents = 0
        package var faults = 0

        package init() {}
    }

    /// Microseconds from when a request was due to its whole answer. A request without an answer counts with the time
    /// that was waited for it, so that giving up never looks fast.
    package var fromDue = LoadTally.emptyHistogram()
    /// Microseconds from when a request was sent.
    package var fromSent = LoadTally.emptyHistogram()
    package var requests = 0
    package var statuses: [Int: Int] = [:]
    package var faults: [LoadFault: Int] = [:]
    /// What the answers with 202 had to say.
    package var expected = EventCounts()
    /// What they said.
    package var reported = EventCounts()
    /// Answers with 202 that said something else than they had to.
    package var disagreements = 0
    /// The first of them, for people.
    package var firstDisagreement: String?
    /// Events of batches that were answered with another status: the server has not taken them.
    package var refusedEvents = 0
    /// Events of batches without an answer: nobody knows.
    package var unansweredEvents = 0
    /// Answers and accepted events that came while the load was measured.
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

    /// Three digits, up to ten minutes and beyond.
    package static func emptyHistogram() -> Histogram<UInt64> {
        var histogram = Histogram<UInt64>(highestTrackableValue: 600_000_000, numberOfSignificantValueDigits: .three)
        histogram.autoResize = true
        return histogram
    }
}
