import ArgumentParser
import BackendHTTP
import CAllocator
import ConsoleHTTP
import Dispatch
import Foundation
import ServerCommands

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Migrate the database if needed, then serve until SIGTERM or SIGINT.")

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        signal(SIGPIPE, SIG_IGN)
        // Exceeding the file size limit is a storage error to report, not a reason to exit.
        signal(SIGXFSZ, SIG_IGN)
        allocator_limit_arenas(4)
        allocator_return_blocks(1 << 20)
        let signals = ProcessSignals()
        let settings = try options.settings(for: .server)
        let daemon = try start(settings)
        // Unbuffered: the parent process may wait for this line.
        FileHandle.standardOutput.write(Data(StartLine.listening(settings, port: daemon.port).utf8))
        let freedMemory = FreedMemory()
        withExtendedLifetime(freedMemory) { signals.waitForTheEnd { daemon.reload() } }
        daemon.stop()
    }

    /// Reports a failed start in the format of the log: in a container, one collector reads both streams.
    private func start(_ settings: Settings) throws -> Daemon {
        do {
            return try Daemon(settings: settings, pages: BrowserPages.all)
        } catch  where settings[\.logFormat] == .json {
            FileHandle.standardError.write(Data(StartLine.failed(error).utf8))
            throw ExitCode.failure
        }
    }
}

/// Receives SIGTERM, SIGINT and SIGHUP without losing one: they are blocked before the first thread starts and stay
/// pending until ``waitForTheEnd(reload:)``.
struct ProcessSignals {
    /// Blocks the signals in this thread and in every thread that it starts later. Call it before the first thread
    /// starts.
    init() {
        var signals = Self.ours
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Returns at the first SIGTERM or SIGINT; until then, each SIGHUP calls `reload`. A second SIGTERM or SIGINT ends
    /// the process at once, with the exit status that shells use for it: 143 for SIGTERM, 130 for SIGINT.
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
        // It fails only for a set without signals.
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

/// Returns memory to the system after much of it was freed, such as after thousands of connections have closed. By
/// itself the C library returns only what lies at the end of the heap.
final class FreedMemory {
    private let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "subguard.memory", qos: .utility))

    private static let seconds = 10
    /// Returning memory stops other threads for some milliseconds, so smaller amounts stay.
    private static let leastBytes = 8 << 20

    init() {
        // The least that was free since the last time: what has been returned is still counted as free.
        var least = allocator_freed_bytes()
        timer.schedule(
            deadline: .now() + .seconds(Self.seconds), repeating: .seconds(Self.seconds), leeway: .seconds(1))
        timer.setEventHandler {
            let freed = allocator_freed_bytes()
            least = min(least, freed)
            guard freed - least > Self.leastBytes else { return }
            allocator_return_freed()
            least = allocator_freed_bytes()
        }
        timer.resume()
    }

    deinit { timer.cancel() }
}
