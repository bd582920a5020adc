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
