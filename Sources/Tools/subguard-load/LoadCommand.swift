import ArgumentParser
import DeviceSimulation
import Foundation
import LoadTester

@main
struct LoadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subguard-load",
        abstract: "Send traffic to a server, measure its responses and verify its counts.",
        discussion: """
            Requests follow a schedule of constant rate that does not wait for responses. Latency is measured from the \
            time a request was due, so a stalled server is late for every request that was due meanwhile. Events are \
            verified: the server's counts of accepted, duplicate and rejected events must match what was sent.

            With --devices, simulated devices behave like the client over several simulated days: they read and \
            revalidate the catalogue, queue events while offline, lose responses and send again.

            With --history, the events of some thousand devices over the past weeks are sent at once, to fill the \
            dashboard.

            Exit status: 0; 1 when a bound is missed, a count disagrees, the run is interrupted or nothing succeeded, \
            each named on standard error; 2 for wrong usage.
            """,
        version: "0.1.0")

    @OptionGroup var plan: LoadPlan

    /// Reports usage errors before anything is sent.
    func validate() throws {
        do { try plan.check() } catch { throw ValidationError("\(error)") }
    }

    func run() throws {
        signal(SIGPIPE, SIG_IGN)
        do {
            try LoadSession(plan).run()
        } catch let error as LoadOptionError {
            throw ValidationError("\(error)")
        } catch let error as RunError {
            printError("\(error)")
            throw ExitCode.failure
        }
    }

    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch  where exitCode(for: error) == .validationFailure {
            printError(fullMessage(for: error))
            Foundation.exit(2)
        } catch {
            exit(withError: error)
        }
    }
}
