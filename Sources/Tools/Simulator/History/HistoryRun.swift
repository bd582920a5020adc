import Foundation
import JSONWire
import SubGuardContract
import SubGuardDomain

/// Sends a history in full batches, one after the other.
struct HistoryRun {
    let server: ServerCalls
    let plan: LoadPlan

    /// Sends the events, with `--demo` the other records too, and returns the readable result: what was sent, then the
    /// dashboard. Throws before anything is sent if the token cannot read the dashboard or the catalogue is empty.
    ///
    /// - Parameter progress: receives the number of devices whose events were sent, and of these events.
    func result(progress: (_ devices: Int, _ events: Int) -> Void) throws(LoadError) -> String {
        _ = try server.dashboard()
        let items = CataloguePopularity.order(try catalogue(), seed: plan.seedNumber)
        guard !items.isEmpty else {
            throw LoadError(
                "the server's catalogue is empty: `subguardd catalogue import Config/catalogue.csv` fills it")
        }
        // Runs within the same hour send the same timestamps.
        let seconds = Int64(Date().timeIntervalSince1970)
        let hour = UTCInstant(secondsSinceEpoch: seconds - seconds % 3600)
        let history = HistoryPlan(
            devices: plan.deviceCount, weeks: plan.weekCount, seed: plan.seedNumber, endsAt: hour, catalogue: items)
        let before = try ServerUsage.read(process: plan.serverPid, store: plan.serverStore)
        let start = LoadClock.now()
        let counts = try send(History(history), progress)
        let elapsed = Double(LoadClock.now() - start) / 1e9
        let usage = try ServerUsage.read(process: plan.serverPid, store: plan.serverStore)
            .since(before, seconds: elapsed)
        if plan.demo { try DemoRecords(now: hour).send(to: server, items: items) }
        return
            "\(counts.total) events of \(plan.deviceCount) devices in \(NumberText.fixed(elapsed, 1)) s: "
            + "\(counts.accepted) accepted, \(counts.duplicates) duplicates, \(counts.rejected) rejected\n"
            + (usage.processorSeconds.map { "server: \(NumberText.fixed($0, 2)) s of CPU time\n" } ?? "")
            + (usage.storeBytes.map { "server: \(NumberText.grouped($0)) more bytes stored\n" } ?? "")
            + Self.table(try server.dashboard()).lines.map { $0 + "\n" }.joined()
    }

    /// Reads every item of the catalogue, page by page.
    private func catalogue() throws(LoadError) -> [CataloguePopularity.Item] {
        var items: [CataloguePopularity.Item] = []
        var cursor: String?
        repeat {
            let path = "/api/v1/catalogue?limit=500" + (cursor.map { "&cursor=" + $0 } ?? "")
            let object = try server.send(LoadRequest(path: path), expecting: [200])
            guard let page = try? CataloguePage(object, unknown: .ignored) else {
                throw LoadError("the answer to GET /api/v1/catalogue is not a page of a catalogue")
            }
            items += page.items.map { CataloguePopularity.Item(id: $0.id, slug: $0.slug) }
            cursor = page.nextCursor
        } while cursor != nil
        return items
    }

    private func send(_ history: History, _ progress: (Int, Int) -> Void) throws(LoadError) -> EventCounts {
        var counts = EventCounts()
        var waiting: [EventReport] = []
        let size = AnalyticsLimits.batchSize.upperBound
        for (number, events) in history.enumerated() {
            waiting += events
            let isLast = number + 1 == history.plan.devices
            while waiting.count >= size || isLast && !waiting.isEmpty {
                counts += try send(waiting.prefix(size))
                waiting.removeFirst(min(size, waiting.count))
            }
            progress(number + 1, counts.total)
        }
        return counts
    }

    /// Sends a batch. A rejected event ends the run.
    private func send(_ batch: ArraySlice<EventReport>) throws(LoadError) -> EventCounts {
        let request = LoadRequest(method: "POST", path: "/api/v1/analytics", body: EventReports(events: batch).json())
        let object = try server.send(request, expecting: [202])
        guard let answer = try? EventReceipt(object, unknown: .ignored) else {
            throw LoadError("the answer to POST /api/v1/analytics does not have the form of the contract")
        }
        if let first = answer.rejected.first {
            throw LoadError(
                "the server rejected \(answer.rejectedCount) events; the first as \(first.code) (\(first.detail))")
        }
        guard answer.count == batch.count else {
            throw LoadError("\(batch.count) events were sent, but the server counted \(answer.count)")
        }
        return EventCounts(accepted: answer.accepted, duplicates: answer.duplicates)
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
}
