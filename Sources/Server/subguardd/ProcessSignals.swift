import Dispatch
import Foundation

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
