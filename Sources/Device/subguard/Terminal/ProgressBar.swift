import Foundation

/// Shows on standard error how far long work is, on a terminal only and not with `--json`.
final class ProgressBar {
    private let isShown: Bool
    private let label: String
    private var last = -1

    init(_ label: String, _ session: Session) {
        self.label = label
        isShown = !session.isJSON && isatty(STDERR_FILENO) == 1
    }

    func show(_ done: Int, _ count: Int) {
        // Short work is over before anybody has read it.
        guard isShown, count >= 500 else { return }
        let percent = done * 100 / count
        guard percent != last else { return }
        last = percent
        let filled = percent * 30 / 100
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
        let end = done == count ? "\r\u{1B}[K" : ""
        StandardStream.progress("\r\(label) \(bar) \(percent) %\(end)")
    }
}
