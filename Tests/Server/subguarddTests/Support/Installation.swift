import EventLog
import Foundation
import SQLDatabase
import SQLiteDatabase
import SubGuardDomain
import TestKit

/// A folder with a database, and the programs that use it.
struct Installation: Sendable {
    /// The result of a command.
    struct Outcome: Sendable {
        let ending: ChildProcess.Ending
        let output: String
        let errors: String

        var succeeded: Bool { ending == .exited(0) }
        /// Exited with a status other than 0: neither a crash nor a success.
        var failed: Bool { if case .exited(let status) = ending { status != 0 } else { false } }
        var outputLines: [Substring] { output.split(separator: "\n") }
        var errorLines: [Substring] { errors.split(separator: "\n") }
    }

    let folder: TemporaryFolder
    var storePath: String { folder.file("store/subguard.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    /// With a migrated database.
    static func migrated() async throws -> Installation {
        let installation = try Installation()
        let outcome = try await installation.run("migrate")
        guard outcome.succeeded else { throw Failure(outcome: outcome) }
        return installation
    }

    struct Failure: Error { let outcome: Outcome }

    /// Runs a command to its end. `variables` are added to the one that names the database.
    func run(
        _ arguments: String..., variables: [String: String] = [:], program: Program = .server
    ) async throws -> Outcome {
        let process = try start(program, arguments, variables: variables)
        let ending = try await process.ending(withinSeconds: 60)
        return Outcome(ending: ending, output: process.output, errors: process.errors)
    }

    /// Starts a server and waits until it announces its address.
    func serve(_ arguments: String..., variables: [String: String] = [:]) async throws -> RunningServer {
        try await RunningServer(start(.server, ["serve"] + arguments, variables: serving(variables)))
    }

    /// Starts a server without waiting.
    func startServer(variables: [String: String] = [:]) throws -> ChildProcess {
        try start(.server, ["serve"], variables: serving(variables))
    }

    func start(_ program: Program, _ arguments: [String], variables: [String: String]) throws -> ChildProcess {
        var environment = ["SUBGUARD_DATABASE_URL": "sqlite:\(storePath)", "PATH": "/usr/bin:/bin"]
        // Needed on some systems for debug builds to find the Swift libraries.
        environment["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
        environment.merge(variables) { _, new in new }
        return try ChildProcess(program, arguments, environment: environment, in: folder)
    }

    private func serving(_ variables: [String: String]) -> [String: String] {
        ["SUBGUARD_PORT": "0"].merging(variables) { _, new in new }
    }

    /// A new token of the role.
    func makeToken(role: String = "owner", name: String = "test") async throws -> String {
        let outcome = try await run("token", "create", "--role", role, "--name", name)
        guard outcome.succeeded else { throw Failure(outcome: outcome) }
        return outcome.output.replacing("\n", with: "")
    }

    /// Imports rows of a small catalogue.
    func importSmallCatalogue() async throws {
        let path = try folder.write(
            """
            name,slug,category,typical_amount,currency,billing_cycle,aliases
            Ciné “Séries”,netflix,streaming,13.49,EUR,monthly,N|Nét flix
            Musique,spotify-premium,music,12.34,EUR,monthly,
            Ärzte & Co,aerzte,health,1200,JPY,yearly,
            "Presse, le soir",le-soir,press,0.99,CHF,every:10d,
            """, to: "small.csv")
        let outcome = try await run("catalogue", "import", path)
        guard outcome.succeeded else { throw Failure(outcome: outcome) }
    }

    /// Opens the database in this process.
    func withStore<Result>(_ body: (SQLiteStore) throws -> Result) throws -> Result {
        let store = try SQLiteStore(path: storePath)
        defer { try? store.close() }
        return try body(store)
    }

    func execute(_ statement: String) throws { try execute([statement]) }

    /// Runs the statements in one transaction.
    func execute(_ statements: [String]) throws {
        try withStore { store in
            try store.write { transaction in
                for statement in statements { try transaction.execute(statement) }
            }
        }
    }

    func integer(_ sql: String) throws -> Int64? {
        try withStore { store in try store.read { try $0.first(sql) { try $0.integer(0) } } }
    }

    func eventIDs() throws -> [UUID] {
        try withStore { store in
            try store.read { session in
                var ids: [UUID] = []
                try EventLogReader.forEach(in: session) { ids.append($0.id) }
                return ids
            }
        }
    }

    /// The bytes of the database file, without its write-ahead log.
    func storeBytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: storePath)) }
}
