import Dispatch
import Foundation
import HTTPWire
import Synchronization

/// Takes finished lines from any thread and writes them to standard error from a queue of its own, so that a slow reader
/// of the log never holds a request up. Lines gather for 100 ms or until there are 64 KiB of them, so that a busy server
/// writes hundreds with one call. What does not fit in memory meanwhile is dropped and counted.
final class LogSink: Sendable {
    private struct State: ~Copyable {
        var lines = OutputBuffer(capacity: 2 * LogSink.fullBytes)
        var time = LineTime()
        var dropped: Int64 = 0
        /// A write is due at the latest 100 ms after the first line that waits.
        var isScheduled = false
        /// A write was asked for at once.
        var isUrgent = false
    }

    private enum Next {
        case nothing
        case writeSoon
        case writeNow
    }

    private let state = Mutex(State())
    /// What is being written; changes places with the buffer that is filled. Locked on the queue alone.
    private let leaving = Mutex(OutputBuffer(capacity: 2 * LogSink.fullBytes))
    private let queue = DispatchQueue(label: "subguard.log", qos: .utility)
    private let descriptor: Int32

    /// Log text waiting in memory at most.
    private static let maximumWaitingBytes = 4 << 20
    /// From here on lines are written at once.
    private static let fullBytes = 64 << 10
    private static let gatherMilliseconds = 100

    init(descriptor: Int32 = STDERR_FILENO) { self.descriptor = descriptor }

    /// Lines that were lost because nobody read the log fast enough.
    var dropped: Int64 { state.withLock { $0.dropped } }

    /// Appends one line; `write` adds its bytes without the line end.
    func append(_ write: (inout OutputBuffer, inout LineTime) -> Void) {
        let next: Next = state.withLock { state in
            guard state.lines.count < Self.maximumWaitingBytes else {
                state.dropped += 1
                return .nothing
            }
            write(&state.lines, &state.time)
            state.lines.append(UInt8(ascii: "\n"))
            if state.lines.count >= Self.fullBytes {
                defer { state.isUrgent = true }
                return state.isUrgent ? .nothing : .writeNow
            }
            defer { state.isScheduled = true }
            return state.isScheduled ? .nothing : .writeSoon
        }
        switch next {
        case .nothing: break
        case .writeSoon:
            queue.asyncAfter(deadline: .now() + .milliseconds(Self.gatherMilliseconds)) { self.writeWaiting() }
        case .writeNow: queue.async { self.writeWaiting() }
        }
    }

    /// Returns when everything appended before is written.
    func flush() { queue.sync { writeWaiting() } }

    private func writeWaiting() {
        leaving.withLock { leaving in
            state.withLock { state in
                swap(&state.lines, &leaving)
                state.isScheduled = false
                state.isUrgent = false
            }
            leaving.withBytes { bytes in
                var offset = 0
                while offset < bytes.count {
                    let count = write(descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
                    if count < 0, errno == EINTR { continue }
                    // Nobody reads any more, so nobody can be told.
                    if count <= 0 { return }
                    offset += count
                }
            }
            leaving.removeAll()
        }
    }
}
