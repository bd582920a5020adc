import Foundation
import TestKit

/// A child process. Its output goes to files, so that writing never blocks it, and it is killed when this value is
/// released.
final class ChildProcess: Sendable {
    enum Ending: Sendable, Equatable {
        case exited(Int32)
        case killed(signal: Int32)
    }

    struct StillRunning: Error {}

    private let process = Process()
    private let outputPath: String
    private let errorPath: String

    /// Starts the program, or a copy of it, in `folder` with only these variables.
    init(
        _ program: Program, _ arguments: [String], environment: [String: String], in folder: TemporaryFolder,
        copy: String? = nil
    ) throws {
        let name = "\(program.rawValue)-\(UUID().uuidString)"
        outputPath = try folder.write("", to: "\(name).out")
        errorPath = try folder.write("", to: "\(name).err")
        process.executableURL = URL(fileURLWithPath: try copy ?? program.path())
        process.arguments = arguments
        process.environment = environment
        process.currentDirectoryURL = folder.url
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: outputPath))
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errorPath))
        try process.run()
    }

    deinit { send(signal: SIGKILL) }

    var id: pid_t { process.processIdentifier }

    /// Does nothing if the process has ended.
    func send(signal number: Int32) {
        if process.isRunning { kill(id, number) }
    }

    var hasEnded: Bool { !process.isRunning }

    /// Waits for the end; throws ``StillRunning`` after a timeout.
    func ending(withinSeconds seconds: Double = 60) async throws -> Ending {
        guard try await holds(withinSeconds: seconds, { hasEnded }) else { throw StillRunning() }
        let status = process.terminationStatus
        return process.terminationReason == .uncaughtSignal ? .killed(signal: status) : .exited(status)
    }

    var output: String { Self.text(outputPath) }
    var errors: String { Self.text(errorPath) }

    /// The command line in the process list, with arguments joined by blanks.
    var commandLine: String { Self.text("/proc/\(id)/cmdline").replacing("\0", with: " ") }

    private static func text(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
}

/// Polls until the condition is true, without blocking a thread; returns `false` after a timeout.
func holds(withinSeconds seconds: Double = 30, _ condition: () throws -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while try !condition() {
        guard ContinuousClock.now < end else { return false }
        try await Task.sleep(for: .milliseconds(3))
    }
    return true
}
