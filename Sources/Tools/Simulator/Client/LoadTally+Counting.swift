import Histogram

extension LoadTally {
    static func microseconds(_ nanoseconds: Int64) -> UInt64 { UInt64(max(0, nanoseconds) / 1000) }

    /// Counts an answer. Returns whether the server has taken the batch.
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

    /// Counts a request that has no answer.
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
