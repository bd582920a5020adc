import ArgumentParser
import BackendHTTP
import Dispatch
import Foundation

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Migrates the store if need be, and serves until SIGTERM or SIGINT.")

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        signal(SIGPIPE, SIG_IGN)
        let signals = ProcessSignals()
        let settings = try options.settings(for: .server)
        let daemon = try Daemon(settings: settings)
        // Whoever started us may wait for this line, so it must not linger in a buffer.
        let host = settings.text(.host)
        let authority = host.contains(":") ? "[\(host)]" : host
        let line =
            "subguardd \(BuildInfo.version) listening on \(settings.usesTLS ? "https" : "http")://\(authority):\(daemon.port)\n"
        FileHandle.standardOutput.write(Data(line.utf8))
        signals.waitForTheEnd { daemon.reload() }
        daemon.stop()
    }
}
