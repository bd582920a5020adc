import ArgumentParser
import Foundation
import JSONWire
import Simulator
import SubGuardDomain
import Synchronization

/// One run: sends the load, shows progress and writes the reports.
final class LoadSession: Sendable {
    private struct Running {
        var stop: (@Sendable () -> Void)?
        var isStopped = false
    }

    private let options: LoadOptions
    private let running = Mutex(Running())
    private let progress = Progress()

    init(_ options: LoadOptions) { self.options = options }

    func run() throws {
        let interrupt = InterruptStop { [self] in
            let stop = running.withLock { running in
                running.isStopped = true
                return running.stop
            }
            stop?()
        }
        defer { interrupt.cancel() }
        switch try options.order(seed: .random(in: 1...0xFFFF_FFFF)) {
        case .rate(let plan): try send(plan, to: options.endpoints(plan.targets))
        case .devices(let plan): try send(plan, to: options.endpoints(plan.targets))
        case .history(let order):
            // Sent one after the other, so the first interrupt may end the program.
            interrupt.cancel()
            signal(SIGINT, SIG_DFL)
            try send(order, to: options.endpoints([order.target])[0])
        }
    }

    private func send(_ plan: LoadPlan, to endpoints: [Endpoint]) throws {
        guard options.ramp else {
            return try finish(ReportDocument.of(try carryOut(plan, endpoints), writtenAt: Self.now))
        }
        let outcome = try RampRun(plan).outcome(
            run: { plan throws(LoadError) in try self.carryOut(plan, endpoints) },
            told: { step in
                let p99 = NumberText.fixed(Double(step.p99Microseconds) / 1000, 2)
                let words = step.holds ? "holds" : "does not hold"
                progress.end()
                FileHandle.standardError.write(
                    Data("  \(NumberText.fixed(step.rate))/s: p99 \(p99) ms, \(words)\n".utf8))
            }, isStopped: { isStopped })
        guard let outcome else { throw LoadError.unreadable("interrupted: nothing was measured") }
        var failures = outcome.holds ? [] : ["--ramp: no rate keeps the bounds"]
        if isStopped, outcome.holds { failures.append("interrupted: the ramp was stopped early") }
        try finish(
            ReportDocument.of(outcome.result, ramp: outcome.steps, moreFailures: failures, writtenAt: Self.now))
    }

    private var isStopped: Bool { running.withLock { $0.isStopped } }

    private func carryOut(_ plan: LoadPlan, _ endpoints: [Endpoint]) throws(LoadError) -> LoadResult {
        let run = LoadRun(plan, endpoints)
        running.withLock { $0.stop = { run.stop() } }
        defer { progress.end() }
        let showsEvents = plan.profile != .catalogue
        var last: (done: Int, seconds: Double) = (0, 0)
        return try run.result { tally, seconds in
            let total = tally.routes.total
            let answered = total.statuses.values.reduce(0, +)
            let done = showsEvents ? tally.reported.accepted : answered
            let rate = seconds > last.seconds ? Double(done - last.done) / (seconds - last.seconds) : 0
            last = (done, seconds)
            progress.show(
                "\(NumberText.fixed(seconds, 1)) s  \(NumberText.fixed(rate)) \(showsEvents ? "events" : "requests")/s  "
                    + Self.words(total.latency.value(at: 99), answered, total))
        }
    }

    private func send(_ plan: DevicePlan, to endpoints: [Endpoint]) throws {
        let run = DeviceRun(plan, endpoints)
        running.withLock { $0.stop = { run.stop() } }
        let result = try run.result { tally, day in
            let total = tally.calls.total
            progress.show(
                "day \(NumberText.fixed(day, 1))  \(NumberText.grouped(tally.connected)) connected  "
                    + Self.words(tally.catalogueLatency.value(at: 99), total.statuses.values.reduce(0, +), total))
        }
        progress.end()
        try finish(ReportDocument.of(result, writtenAt: Self.now))
    }

    private func send(_ order: HistoryOrder, to endpoint: Endpoint) throws {
        let server = ServerCalls(endpoint, token: order.token, timeout: order.timeout) { [progress] seconds in
            progress.end()
            printError("rate limit reached; waiting \(seconds) s")
            Thread.sleep(forTimeInterval: Double(seconds))
        }
        let run = HistoryRun(server, process: order.serverProcess, store: order.serverStore)
        // Runs within the same hour send the same timestamps.
        let seconds = Int64(Date().timeIntervalSince1970)
        let hour = UTCInstant(secondsSinceEpoch: seconds - seconds % 3600)
        let plan = HistoryPlan(
            devices: order.devices, weeks: order.weeks, seed: order.seed, endsAt: hour,
            catalogue: try run.items(seed: order.seed))
        let totals = try run.send(History(plan)) { done, events in
            let percent = done * 100 / order.devices
            progress.show("\(percent) %: \(done) of \(order.devices) devices, \(events) events", percent: percent)
        }
        progress.end()
        if order.isDemo { try DemoRecords(now: hour).send(to: server, items: plan.catalogue) }
        print(try run.summary(totals, devices: order.devices), terminator: "")
    }

    private func finish(_ report: JSONObject) throws {
        print(ReportTables.text(report), terminator: "")
        if let file = options.json {
            try Data(JSONValue.object(report).serialized() + [0x0A]).write(to: URL(fileURLWithPath: file))
        }
        if let file = options.report {
            try Data(HTMLReport.page(report).utf8).write(to: URL(fileURLWithPath: file))
        }
        let failures = report["failures"]?.arrayValue?.compactMap(\.stringValue) ?? []
        for failure in failures { printError(failure) }
        guard failures.isEmpty else { throw ExitCode.failure }
    }

    private static func words(_ p99: UInt64, _ answered: Int, _ total: RouteTally) -> String {
        let failed = total.faults.values.reduce(0, +) + total.statuses.reduce(0) { $0 + ($1.key >= 400 ? $1.value : 0) }
        return "p99 \(NumberText.fixed(Double(p99) / 1000, 2)) ms  \(NumberText.grouped(answered)) answers  "
            + "\(NumberText.grouped(failed)) failed"
    }

    private static var now: String {
        UTCInstant(secondsSinceEpoch: Int64(Date().timeIntervalSince1970)).rfc3339
    }
}

/// The progress on standard error: one updated line on a terminal, otherwise one line per 10 %.
final class Progress: Sendable {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let shownTenth = Mutex(-1)

    /// Without `percent`, only a terminal shows it.
    func show(_ text: String, percent: Int? = nil) {
        if isTerminal { return write("\r\u{1B}[K\(text)") }
        guard let percent else { return }
        let isNew = shownTenth.withLock { shown in
            defer { shown = percent / 10 }
            return shown != percent / 10
        }
        if isNew { write(text + "\n") }
    }

    func end() { if isTerminal { write("\r\u{1B}[K") } }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
