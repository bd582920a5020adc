import ArgumentParser
import Foundation
import Simulator

@main
struct LoadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subguard-load",
        abstract: "Send traffic to a server and measure its responses.",
        discussion: """
            Requests follow a schedule of constant rate that does not wait for responses. Latency is measured from the \
            time a request was due, so a stalled server is late for every request that was due meanwhile. Events are \
            verified: the server's counts of accepted, duplicate and rejected events must match what was sent.

            With --devices, simulated devices behave like the client over several simulated days: they read and \
            revalidate the catalogue, queue events while offline, lose responses and send again.

            With --history, the events of some thousand devices over the past weeks are sent at once, to fill the \
            dashboard.

            Exit status: 0; 1 when the counts disagree, nothing succeeded, or --ramp found no rate that holds (with \
            --devices also after any error and when --p99 was missed); 64 for wrong usage.
            """)

    @OptionGroup var options: LoadOptions
    @OptionGroup var devices: DeviceOptions

    /// Reports usage errors before anything is sent.
    func validate() throws {
        do {
            if devices.history {
                _ = try devices.historyOrder(options)
            } else if try devices.plan(options, seed: 0) == nil {
                try options.check()
            }
        } catch {
            throw ValidationError("\(error)")
        }
    }

    func run() throws {
        signal(SIGPIPE, SIG_IGN)
        do {
            if devices.history {
                try HistorySession(try devices.historyOrder(options), ownsServer: options.ownsServer).run()
            } else if let plan = try devices.plan(options, seed: .random(in: 1...0xFFFF_FFFF)) {
                try DeviceSession(plan, options).run()
            } else {
                try LoadSession(options).run()
            }
        } catch let error as LoadOptionError {
            throw ValidationError("\(error)")
        } catch let error as LoadError {
            printError("\(error)")
            throw ExitCode.failure
        }
    }
}

/// Prints one line on standard error.
func printError(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
