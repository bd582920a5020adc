import Foundation
import JSONWire
import SubGuardDomain
import TextCoding

/// A program that delivers reminders.
struct ReminderProgram {
    private let name: String
    private let path: String

    private static let limitSeconds = 60

    /// - Parameter name: a path, or a name to find on `PATH`.
    init(_ name: String) throws(ReminderDeliveryError) {
        self.name = name
        let folders = (Invocation.current.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        let candidates = name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }
        guard let path = candidates.first(where: Self.isProgram) else {
            throw .cannotStart(name, reason: name.contains("/") ? Self.reason(name) : "not found on PATH")
        }
        self.path = path
    }

    private static func isProgram(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
            && access(path, X_OK) == 0
    }

    private static func reason(_ path: String) -> String {
        String(cString: strerror(access(path, X_OK) == 0 ? EISDIR : errno))
    }

    /// Shows a desktop notification with the arguments of `notify-send`.
    func notify(_ reminder: DueReminder) async throws(ReminderDeliveryError) {
        // Servers read markup in the body, and `notify-send` backslashes.
        let body = reminder.message.escaping(["\\": "\\\\", "&": "&amp;", "<": "&lt;", ">": "&gt;"])
        try await run(
            ["--app-name=SubGuard", "--icon=appointment-soon", "--category=reminder", "--", reminder.name, body],
            input: [])
    }

    /// Runs the program with the reminder as a JSON object on its standard input.
    func take(_ reminder: DueReminder, _ language: DisplayLanguage) async throws(ReminderDeliveryError) {
        try await run([], input: JSONWriter.bytes { $0.fields(reminder, language) } + [0x0A])
    }

    /// Standard output goes to standard error: that of `subguard` may be a JSON document.
    private func run(_ arguments: [String], input: [UInt8]) async throws(ReminderDeliveryError) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = Invocation.current.environmentOfOthers
        process.standardOutput = FileHandle.standardError
        let pipe = Pipe()
        process.standardInput = pipe
        do {
            // Written before the program starts: one that does not read must not end this process. A reminder is far
            // smaller than a pipe's buffer.
            try pipe.fileHandleForWriting.write(contentsOf: input)
            try process.run()
            try pipe.fileHandleForWriting.close()
        } catch {
            throw .cannotStart(name, reason: (error as NSError).localizedFailureReason ?? "\(error)")
        }
        let end = ContinuousClock.now + .seconds(Self.limitSeconds)
        var ended = Self.end(of: process)
        while ended == nil {
            guard ContinuousClock.now < end else {
                kill(process.processIdentifier, SIGKILL)
                throw .stopped(name, seconds: Self.limitSeconds)
            }
            try? await Task.sleep(for: .milliseconds(10))
            ended = Self.end(of: process)
        }
        guard let ended, ended.isExit, ended.status == 0 else { throw .exited(name, status: ended?.status ?? 0) }
    }

    /// How the program itself ended; nil while it runs. `isRunning` stays true while a program that it left behind
    /// holds a socket of Foundation's.
    private static func end(of process: Process) -> (status: Int32, isExit: Bool)? {
        #if canImport(Glibc)
            var info = siginfo_t()
            // Foundation takes the status itself.
            if waitid(P_PID, id_t(process.processIdentifier), &info, WEXITED | WNOHANG | WNOWAIT) == 0 {
                guard info.si_signo == SIGCHLD else { return nil }
                return (info._sifields._sigchld.si_status, info.si_code == Int32(CLD_EXITED))
            }
        #endif
        guard !process.isRunning else { return nil }
        return (process.terminationStatus, process.terminationReason == .exit)
    }
}
