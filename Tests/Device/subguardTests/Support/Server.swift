import Foundation
import JSONWire
import SQLDatabase
import SQLiteDatabase
import TestKit
import Testing

/// All suites that start a server. Serialised to limit the load on the machine.
@Suite(.serialized, .timeLimit(.minutes(10)))
enum OnlineTests {}

/// A real `subguardd` on its own database, which a test may kill and restart.
final class Server {
    struct NotListening: Error { let output: String }

    let folder: TemporaryFolder
    let token: String
    private(set) var port = 0
    private var process: Process?
    private let variables: [String: String]

    /// - Parameters:
    ///   - isWhole: with the starter catalogue; else with four services.
    ///   - variables: settings of the server.
    init(isWhole: Bool = false, variables: [String: String] = [:]) throws {
        self.variables = variables
        folder = try TemporaryFolder()
        let small = """
            name,slug,category,typical_amount,currency,billing_cycle,aliases
            Ciné “Séries”,netflix,streaming,13.49,EUR,monthly,N|Nét flix
            Cinés en double,double,streaming,13.49,EUR,monthly,
            Musique,spotify-premium,music,12.34,EUR,monthly,
            Ärzte & Co,aerzte,health,1200,JPY,yearly,
            """
        let catalogue =
            try isWhole
            ? RepositoryFile.url("Config/catalogue.csv").path : folder.write(small, to: "small.csv")
        let folder = folder
        _ = try Self.run(["migrate"], folder)
        _ = try Self.run(["catalogue", "import", catalogue], folder)
        token = try Self.run(["token", "create", "--role", "owner", "--name", "test"], folder)
            .trimmingCharacters(in: .newlines)
        try start()
    }

    deinit { kill() }

    var address: String { "http://127.0.0.1:\(port)" }

    func start() throws {
        let output = try folder.write("", to: "serve.out")
        let process = Self.process(["serve"], folder, variables)
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        try process.run()
        self.process = process
        var text = ""
        let isHeard = eventually(timeoutSeconds: 30) {
            text = String(decoding: FileManager.default.contents(atPath: output) ?? Data(), as: UTF8.self)
            return text.contains("\n")
        }
        guard isHeard, let port = text.firstMatch(of: /127\.0\.0\.1:(\d+)/).flatMap({ Int($0.1) }) else {
            throw NotListening(output: text)
        }
        self.port = port
    }

    /// Sends SIGKILL.
    func kill() {
        guard let process, process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Stops it regularly, without a time limit.
    func stop() {
        guard let process, process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    /// Reads a number from the server's database.
    func integer(_ sql: String) throws -> Int64? {
        let store = try SQLiteStore(path: folder.file("server.sqlite"))
        defer { try? store.close() }
        return try store.read { try $0.first(sql) { try $0.integer(0) } }
    }

    func get(_ target: String) throws -> JSONValue {
        let answer = try RawClient.exchange(
            port, "GET \(target) HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(token)\r\n\r\n")
        #expect(answer.status == 200, "\(target): \(answer.text)")
        return try JSONValue.parse(answer.body)
    }

    @discardableResult
    func post(_ target: String, _ body: String) throws -> RawResponse {
        let head = """
            POST \(target) HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(token)\r\nContent-Type: application/json\r\n\
            Content-Length: \(body.utf8.count)\r\n\r\n
            """
        return try RawClient.exchange(port, head + body)
    }

    /// A figure of the dashboard, after all accepted events have been counted.
    func figure(_ name: String) throws -> Int64? { try get("/api/v1/admin/dashboard")[name]?["value"]?.integerValue }

    /// Runs a `subguardd` command to its end.
    @discardableResult
    static func run(_ arguments: [String], _ folder: TemporaryFolder) throws -> String {
        let process = process(arguments, folder)
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(arguments): \(output)")
        return output
    }

    private static func process(
        _ arguments: [String], _ folder: TemporaryFolder, _ variables: [String: String] = [:]
    ) -> Process {
        let process = Process()
        process.executableURL = Client.programs.appendingPathComponent("subguardd")
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        process.environment = [
            "SUBGUARD_DATABASE_URL": "sqlite:\(folder.file("server.sqlite"))", "SUBGUARD_PORT": "0",
            "PATH": "/usr/bin:/bin", "LD_LIBRARY_PATH": ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "",
        ].merging(variables) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return process
    }
}
