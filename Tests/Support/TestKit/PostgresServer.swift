import Foundation
import Synchronization

/// A PostgreSQL server for the tests of this process, started by `Scripts/private-postgres` when first asked for. It ends
/// with the process: the script serves until its standard input, which only we hold, is closed.
package final class PostgresServer: Sendable {
    package struct Unavailable: Error {
        package let reason: String
    }

    /// The one server that tests share; each takes a database of its own from it.
    package static func shared() throws -> PostgresServer {
        try instance.withLock { instance in
            if let instance { return instance }
            let server = try PostgresServer()
            instance = server
            return server
        }
    }

    private static let instance = Mutex<PostgresServer?>(nil)

    /// Of the database `postgres`.
    package let url: String
    private let script: Process
    private let input: Pipe

    /// Starts one that nobody shares, with settings such as `fsync=on`.
    package init(settings: [String] = []) throws {
        let output = Pipe()
        input = Pipe()
        script = Process()
        script.executableURL = RepositoryFile.url("Scripts/private-postgres")
        script.arguments = settings
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

    /// Ends the server and waits for it. A second call does nothing.
    package func stop() {
        try? input.fileHandleForWriting.close()
        script.waitUntilExit()
    }

    /// The address of a database by that name.
    package func url(ofDatabase name: String) -> String { url.replacing(/\/postgres$/, with: "/\(name)") }
}
