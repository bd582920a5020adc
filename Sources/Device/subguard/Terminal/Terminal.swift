import Foundation

/// The program's own two streams, written to the end or not at all: Foundation's handles stop the process where there
/// is no room.
enum StandardStream {
    /// Writes to standard output. Where that fails, standard error says why and the program ends with status 1: what
    /// was asked for may be done, but nobody has its answer.
    static func output(_ text: String) {
        guard let reason = write(Array(text.utf8), to: STDOUT_FILENO) else { return }
        error("error: cannot write the output: \(reason)\n")
        exit(1)
    }

    /// Writes to standard error, where there is one; text from elsewhere cannot move the cursor.
    static func error(_ text: String) { _ = write(Array(TerminalText.masked(text).utf8), to: STDERR_FILENO) }

    /// Writes the program's own words to standard error, which move the cursor. Where that fails, nothing is lost.
    static func progress(_ text: String) { _ = write(Array(text.utf8), to: STDERR_FILENO) }

    /// Sees to it that a stream that was closed by the caller is never the number of a file that the program opens:
    /// else its output would go into the store.
    static func occupy() {
        for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) == -1 {
            // For reading alone, so that writing to it fails and is told.
            _ = open("/dev/null", O_RDONLY)
        }
    }

    /// Nil when all was written, else why not.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> String? {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return String(cString: strerror(errno)) }
                rest = rest.dropFirst(count)
            }
            return nil
        }
    }
}

/// Text from elsewhere (names, other devices' files, arguments) on its way to a terminal.
enum TerminalText {
    /// Blanks in the place of control characters, and of those that turn the direction of writing: none may move the
    /// cursor, begin an escape sequence or show a text as another. Line ends stay, and so does the program's own colour.
    static func masked(_ text: String) -> String {
        var masked = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.first {
            if let style = TerminalStyle.sequences.first(where: { rest.starts(with: $0.unicodeScalars) }) {
                masked.append(contentsOf: style.unicodeScalars)
                rest = rest.dropFirst(style.unicodeScalars.count)
            } else {
                masked.append(scalar == "\n" || !isMasked(scalar) ? scalar : " ")
                rest = rest.dropFirst()
            }
        }
        return String(masked)
    }

    /// The same for what must stay on its line, and without colour.
    static func line(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isMasked($0) ? " " : $0 }))
    }

    private static func isMasked(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202A...0x202E, 0x2066...0x2069: true
        default: scalar.properties.generalCategory == .control
        }
    }
}

/// Colour on a terminal and nowhere else.
struct TerminalStyle {
    enum Colour: Int, CaseIterable {
        case red = 31
        case green = 32
        case orange = 33
        case blue = 34
        case grey = 90
    }

    /// Every escape sequence that is the program's own.
    static let sequences = ([0, 1] + Colour.allCases.map(\.rawValue)).map { "\u{1B}[\($0)m" }

    let isColoured: Bool

    /// `NO_COLOR` and a dumb terminal mean none (https://no-color.org).
    init(environment: [String: String], isTerminal: Bool) {
        isColoured = isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }

    func colour(_ text: String, _ colour: Colour?) -> String {
        guard isColoured, let colour else { return text }
        return "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m"
    }

    func bold(_ text: String) -> String { isColoured ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
}
