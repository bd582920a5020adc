import Foundation
import Synchronization

/// Shows the progress of sending a history: a bar redrawn in place on a terminal, otherwise one line per 10 %.
package final class ProgressDisplay: Sendable {
    package static let standardError = ProgressDisplay(isTerminal: isatty(STDERR_FILENO) == 1) { text in
        FileHandle.standardError.write(Data(text.utf8))
    }

    private static let barWidth = 30

    private let isTerminal: Bool
    private let write: @Sendable (String) -> Void
    /// The last displayed step: thousandths on a terminal, tenths otherwise.
    private let shown = Mutex(-1)

    package init(isTerminal: Bool, write: @escaping @Sendable (String) -> Void) {
        self.isTerminal = isTerminal
        self.write = write
    }

    /// `total` must be positive.
    package func show(done: Int, of total: Int, events: Int) {
        let step = done * (isTerminal ? 1000 : 10) / total
        let isNew = shown.withLock { shown in
            defer { shown = step }
            return shown != step
        }
        guard isNew else { return }
        let counts = "\(done) of \(total) devices, \(events) events"
        guard isTerminal else { return write("\(step * 10) %: \(counts)\n") }
        let filled = done * Self.barWidth / total
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.barWidth - filled)
        write("\r\u{1B}[K[\(bar)] \(step / 10) %  \(counts)")
    }

    /// Prints a line that the bar does not overwrite.
    package func note(_ text: String) { write(isTerminal ? "\r\u{1B}[K\(text)\n" : "\(text)\n") }

    package func end() { if isTerminal { write("\n") } }
}
