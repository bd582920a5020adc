import Histogram

extension DeviceWorker {
    /// The server may close a connection idle for this long just as a request is sent; URL loading systems then retry
    /// automatically. In nanoseconds.
    private static let staleAfter: Int64 = 5_000_000_000

    func received(_ number: Int, _ answer: Answer, dueAt: Int64, now: Int64) {
        guard let request = lines[number].request else { return }
        tally.bytesReceived += answer.wireBytes
        let isGood = request.call.isGood(answer.status)
        tally.change(request.call) {
            $0.statuses[answer.status, default: 0] += 1
            $0.record(now - dueAt, status: answer.status)
            if !isGood { $0.unusable += 1 }
        }
        tally.series.count(
            at: timing.slice(at: now), status: answer.status, nanoseconds: now - dueAt,
            acceptedEvents: request.call == .analytics ? EventCounts(answer.body)?.accepted ?? 0 : 0)
        guard isGood else { return goOn(number, afterStatus: answer.status, retryAfter: answer.retryAfter) }
        if case .thrownAway = request.fate {
            tally.answersThrownAway += 1
            count(number, devices[number].loseAnswer(answer), request, answer)
            return goOn(number, afterStatus: nil)
        }
        let verdict = devices[number].take(answer, to: request, &reader)
        count(number, verdict, request, answer)
        if case .unusable = verdict { return goOn(number, afterStatus: answer.status) }
        proceed(number, dueAt: now)
    }

    private func count(
        _ number: Int, _ verdict: SimulatedDevice.Verdict, _ request: DeviceRequest, _ answer: Answer
    ) {
        switch verdict {
        case .good: break
        case .unusable: tally.change(request.call) { $0.unusable += 1 }
        case .wrong(let words): tally.account.note(words)
        case .suggested(let count): tally.account.suggestionsTaken += count
        case .settled(let events, let said): settle(number, events, said, size: said.total)
        case .miscounted(let events, let said, let words):
            settle(number, events, said, size: events.count)
            tally.account.note(words)
        }
    }

    private func settle(_ number: Int, _ events: [DeviceEvents.Event], _ said: EventCounts, size: Int) {
        tally.account.count(said, size: size, settled: events, isFirst: !lines[number].isUser)
        if !events.isEmpty { lines[number].isUser = true }
    }

    /// Handles a broken connection or a timeout.
    func failed(_ number: Int, _ fault: LoadFault, _ pending: LoadConnection.Pending?) {
        let now = LoadClock.now()
        // The connection was idle: the next visit reopens it.
        guard let request = lines[number].request, pending != nil || fault == .connect || fault == .tls else { return }
        if let pending, fault == .closed, pending.sentAt - lines[number].lastUsedAt > Self.staleAfter {
            devices[number].forgetAnswer()
            return ask(number)
        }
        tally.change(request.call) {
            $0.faults[fault, default: 0] += 1
            $0.record(now - lines[number].wantedAt, status: nil)
        }
        tally.series.count(at: timing.slice(at: now), status: nil, nanoseconds: now - lines[number].wantedAt)
        goOn(number, afterStatus: nil)
    }

    /// After a failure: repeats the request after a pause, or continues with the next part of the visit.
    func goOn(_ number: Int, afterStatus status: Int?, retryAfter: Int? = nil) {
        lines[number].request = nil
        let now = LoadClock.now()
        if let pause = devices[number].fail(status: status, retryAfter: retryAfter) {
            tally.retries += 1
            lines[number].resumes = true
            agenda.add(number, at: now + pause)
        } else {
            proceed(number, dueAt: now)
        }
    }
}
