import Foundation
import JSONWire
import TestKit
import Testing

/// Runs the `subguard` binary on its own database, with a pinned clock.
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

    /// - Parameter environment: in addition to the variables of every client.
    init(isPremium: Bool = true, environment: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        outputs = try TemporaryFolder()
        self.environment = environment
        store = folder.file("store.sqlite")
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
        process.arguments =
            arguments + ["--store", store, "--zone", "Europe/Paris"] + (now.map { ["--now", $0] } ?? [])
        process.environment = [
            "HOME": folder.path, "SUBGUARD_PREMIUM": "\(isPremium)", "SUBGUARD_PASSPHRASE": "phrase", "LANG": "C",
        ].merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        return process
    }

    func run(_ arguments: String..., now: String? = "2026-11-20T10:00:00Z") throws -> Outcome {
        try run(arguments, now: now)
    }

    func run(_ arguments: [String], now: String? = "2026-11-20T10:00:00Z") throws -> Outcome {
        try outcome(of: try process(arguments, now: now))
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
