import Foundation

/// Standard output and standard error. Foundation's file handles trap when a disk is full, so they are not used.
package enum StandardStream {
    /// Writes to standard output. On failure prints the reason to standard error and exits with status 1: the command
    /// may have run, but its output is lost.
    package static func output(_ text: String) {
        guard let reason = write(Array(text.utf8), to: STDOUT_FILENO) else { return }
        error("error: cannot write the output: \(reason)\n")
        exit(1)
    }

    /// Writes a file to standard output: as it is to another file or program, without control characters to a terminal.
    static func file(_ text: String) {
        let isShown = Invocation.current.isTerminal(STDOUT_FILENO)
        output(isShown ? TerminalText.masked(text.replacing("\r\n", with: "\n")) : text)
    }

    /// Writes a JSON document to standard output; to a terminal, control characters become escapes.
    static func json(_ document: String) {
        output((Invocation.current.isTerminal(STDOUT_FILENO) ? TerminalText.escaped(document) : document) + "\n")
    }

    /// Writes to standard error, without control characters. A failure is ignored.
    static func error(_ text: String) { _ = write(Array(TerminalText.masked(text).utf8), to: STDERR_FILENO) }

    /// Writes to standard error, with control characters for the progress bar. A failure is ignored.
    static func progress(_ text: String) { _ = write(Array(text.utf8), to: STDERR_FILENO) }

    /// Opens `/dev/null` for standard streams that the caller closed. Otherwise the database would get one of
    /// their descriptors, and output would be written into it.
    static func reserveDescriptors() {
        for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) == -1 {
            // Read-only, so that writing fails and is reported.
            _ = open("/dev/null", O_RDONLY)
        }
    }

    /// Nil when everything was written, else the reason.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> String? {
        if let captured = Invocation.current.output {
            captured.write(bytes, to: descriptor)
            return nil
        }
        return bytes.withUnsafeBytes { buffer in
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

/// Makes untrusted text (names, files of other devices, arguments) safe for a terminal.
enum TerminalText {
    /// Replaces control characters and bidirectional overrides by blanks, so that none can move the cursor, start an
    /// escape sequence or disguise a text. Keeps line ends and the program's own colours.
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

    /// The same, without line ends and colours.
    static func line(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isMasked($0) ? " " : $0 }))
    }

    /// A JSON document with escapes for the same characters, which only its strings have.
    static func escaped(_ document: String) -> String {
        var escaped = ""
        for scalar in document.unicodeScalars {
            if scalar != "\n", isMasked(scalar) {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static func isMasked(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202A...0x202E, 0x2066...0x2069: true
        default: scalar.properties.generalCategory == .control
        }
    }
}

/// Colours, on a terminal only.
struct TerminalStyle {
    enum Colour: Int, CaseIterable {
        case red = 31
        case green = 32
        case orange = 33
        case blue = 34
        case grey = 90
    }

    /// Every escape sequence that the program writes.
    static let sequences = ([0, 1] + Colour.allCases.map(\.rawValue)).map { "\u{1B}[\($0)m" }

    let isColoured: Bool

    /// No colours with `NO_COLOR` (https://no-color.org) or a dumb terminal.
    init(environment: [String: String], isTerminal: Bool) {
        isColoured = isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }

    func colour(_ text: String, _ colour: Colour?) -> String {
        guard isColoured, let colour else { return text }
        return "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m"
    }

    func bold(_ text: String) -> String { isColoured ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
}
