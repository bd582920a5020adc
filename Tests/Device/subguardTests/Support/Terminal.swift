import Foundation
import Testing

/// A pseudo-terminal, whose output can be read.
final class Terminal {
    let program: FileHandle
    private let ours: Int32

    init() throws {
        ours = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // TIOCSPTLCK and TIOCGPTN of Linux, which Swift does not import: they unlock the terminal and return its
        // number.
        var (locked, number) = (CInt(0), CInt(0))
        try #require(ours >= 0 && ioctl(ours, 0x4004_5431, &locked) == 0 && ioctl(ours, 0x8004_5430, &number) == 0)
        let descriptor = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(descriptor >= 0)
        program = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    deinit { close(ours) }

    /// Types a text ahead of what the program reads.
    func type(_ text: String) { _ = write(ours, text, text.utf8.count) }

    /// Runs a command of a client, whose output is a terminal.
    static func output(of client: Client, _ arguments: [String]) throws -> String {
        let terminal = try Terminal()
        let process = try client.process(arguments)
        process.standardOutput = terminal.program
        try process.run()
        process.waitUntilExit()
        return try terminal.text().replacing("\r\n", with: "\n")
    }

    /// The output, once no process has the terminal open.
    func text() throws -> String {
        try program.close()
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            // Reading at the end of a terminal is an error.
            let count = read(ours, &chunk, chunk.count)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
