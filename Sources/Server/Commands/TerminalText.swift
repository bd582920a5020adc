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

/// Prints a text on standard output. Commands print their results by this: texts of a database, a file or another
/// server must not move the terminal's cursor or start an escape sequence.
func print(_ text: String) { Swift.print(TerminalText.escaped(text)) }

/// Prints one line on standard error.
func printError(_ line: String) {
    FileHandle.standardError.write(Data((TerminalText.escaped(line) + "\n").utf8))
}

enum TerminalText {
    /// Escapes control characters and invisible ones that change the text around them, such as `\u{1B}`. Keeps line
    /// ends and tabs, and the joiners of emoji and scripts.
    static func escaped(_ text: String) -> String { escaped(text, keeping: "\n\t") }

    /// The same for a value between others, without line ends and tabs.
    static func value(_ text: String) -> String { escaped(text, keeping: "") }

    private static func escaped(_ text: String, keeping kept: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control where !kept.unicodeScalars.contains(scalar),
                .format where !scalar.properties.isJoinControl:
                escaped.append(contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
