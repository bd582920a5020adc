package import Foundation
import SubGuardContract
import SubGuardDomain

/// Sends a history in full batches, one after the other.
package struct HistoryRun {
    /// The totals of all batches. A rejected event ends the run, so there is none.
    package struct Totals: Sendable {
        var sent = 0
        var accepted = 0
        var duplicates = 0
        var elapsed = Duration.zero
    }

    private let server: ServerCalls
    private let progress: ProgressDisplay

    package init(_ server: ServerCalls, progress: ProgressDisplay) {
        self.server = server
        self.progress = progress
    }

    /// Returns the items to subscribe to, most popular first. Throws before anything is sent if the token cannot read
    /// the dashboard or the catalogue is empty.
    package func items(seed: UInt64) throws(LoadError) -> [UUID] {
        _ = try server.dashboard()
        let items = try server.catalogue()
        guard !items.isEmpty else {
            throw .unreadable(
                "the server's catalogue is empty: `subguardd catalogue import Config/catalogue.csv` fills it")
        }
        return CataloguePopularity.order(items, seed: seed)
    }

    package func send(_ history: History) throws(LoadError) -> Totals {
        let clock = ContinuousClock()
        let start = clock.now
        var totals = Totals()
        var waiting: [EventReport] = []
        let (size, count) = (AnalyticsLimits.batchSize.upperBound, history.plan.deviceCount)
        for (number, events) in history.enumerated() {
            waiting += events
            while waiting.count >= size {
                try send(waiting.prefix(size), &totals)
                waiting.removeFirst(size)
            }
            if number + 1 < count { progress.show(done: number + 1, of: count, events: totals.sent) }
        }
        if !waiting.isEmpty { try send(waiting[...], &totals) }
        progress.show(done: count, of: count, events: totals.sent)
        progress.end()
        totals.elapsed = clock.now - start
        return totals
    }

    /// The readable result: what was sent, then the dashboard.
    package func summary(_ totals: Totals, devices: Int) throws(LoadError) -> String {
        "\(totals.sent) events of \(devices) devices in \(NumberText.fixed(totals.elapsed.inSeconds, 1)) s: "
            + "\(totals.accepted) accepted, \(totals.duplicates) duplicates, 0 rejected\n"
            + DashboardTable(try server.dashboard()).text
    }

    private func send(_ batch: ArraySlice<EventReport>, _ totals: inout Totals) throws(LoadError) {
        let answer = try server.send(EventReports(events: batch).json())
        if let first = answer.rejected.first {
            throw .unreadable(
                "the server rejected \(answer.rejectedCount) events; the first as \(first.code) (\(first.detail))")
        }
        guard answer.count == batch.count else {
            throw .unreadable("\(batch.count) events were sent, but the server counted \(answer.count)")
        }
        totals.sent += batch.count
        totals.accepted += answer.accepted
        totals.duplicates += answer.duplicates
    }
}
