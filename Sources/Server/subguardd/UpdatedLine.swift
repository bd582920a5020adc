import Foundation

/// A line on a terminal that shows progress, updated at most twice per second.
final class UpdatedLine {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var shownAt = ContinuousClock.now
    private var isShown = false

    var isDue: Bool { isTerminal && shownAt.duration(to: .now) > .milliseconds(500) }

    func show(_ text: String) {
        FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
        shownAt = .now
        isShown = true
    }

    func end() { if isShown { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) } }
}
