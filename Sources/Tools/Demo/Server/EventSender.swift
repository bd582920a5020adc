import SubGuardContract
import SubGuardDomain

/// Sends a history in full batches, one after the other.
struct EventSender {
    let server: DemoServer
    let progress: ProgressDisplay

    func send(_ history: History) async throws -> SendingTotals {
        let clock = ContinuousClock()
        let start = clock.now
        var totals = SendingTotals()
        var waiting: [EventReport] = []
        for (index, events) in history.enumerated() {
            waiting += events
            while waiting.count >= AnalyticsLimits.batchSize.upperBound {
                try await send(waiting.prefix(AnalyticsLimits.batchSize.upperBound), &totals)
                waiting.removeFirst(AnalyticsLimits.batchSize.upperBound)
                progress.show(done: index + 1, of: history.plan.deviceCount, events: totals.sent)
            }
        }
        if !waiting.isEmpty { try await send(waiting[...], &totals) }
        progress.show(done: history.plan.deviceCount, of: history.plan.deviceCount, events: totals.sent)
        progress.end()
        totals.elapsed = clock.now - start
        return totals
    }

    private func send(_ batch: ArraySlice<EventReport>, _ totals: inout SendingTotals) async throws {
        let answer = try await server.send(EventReport.body(of: batch))
        if let first = answer.rejected.first {
            throw DemoError.eventsRejected(count: answer.rejectedCount, first: "\(first.code) (\(first.detail))")
        }
        guard answer.accepted + answer.duplicates == batch.count else {
            throw DemoError.eventsUncounted(sent: batch.count, counted: answer.accepted + answer.duplicates)
        }
        totals.sent += batch.count
        totals.accepted += answer.accepted
        totals.duplicates += answer.duplicates
    }
}
