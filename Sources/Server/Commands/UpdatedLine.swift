import Foundation

/// A line on a terminal that shows progress, updated at most twice per second.
final class UpdatedLine {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let plainInterval: Duration?
    private var shownAt = ContinuousClock.now
    private var isShown = false

    /// - Parameter plainEvery: writes a line so often where standard error is no terminal. Default: never.
    init(plainEvery interval: Duration? = nil) { plainInterval = interval }

    var isDue: Bool {
        guard let interval = isTerminal ? .milliseconds(500) : plainInterval else { return false }
        return shownAt.duration(to: .now) > interval
    }

    func show(_ text: String) {
        guard isTerminal || plainInterval != nil else { return }
        FileHandle.standardError.write(Data((isTerminal ? "\r\u{1B}[K\(text)" : "\(text)\n").utf8))
        shownAt = .now
        isShown = true
    }

    func end() { if isShown, isTerminal { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) } }
}
