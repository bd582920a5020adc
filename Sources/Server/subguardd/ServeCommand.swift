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

struct HealthCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health", abstract: "Exits 0 when the server on this machine is ready; for health checks.")

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

/// SIGTERM, SIGINT and SIGHUP, of which none is lost: blocked before any thread exists, they stay pending until somebody
/// waits.
struct ProcessSignals {
    /// From here on the signals no longer end the process by themselves, in this thread and those that it starts.
    /// Must come before the first of them.
    init() {
        var signals = Self.ours
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Returns when the process shall end; until then, each SIGHUP calls `reload`. A second signal to end then ends it at
    /// once, with the status that a shell gives a process which that signal ended: 143 for SIGTERM, 130 for SIGINT.
    func waitForTheEnd(reload: () -> Void) {
        while Self.waitForOne() == SIGHUP { reload() }
        DispatchQueue(label: "subguard.signals").async {
            var number = Self.waitForOne()
            while number == SIGHUP { number = Self.waitForOne() }
            _exit(128 + number)
        }
    }

    private static func waitForOne() -> Int32 {
        var signals = ours
        var number: Int32 = 0
        // It can only fail for a set that holds no signal.
        sigwait(&signals, &number)
        return number
    }

    private static var ours: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGHUP)
        return signals
    }
}
