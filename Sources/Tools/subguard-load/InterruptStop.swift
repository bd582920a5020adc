import Dispatch
import Foundation
import Synchronization

/// The first SIGINT ends the run and keeps its results; the second ends the process.
final class InterruptStop {
    private let source: any DispatchSourceSignal

    init(_ stop: @escaping @Sendable () -> Void) {
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        let isSecond = Mutex(false)
        source.setEventHandler {
            stop()
            let isOver = isSecond.withLock { isSecond in
                defer { isSecond = true }
                return isSecond
            }
            if isOver { _exit(130) }
        }
        source.resume()
    }

    func cancel() { source.cancel() }
}
