import ArgumentParser
import Foundation
import LoadTool

struct LoadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Sends traffic to a server and measures its answers.",
        discussion: """
            The rate is constant by a schedule that waits for no answer, and a latency counts from when a request was due: \
            a server that stands still is late for everybody who would have come meanwhile. Events are verified: the \
            server's counts of accepted, duplicate and rejected ones must be what was sent.

            With --devices, devices that behave like the client live some days in as many seconds: they read and revalidate \
            the catalogue, queue events while they are offline, lose answers and ask again.

            Exit status: 0; 1 when the counts disagree, nothing succeeded, or --ramp found no rate that holds; with --devices \
            also after any error, and when --p99 was missed; 64 usage.
            """)

    @OptionGroup var options: LoadOptions
    @OptionGroup var devices: DeviceOptions

    /// Usage errors are told before anything is sent.
    func validate() throws {
        do {
            if try devices.plan(options, seed: 0) == nil { try options.check() }
        } catch {
            throw ValidationError("\(error)")
        }
    }

    func run() throws {
        signal(SIGPIPE, SIG_IGN)
        do {
            if let plan = try devices.plan(options, seed: .random(in: 1...0xFFFF_FFFF)) {
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
