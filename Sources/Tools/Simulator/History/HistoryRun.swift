package import Foundation
import JSONWire
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
        var usage = ServerUsage()
    }

    private let server: ServerCalls

    private let process: Int32?
    private let store: String?

    /// - Parameters:
    ///   - process: the server's process on this machine, for its CPU time.
    ///   - store: its SQLite file, for its growth.
    package init(_ server: ServerCalls, process: Int32? = nil, store: String? = nil) {
        self.server = server
        self.process = process
        self.store = store
    }

    /// Returns the items to subscribe to, most popular first. Throws before anything is sent if the token cannot read
    /// the dashboard or the catalogue is empty.
    package func items(seed: UInt64) throws(LoadError) -> [UUID] {
        _ = try server.dashboard()
        let items = try server.catalogue()
        guard !items.isEmpty else {
            throw LoadError(
                "the server's catalogue is empty: `subguardd catalogue import Config/catalogue.csv` fills it")
        }
        return CataloguePopularity.order(items, seed: seed)
    }

    /// `progress` receives the number of devices whose events were sent, and of these events.
    package func send(_ history: History, progress: (_ devices: Int, _ events: Int) -> Void) throws(LoadError) -> Totals
    {
        let before = try ServerUsage.read(process: process, store: store)
        let clock = ContinuousClock()
        let start = clock.now
        var totals = Totals()
        var waiting: [EventReport] = []
        let size = AnalyticsLimits.batchSize.upperBound
        for (number, events) in history.enumerated() {
            waiting += events
            while waiting.count >= size {
                try send(waiting.prefix(size), &totals)
                waiting.removeFirst(size)
            }
            if number + 1 < history.plan.deviceCount { progress(number + 1, totals.sent) }
        }
        if !waiting.isEmpty { try send(waiting[...], &totals) }
        progress(history.plan.deviceCount, totals.sent)
        totals.elapsed = clock.now - start
        totals.usage = try ServerUsage.read(process: process, store: store)
            .since(before, seconds: totals.elapsed.inSeconds)
        return totals
    }

    /// The readable result: what was sent, then the dashboard.
    package func summary(_ totals: Totals, devices: Int) throws(LoadError) -> String {
        "\(totals.sent) events of \(devices) devices in \(NumberText.fixed(totals.elapsed.inSeconds, 1)) s: "
            + "\(totals.accepted) accepted, \(totals.duplicates) duplicates, 0 rejected\n"
            + (totals.usage.processorSeconds.map { "server: \(NumberText.fixed($0, 2)) s of CPU time\n" } ?? "")
            + (totals.usage.storeBytes.map { "server: \(NumberText.grouped($0)) more bytes stored\n" } ?? "")
            + Self.table(try server.dashboard()).lines.map { $0 + "\n" }.joined()
    }

    private static func table(_ dashboard: JSONObject) -> ReportTables.Table {
        let columns = ["value", "this_week", "last_week", "trend_percent"]
        let rows = dashboard.members.compactMap { name, value in
            value.objectValue.map { figure in
                [name.replacing("_", with: " ")]
                    + columns.map { if case .number(let text)? = figure[$0] { text } else { "-" } }
            }
        }
        return ReportTables.Table(header: ["figure"] + columns.map { $0.replacing("_", with: " ") }, rows: rows)
    }

    private func send(_ batch: ArraySlice<EventReport>, _ totals: inout Totals) throws(LoadError) {
        let answer = try server.send(EventReports(events: batch))
        if let first = answer.rejected.first {
            throw LoadError(
                "the server rejected \(answer.rejectedCount) events; the first as \(first.code) (\(first.detail))")
        }
        guard answer.count == batch.count else {
            throw LoadError("\(batch.count) events were sent, but the server counted \(answer.count)")
        }
        totals.sent += batch.count
        totals.accepted += answer.accepted
        totals.duplicates += answer.duplicates
    }
}
