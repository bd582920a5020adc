import Foundation
import Synchronization

/// A PostgreSQL server for the tests of this process, started by `Scripts/private-postgres` on first use. It ends with
/// the process: the script runs until its standard input, which only this process holds, is closed.
package final class PostgresServer: Sendable {
    package struct Unavailable: Error {
        package let reason: String
    }

    /// The server shared by tests, each of which uses its own database.
    package static func shared() throws -> PostgresServer {
        try instance.withLock { instance in
            if let instance { return instance }
            let server = try PostgresServer()
            instance = server
            return server
        }
    }

    private static let instance = Mutex<PostgresServer?>(nil)

    /// The URL of the database `postgres`.
    package let url: String
    private let script: Process
    private let input: Pipe

    /// Starts a separate server, with settings such as `fsync=on`, or a streaming standby of `primary`.
    /// Refused in `make test`, which names SQLite: it must pass without PostgreSQL, where that is installed too.
    package init(settings: [String] = [], standbyOf primary: PostgresServer? = nil) throws {
        guard ProcessInfo.processInfo.environment["SUBGUARD_TEST_DATABASE"] != TestDatabase.sqlite.rawValue else {
            throw Unavailable(reason: "SUBGUARD_TEST_DATABASE is sqlite")
        }
        let output = Pipe()
        input = Pipe()
        script = Process()
        script.executableURL = RepositoryFile.url("Scripts/private-postgres")
        script.arguments = (primary.map { ["--standby-of", $0.url] } ?? []) + settings
        script.standardInput = input
        script.standardOutput = output
        try script.run()
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw Unavailable(reason: "Scripts/private-postgres ended; it says why above") }
            line += more
        }
        url = String(decoding: line.dropLast(), as: UTF8.self)
    }

    deinit { stop() }

    /// Stops the server and waits for its end. A second call does nothing.
    package func stop() {
        try? input.fileHandleForWriting.close()
        script.waitUntilExit()
    }

    /// The URL of a database with that name.
    package func url(ofDatabase name: String) -> String { url.replacing(/\/postgres$/, with: "/\(name)") }
}
