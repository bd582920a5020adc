import ArgumentParser
import DeviceSimulation
import Foundation
import JSONWire
import LatencyHistogram
import SubGuardDomain
import Synchronization

/// One load: sends it, shows progress and writes the reports.
package final class LoadSession: Sendable {
    private let plan: LoadPlan
    private let isInterrupted = Atomic(false)

    package init(_ plan: LoadPlan) { self.plan = plan }

    /// Throws `ExitCode.failure` after a run that failed.
    package func run() throws {
        let endpoints = try plan.endpoints()
        if plan.history.isChosen { return try sendHistory(to: endpoints[0]) }
        signal(SIGINT, SIG_IGN)
        let interrupt = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        interrupt.setEventHandler { [self] in
            // The first interrupt ends the run and keeps its results; the second ends the process.
            if isInterrupted.exchange(true, ordering: .relaxed) { _exit(130) }
        }
        interrupt.resume()
        defer { interrupt.cancel() }
        try finish(plan.ramp ? climb(endpoints) : carryOut(plan, endpoints))
    }

    private func climb(_ endpoints: [Endpoint]) throws(RunError) -> LoadResult {
        let result = try RampRun(plan).result(
            run: { plan throws(RunError) in try carryOut(plan, endpoints) },
            told: { step in
                let p99 = NumberText.milliseconds(fromMicroseconds: step.p99Microseconds)
                let rate = NumberText.fixed(step.rate, step.rate < 10 ? 2 : 0)
                printError("  \(rate)/s: p99 \(p99), " + (step.failure.map { "does not hold: \($0)" } ?? "holds"))
            }, isStopped: { isInterrupted.load(ordering: .relaxed) })
        guard let result else { throw RunError("interrupted: nothing was measured") }
        return result
    }

    private func carryOut(_ plan: LoadPlan, _ endpoints: [Endpoint]) throws(RunError) -> LoadResult {
        var progress = Progress()
        defer { progress.end() }
        var last: (done: Int, seconds: Double) = (0, 0)
        let countsEvents = plan.profile != .catalogue
        return try LoadRun(plan, endpoints).result { tally, seconds in
            let total = tally.total
            let done = countsEvents ? tally.client.reported.accepted : total.answers()
            let rate = seconds > last.seconds ? Double(done - last.done) / (seconds - last.seconds) : 0
            last = (done, seconds)
            let day = "  day \(NumberText.fixed(seconds / plan.dayLength.inSeconds, 1))"
            progress.show(
                "\(NumberText.fixed(seconds, 1)) s\(plan.isOfDevices ? day : "")  "
                    + "\(NumberText.fixed(rate)) \(countsEvents ? "events" : "requests")/s  "
                    + "p99 \(NumberText.milliseconds(fromMicroseconds: total.latency.value(at: 99)))  "
                    + "\(NumberText.grouped(total.answers())) answers  "
                    + "\(NumberText.grouped(total.faultCount + total.answers(from: 400))) failed")
            return !isInterrupted.load(ordering: .relaxed)
        }
    }

    /// Sent one batch after the other, so an interrupt may end the program.
    private func sendHistory(to endpoint: Endpoint) throws {
        var progress = Progress()
        let server = ServerCalls(token: plan.credential ?? "", exchange: endpoint.exchange(within: plan.requestTimeout))
        { seconds in
            Progress().end()
            printError("rate limit reached; waiting \(seconds) s")
            Thread.sleep(forTimeInterval: Double(seconds))
        }
        let devices = plan.deviceCount
        let run = HistoryRun(server: server, options: plan.history, devices: devices, seed: plan.seedNumber) {
            [plan] () throws(RunError) in try ServerUsage.read(process: plan.serverPid, store: plan.serverStore)
        }
        let summary = try run.result { done, events in
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
        let files = [
            (plan.json, JSONValue.object(report).serialized() + [0x0A]),
            (plan.report, Array(HTMLReport.page(report).utf8)),
        ]
        for failure in result.failures { printError(failure) }
        for case (let file?, let bytes) in files {
            do { try Data(bytes).write(to: URL(fileURLWithPath: file)) } catch { throw RunError("\(file): \(error)") }
        }
        guard result.failures.isEmpty else { throw ExitCode.failure }
    }
}

/// The progress on standard error: one updated line on a terminal, otherwise one line per 10 %.
private struct Progress {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var shownTenth = -1

    /// Without `percent`, only a terminal shows it.
    mutating func show(_ text: String, percent: Int? = nil) {
        if isTerminal { return write("\r\u{1B}[K\(text)") }
        guard let percent, percent / 10 != shownTenth else { return }
        shownTenth = percent / 10
        write(text + "\n")
    }

    func end() { if isTerminal { write("\r\u{1B}[K") } }
}

/// Prints one line on standard error.
package func printError(_ line: String) { write(line + "\n") }

private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
