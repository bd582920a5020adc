import Foundation
import JSONWire
import Synchronization
import TestKit
import Testing

@testable import DeviceCommands
@testable import subguard

/// Runs commands of `subguard` on its own database, with a pinned clock: within the test's own process, through the
/// entry of the program, unless a command needs a process of its own.
final class Client: Sendable {
    struct Outcome: Sendable {
        let status: Int32
        let output: String
        let errors: String
    }

    let folder: TemporaryFolder
    /// The folder of outputs, beside the folder that tests examine.
    private let outputs: TemporaryFolder
    let store: String
    private let isPremium: Bool
    private let environment: [String: String]

    /// - Parameters:
    ///   - environment: in addition to the variables of every client.
    ///   - database: the path of the database in the folder.
    init(
        isPremium: Bool = true, environment: [String: String] = [:], database: String = "store.sqlite"
    ) throws {
        folder = try TemporaryFolder()
        outputs = try TemporaryFolder()
        self.environment = environment
        store = folder.file(database)
        self.isPremium = isPremium
    }

    /// The folder of the programs, beside the test bundle.
    static var programs: URL {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    }

    /// - Parameter now: nil for the real clock.
    func process(_ arguments: [String], now: String? = "2026-11-20T10:00:00Z") throws -> Process {
        let process = Process()
        process.executableURL = Self.programs.appendingPathComponent("subguard")
        process.arguments = complete(arguments, now)
        process.environment = variables
        process.standardInput = FileHandle.nullDevice
        return process
    }

    private func complete(_ arguments: [String], _ now: String?) -> [String] {
        arguments + ["--store", store, "--zone", "Europe/Paris"] + (now.map { ["--now", $0] } ?? [])
    }

    private var variables: [String: String] {
        ["HOME": folder.path, "SUBGUARD_PREMIUM": "\(isPremium)", "SUBGUARD_PASSPHRASE": "phrase", "LANG": "C"]
            .merging(environment) { $1 }
    }

    /// Variables that the program itself reads. Others are for its process.
    private static let ownVariables: Set<String> = [
        "LANG", "SUBGUARD_SERVER", "SUBGUARD_CONSENT", "SUBGUARD_PREMIUM", "SUBGUARD_PASSPHRASE",
        "SUBGUARD_SIGNING_KEY", "COLUMNS",
    ]

    /// Commands that start other programs, or serve until a signal.
    private static let commandsOfAProcess: Set<String> = ["remind", "open"]

    func run(_ arguments: String..., now: String? = "2026-11-20T10:00:00Z") throws -> Outcome {
        try run(arguments, now: now)
    }

    func run(_ arguments: [String], now: String? = "2026-11-20T10:00:00Z") throws -> Outcome {
        let needsProcess = arguments.contains(where: Self.commandsOfAProcess.contains)
        guard !needsProcess, environment.keys.allSatisfy(Self.ownVariables.contains) else {
            return try outcome(of: try process(arguments, now: now))
        }
        var invocation = Invocation()
        invocation.arguments = complete(arguments, now)
        invocation.environment = variables
        invocation.appCommands = [OpenCommand.self, CalendarCommand.self]
        return Self.outcome(of: invocation)
    }

    /// Runs a command in this process.
    private static func outcome(of invocation: Invocation) -> Outcome {
        let captured = CapturedOutput()
        var invocation = invocation
        invocation.output = captured
        let status = CommandThread.run { [invocation] in
            await Invocation.$current.withValue(invocation) { await SubGuard.run() }
        }
        return Outcome(status: status, output: captured.output, errors: captured.errors)
    }

    /// Runs a process of this client to its end.
    func outcome(of process: Process) throws -> Outcome {
        let name = UUID().uuidString
        let (out, err) = (try outputs.write("", to: name + ".out"), try outputs.write("", to: name + ".err"))
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: out))
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: err))
        try process.run()
        process.waitUntilExit()
        let text = { (path: String) in
            String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
        }
        return Outcome(status: process.terminationStatus, output: text(out), errors: text(err))
    }

    /// Runs a command that must succeed, and returns its JSON output.
    func json(_ arguments: String..., now: String? = "2026-11-20T10:00:00Z") throws -> JSONValue {
        try json(arguments, now: now)
    }

    func json(_ arguments: [String], now: String? = "2026-11-20T10:00:00Z") throws -> JSONValue {
        let outcome = try run(arguments + ["--json"], now: now)
        #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
        return try JSONValue.parse(Array(outcome.output.utf8))
    }

    /// Runs a command that must succeed, and returns the printed id.
    func id(_ arguments: String..., now: String? = "2026-11-20T10:00:00Z") throws -> String {
        let outcome = try run(arguments, now: now)
        #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
        return outcome.output.trimmingCharacters(in: .newlines)
    }

    func add(_ name: String = "Netflix", _ more: String..., next: String = "2026-11-25") throws -> String {
        let outcome = try run(
            ["add", "--name", name, "--amount", "13.49", "--currency", "EUR", "--cycle", "monthly", "--next", next]
                + more)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output.trimmingCharacters(in: .newlines)
    }
}

/// Runs a command on a thread of its own. The caller waits, and the threads of the tests are as few as the cores, so
/// that the command must not need one of them.
final class CommandThread: TaskExecutor {
    private let queue = DispatchQueue(label: "command")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    static func run(_ body: @escaping @Sendable () async -> Int32) -> Int32 {
        let status = Mutex<Int32>(-1)
        let isDone = DispatchSemaphore(value: 0)
        Task(executorPreference: CommandThread()) {
            let ending = await body()
            status.withLock { $0 = ending }
            isDone.signal()
        }
        isDone.wait()
        return status.withLock { $0 }
    }
}

extension JSONValue {
    /// The texts or numbers of one member of each element.
    func each(_ name: String) -> [String] {
        (arrayValue ?? []).map { element in
            switch element[name] {
            case .string(let text): text
            case .number(let text): text
            case .null, nil: "null"
            default: "?"
            }
        }
    }
}
