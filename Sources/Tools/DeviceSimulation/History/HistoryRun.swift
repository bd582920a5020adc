package import ArgumentParser
import Foundation
import JSONWire
import SubGuardContract
import SubGuardDomain

/// Sends a history in full batches, one after the other.
package struct HistoryRun {
    private let server: ServerCalls
    private let options: HistoryOptions
    private let devices: Int
    private let seed: UInt64
    private let usage: () throws(RunError) -> ServerUsage

    /// - Parameter usage: reads what the server has used so far.
    package init(
        server: ServerCalls, options: HistoryOptions, devices: Int, seed: UInt64,
        usage: @escaping () throws(RunError) -> ServerUsage
    ) { (self.server, self.options, self.devices, self.seed, self.usage) = (server, options, devices, seed, usage) }

    /// Sends the events, with `--demo` the other records too, and returns the readable result: what was sent, then the
    /// dashboard. Throws before anything is sent if the token cannot read the dashboard or the catalogue is empty.
    ///
    /// - Parameter progress: receives the number of devices whose events were sent, and of these events.
    package func result(progress: (_ devices: Int, _ events: Int) -> Void) throws(RunError) -> String {
        _ = try server.dashboard()
        let items = CataloguePopularity.order(try catalogue(), seed: seed)
        guard !items.isEmpty else {
            throw RunError(
                "the server's catalogue is empty: `subguardd catalogue import Config/catalogue.csv` fills it")
        }
        // Runs within the same hour send the same timestamps.
        let seconds = Int64(Date().timeIntervalSince1970)
        let hour = UTCInstant(secondsSinceEpoch: seconds - seconds % 3600)
        let history = HistoryPlan(
            devices: devices, weeks: options.weekCount, seed: seed, endsAt: hour, catalogue: items)
        let (before, start) = (try usage(), ContinuousClock.now)
        let counts = try send(History(history), progress)
        let elapsed = start.duration(to: .now) / .seconds(1)
        let used = try usage().since(before, seconds: elapsed)
        if options.demo { try DemoRecords(now: hour).send(to: server, items: items) }
        return
            "\(counts.total) events of \(devices) devices in \(NumberText.fixed(elapsed, 1)) s: "
            + "\(counts.accepted) accepted, \(counts.duplicates) duplicates, \(counts.rejected) rejected\n"
            + (used.processorSeconds.map { "server: \(NumberText.fixed($0, 2)) s of CPU time\n" } ?? "")
            + (used.storeBytes.map { "server: \(NumberText.grouped($0)) more bytes stored\n" } ?? "")
            + Self.table(try server.dashboard()).lines.map { $0 + "\n" }.joined()
    }

    /// Reads every item of the catalogue, page by page.
    private func catalogue() throws(RunError) -> [CataloguePopularity.Item] {
        var items: [CataloguePopularity.Item] = []
        var cursor: String?
        repeat {
            let path = "/api/v1/catalogue?limit=500" + (cursor.map { "&cursor=" + $0 } ?? "")
            let object = try server.send(ClientRequest(path: path), expecting: [200])
            guard let page = try? CataloguePage(object, unknown: .ignored) else {
                throw RunError("the answer to GET /api/v1/catalogue is not a page of a catalogue")
            }
            items += page.items.map { CataloguePopularity.Item(id: $0.id, slug: $0.slug) }
            cursor = page.nextCursor
        } while cursor != nil
        return items
    }

    private func send(_ history: History, _ progress: (Int, Int) -> Void) throws(RunError) -> EventCounts {
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
    private func send(_ batch: ArraySlice<EventReport>) throws(RunError) -> EventCounts {
        let request = ClientRequest(method: "POST", path: "/api/v1/analytics", body: EventReports(events: batch).json())
        let object = try server.send(request, expecting: [202])
        guard let answer = try? EventReceipt(object, unknown: .ignored) else {
            throw RunError("the answer to POST /api/v1/analytics does not have the form of the contract")
        }
        if let first = answer.rejected.first {
            throw RunError(
                "the server rejected \(answer.rejectedCount) events; the first as \(first.code) (\(first.detail))")
        }
        guard answer.count == batch.count else {
            throw RunError("\(batch.count) events were sent, but the server counted \(answer.count)")
        }
        return EventCounts(accepted: answer.accepted, duplicates: answer.duplicates)
    }
    private static func table(_ dashboard: JSONObject) -> TextTable {
        let columns = ["value", "this_week", "last_week", "trend_percent"]
        let rows = dashboard.members.compactMap { name, value in
            value.objectValue.map { figure in
                [name.replacing("_", with: " ")]
                    + columns.map { if case .number(let text)? = figure[$0] { text } else { "-" } }
            }
        }
        return TextTable(header: ["figure"] + columns.map { $0.replacing("_", with: " ") }, rows: rows)
    }
}

/// The options of a history.
package struct HistoryOptions: ParsableArguments, Sendable {
    @Flag(
        name: .customLong("history"),
        help: ArgumentHelp(
            "Send the history of some thousand devices, then print the dashboard.",
            discussion:
                "A second run with the same seed sends the same events, which all count as duplicates. Needs --token."))
    package var isChosen = false

    @Flag(help: "With --history, also send suggestions, logos, crashes and an alert rule. Needs the token of an owner.")
    package var demo = false

    @Option(
        help:
            "Past weeks in which the devices of --history sign up, 1 to \(HistoryPlan.weeks.upperBound). (default: 14)")
    package var weeks: Int?

    package init() {}

    package var weekCount: Int { weeks ?? 14 }
}
