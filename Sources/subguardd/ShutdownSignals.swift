import Dispatch
import Foundation

/// Waits for SIGTERM or SIGINT; a second one ends the process at once.
enum ShutdownSignals {
    static func wait() {
        let queue = DispatchQueue(label: "subguard.signals")
        let first = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var count = 0  // proof: only touched on the serial queue of the sources
        let sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                count += 1
                if count > 1 { exit(130) }
                first.signal()
            }
            source.resume()
            return source
        }
        first.wait()
        // The sources must outlive the wait: the second signal is still to be heard.
        withExtendedLifetime(sources) {}
        retained = sources
    }

    // proof: written once, by the only thread that calls `wait`, and never read.
    nonisolated(unsafe) private static var retained: [any DispatchSourceSignal] = []
}
