import ArgumentParser
import Dispatch
import Foundation
import Simulator
import Synchronization

/// One run of `subguardd load --devices`: sends the load, shows progress and writes the report.
final class DeviceSession: Sendable {
    private let plan: DevicePlan
    private let options: LoadOptions
    private let isTerminal = isatty(STDERR_FILENO) == 1

    init(_ plan: DevicePlan, _ options: LoadOptions) {
        self.plan = plan
        self.options = options
    }

    func run() throws {
        let address = try NetworkAddress.resolve(plan.target, isOwned: options.ownsServer)
        let run = DeviceRun(plan, address)
        let interrupt = InterruptStop { run.stop() }
        defer { interrupt.cancel() }
        let result = try run.result { tally, day in
            if isTerminal { write("\r\u{1B}[K\(DeviceSummary.progress(tally, day: day))") }
        }
        if isTerminal { write("\r\u{1B}[K") }
        print(DeviceSummary.text(result), terminator: "")
        if let file = options.json {
            try Data(DeviceJSONReport.bytes(result)).write(to: URL(fileURLWithPath: file))
        }
        let failures = result.failures
        for failure in failures { printError(failure) }
        guard failures.isEmpty else { throw ExitCode.failure }
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
