import ArgumentParser
import Foundation
import Simulator
import SubGuardDomain
import Synchronization

/// One run of `subguardd load`: sends the load, shows progress and writes the report.
final class LoadSession: Sendable {
    private struct Running {
        var run: LoadRun?
        var isStopped = false
    }

    private let options: LoadOptions
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let running = Mutex(Running())

    init(_ options: LoadOptions) { self.options = options }

    func run() throws {
        let plan = try options.plan(seed: .random(in: 1...0xFFFF_FFFF))
        let address = try NetworkAddress.resolve(plan.target, isOwned: options.ownsServer)
        let interrupt = InterruptStop { [self] in
            running.withLock { running in
                running.run?.stop()
                running.isStopped = true
            }
        }
        defer { interrupt.cancel() }
        guard options.ramp else {
            let result = try carryOut(plan, address)
            return try finish(result, ramp: [], holds: true)
        }
        let ramp = try RampRun(plan, p99Bound: try options.p99Bound)
        let outcome = try ramp.outcome(
            run: { plan throws(LoadError) in try self.carryOut(plan, address) },
            told: { self.tell($0) }, isStopped: { self.running.withLock { $0.isStopped } })
        guard let outcome else { throw ExitCode.failure }
        try finish(outcome.result, ramp: outcome.steps, holds: outcome.holds)
    }

    private func carryOut(_ plan: LoadPlan, _ address: NetworkAddress) throws(LoadError) -> LoadResult {
        let run = LoadRun(plan, address)
        running.withLock { $0.run = run }
        defer { if isTerminal { write("\r\u{1B}[K") } }
        var previous: (tally: LoadTally, seconds: Double) = (LoadTally(), 0)
        return try run.result { tally, seconds in
            guard isTerminal else { return }
            let line = ProgressLine.text(
                tally, seconds: seconds, previous: previous.tally, interval: seconds - previous.seconds,
                showsEvents: plan.profile != .catalogue)
            previous = (tally, seconds)
            write("\r\u{1B}[K\(line)")
        }
    }

    private func tell(_ step: RampStep) {
        let p99 = NumberText.fixed(Double(step.p99Microseconds) / 1000, 2)
        write("  \(NumberText.fixed(step.rate))/s: p99 \(p99) ms, \(step.holds ? "holds" : "does not hold")\n")
    }

    private func finish(_ result: LoadResult, ramp: [RampStep], holds: Bool) throws {
        print(LoadSummary.text(result), terminator: "")
        if let file = options.json {
            try Data(JSONReport.bytes(result, ramp: ramp)).write(to: URL(fileURLWithPath: file))
        }
        if let file = options.report {
            let now = UTCInstant(secondsSinceEpoch: Int64(Date().timeIntervalSince1970)).rfc3339
            try Data(HTMLReport.page(result, ramp: ramp, writtenAt: now).utf8).write(to: URL(fileURLWithPath: file))
        }
        if let failure = result.failure {
            printError(failure)
            throw ExitCode.failure
        }
        guard holds else {
            printError("--ramp: no rate holds the bound")
            throw ExitCode.failure
        }
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
