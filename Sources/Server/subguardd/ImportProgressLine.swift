import Foundation
import Synchronization

/// Tells on standard error how far an import is: a line that is written over on a terminal, a line each tenth elsewhere.
/// Files that are done in a moment get none.
final class ImportProgressLine: Sendable {
    private static let leastRows = 2000

    private let rowCount: Int
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let shown = Mutex(0)

    init(rowCount: Int) { self.rowCount = rowCount }

    func show(done: Int, of total: Int) {
        guard rowCount >= Self.leastRows else { return }
        let percent = done * 100 / max(1, total)
        let step = isTerminal ? 1 : 10
        let isDue = shown.withLock { shown in
            guard percent / step > shown / step else { return false }
            shown = percent
            return true
        }
        guard isDue else { return }
        let line = "\(percent) % of \(rowCount) rows"
        let text = isTerminal ? "\r\(line)\(done == total ? "\n" : "")" : line + "\n"
        FileHandle.standardError.write(Data(text.utf8))
    }
}
