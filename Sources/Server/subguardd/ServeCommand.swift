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
        // A file that may not grow any more is a storage failure to answer, not a reason to end.
        signal(SIGXFSZ, SIG_IGN)
        let signals = ProcessSignals()
        let settings = try options.settings(for: .server)
        let daemon = try start(settings)
        // The program that started this one may wait for the line, so it must not linger in a buffer.
        FileHandle.standardOutput.write(Data(StartLine.listening(settings, port: daemon.port).utf8))
        signals.waitForTheEnd { daemon.reload() }
        daemon.stop()
    }

    /// Says why the server does not start in the format of the log: in a container both streams go to one collector.
    private func start(_ settings: Settings) throws -> Daemon {
        do {
            return try Daemon(settings: settings)
        } catch  where settings[\.logFormat] == .json {
            FileHandle.standardError.write(Data(StartLine.failed(error).utf8))
            throw ExitCode.failure
        }
    }
}
