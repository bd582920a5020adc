import ArgumentParser
import BackendHTTP

struct HealthCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Exit with 0 if the server on this machine is ready, else 1; for health checks.")

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        let settings = try options.settings(for: .none)
        let isReady = HealthProbe.isReady(
            host: settings[\.host], port: settings[\.port], usesTLS: settings.usesTLS)
        guard isReady else {
            printError("not ready")
            throw ExitCode.failure
        }
    }
}
