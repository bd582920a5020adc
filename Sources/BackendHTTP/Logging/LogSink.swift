import Dispatch
import Foundation
import Synchronization

/// Takes finished lines from any thread and writes them to standard error from a queue of its own, so that a slow reader
/// of the log never holds a request up. What does not fit in memory meanwhile is dropped and counted.
final class LogSink: Sendable {
    private struct State {
        var lines: [UInt8] = []
        var dropped: Int64 = 0
        var isWriting = false
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "subguard.log", qos: .utility)
    private let descriptor: Int32

    /// Log text waiting in memory at most.
    private static let maximumWaitingBytes = 4 << 20

    init(descriptor: Int32 = STDERR_FILENO) { self.descriptor = descriptor }

    /// Lines that were lost because nobody read the log fast enough.
    var dropped: Int64 { state.withLock { $0.dropped } }

    /// Appends one line; `write` adds its bytes without the line end.
    func append(_ write: (inout [UInt8]) -> Void) {
        let mustStart = state.withLock { state in
            guard state.lines.count < Self.maximumWaitingBytes else {
                state.dropped += 1
                return false
            }
            write(&state.lines)
            state.lines.append(UInt8(ascii: "\n"))
            defer { state.isWriting = true }
            return !state.isWriting
        }
        // A short pause lets lines gather, so that a busy server writes many with one call.
        if mustStart { queue.asyncAfter(deadline: .now() + .milliseconds(20)) { self.writeWaiting() } }
    }

    /// Returns when everything appended before is written.
    func flush() { queue.sync { writeWaiting() } }

    private func writeWaiting() {
        while true {
            let lines = state.withLock { state in
                let lines = state.lines
                state.lines = []
                if lines.isEmpty { state.isWriting = false }
                return lines
            }
            if lines.isEmpty { return }
            lines.withUnsafeBytes { bytes in
                var offset = 0
                while offset < bytes.count {
                    let count = write(descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
                    if count < 0, errno == EINTR { continue }
                    // Nobody reads any more: there is no one left to tell.
                    if count <= 0 { return }
                    offset += count
                }
            }
        }
    }
}
