import ArgumentParser
import Backend
import BackendHTTP

struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "The record of every change.", subcommands: [Verify.self])

    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Recomputes the chain of hashes and names the first row that does not fit.")

        @OptionGroup var options: ConfigurationOptions

        func run() throws {
            let store = try OpenStore(settings: try options.settings(), migrations: .require)
            defer { store.close() }
            let result = try AuditLog(context: store.context).verify()
            guard let broken = result.firstBroken else { return print("\(result.count) rows, chain intact") }
            printError("audit chain broken: \(broken)")
            throw ExitCode.failure
        }
    }
}
