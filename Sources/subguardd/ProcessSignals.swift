import Dispatch
import Foundation

/// SIGTERM and SIGINT, of which none is lost: blocked before any thread exists, they stay pending until somebody waits.
struct ShutdownSignals {
    /// From here on the signals no longer end the process by themselves, in this thread and those that it starts.
    /// Must come before the first of them.
    init() {
        var signals = Self.both
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Returns when one has come. A second one then ends the process at once.
    func wait() {
        Self.waitForOne()
        DispatchQueue(label: "subguard.signals").async {
            Self.waitForOne()
            _exit(130)
        }
    }

    private static func waitForOne() {
        var signals = both
        var number: Int32 = 0
        // It can only fail for a set that holds no signal.
        sigwait(&signals, &number)
    }

    private static var both: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGINT)
        return signals
    }
}
