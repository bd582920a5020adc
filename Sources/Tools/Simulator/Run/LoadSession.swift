import ArgumentParser
import Foundation
import JSONWire
import SubGuardDomain
import Synchronization

/// One load: sends it, shows progress and writes the reports.
package final class LoadSession: Sendable {
    private let plan: LoadPlan
    private let isInterrupted = Mutex(false)
    private let progress = Progress()

    package init(_ plan: LoadPlan) { self.plan = plan }

    /// Throws `ExitCode.failure` after a run that failed.
    package func run() throws {
        let endpoints = try plan.endpoints()
        if plan.history { return try sendHistory(to: endpoints[0]) }
        signal(SIGINT, SIG_IGN)
        let interrupt = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        interrupt.setEventHandler { [self] in
            // The first interrupt ends the run and keeps its results; the second ends the process.
            let isSecond = isInterrupted.withLock { flag in
                defer { flag = true }
                return flag
            }
            if isSecond { _exit(130) }
        }
        interrupt.resume()
        defer { interrupt.cancel() }
        try finish(plan.ramp ? climb(endpoints) : carryOut(plan, endpoints))
    }

    private func climb(_ endpoints: [Endpoint]) throws(LoadError) -> LoadResult {
        let result = try RampRun(plan).result(
            run: { plan throws(LoadError) in try carryOut(plan, endpoints) },
            told: { step in
                let p99 = NumberText.milliseconds(fromMicroseconds: step.p99Microseconds)
                printError("  \(NumberText.fixed(step.rate))/s: p99 \(p99), \(step.holds ? "holds" : "does not hold")")
            }, isStopped: { isInterrupted.withLock { $0 } })
        guard let result else { throw LoadError("interrupted: nothing was measured") }
        return result
    }

    private func carryOut(_ plan: LoadPlan, _ endpoints: [Endpoint]) throws(LoadError) -> LoadResult {
        defer { progress.end() }
        var last: (done: Int, seconds: Double) = (0, 0)
        let countsEvents = plan.profile != .catalogue
        return try LoadRun(plan, endpoints).result { tally, seconds in
            let total = tally.total
            let done = countsEvents ? tally.reported.accepted : total.answers()
            let rate = seconds > last.seconds ? Double(done - last.done) / (seconds - last.seconds) : 0
            last = (done, seconds)
            let day = "  day \(NumberText.fixed(seconds / plan.dayLength.inSeconds, 1))"
            progress.show(
                "\(NumberText.fixed(seconds, 1)) s\(plan.isOfDevices ? day : "")  "
                    + "\(NumberText.fixed(rate)) \(countsEvents ? "events" : "requests")/s  "
                    + "p99 \(NumberText.milliseconds(fromMicroseconds: total.latency.value(at: 99)))  "
                    + "\(NumberText.grouped(total.answers())) answers  "
                    + "\(NumberText.grouped(total.faultCount + total.answers(from: 400))) failed")
            return !isInterrupted.withLock { $0 }
        }
    }

    /// Sent one batch after the other, so an interrupt may end the program.
    private func sendHistory(to endpoint: Endpoint) throws {
        let server = ServerCalls(endpoint, token: plan.credential ?? "", timeout: plan.requestTimeout) {
            [progress] seconds in
            progress.end()
            printError("rate limit reached; waiting \(seconds) s")
            Thread.sleep(forTimeInterval: Double(seconds))
        }
        let devices = plan.deviceCount
        let summary = try HistoryRun(server: server, plan: plan).result { done, events in
            let percent = done * 100 / devices
            progress.show("\(percent) %: \(done) of \(devices) devices, \(events) events", percent: percent)
        }
        progress.end()
        print(summary, terminator: "")
    }

    private func finish(_ result: LoadResult) throws {
        let now = UTCInstant(secondsSinceEpoch: Int64(Date().timeIntervalSince1970))
        let report = ReportDocument.of(result, writtenAt: now.rfc3339)
        print(ReportTables.text(report), terminator: "")
        if let file = plan.json {
            try Data(JSONValue.object(report).serialized() + [0x0A]).write(to: URL(fileURLWithPath: file))
        }
        if let file = plan.report {
            try Data(HTMLReport.page(report).utf8).write(to: URL(fileURLWithPath: file))
        }
        for failure in result.failures { printError(failure) }
        guard result.failures.isEmpty else { throw ExitCode.failure }
    }
}

/// The progress on standard error: one updated line on a terminal, otherwise one line per 10 %.
private final class Progress: Sendable {
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

/// Prints one line on standard error.
package func printError(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
