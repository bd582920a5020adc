import BackendHTTP
import ConsoleHTTP
import EventLog
import Foundation
import HTTPServer
import SQLDatabase
import SQLiteDatabase
import SubGuardDomain
import Telemetry
import TestKit

/// A real server on a new SQLite database, with a clock that only moves when told to, and which trusts the client
/// address in a request.
final class AttackedServer {
    private let clock: ManualClock
    private let folder: TemporaryFolder
    private let daemon: Daemon
    private let store: SQLiteStore
    private let client: RawClient
    private let log: FileHandle

    init(settings more: [(String, String)]) throws {
        folder = try TemporaryFolder()
        let clock = ManualClock(now: Int64(Date().timeIntervalSince1970 * 1000))
        self.clock = clock
        let path = folder.file("store.sqlite")
        let settings = try Settings(
            flags: [
                ("port", "0"), ("database_url", "sqlite:\(path)"), ("log_level", "error"),
                ("trusted_proxies", "127.0.0.1"), ("minimum_free_disk_mebibytes", "0"),
            ] + more, environment: [:], file: nil)
        try folder.write("", to: "log")
        log = try FileHandle(forWritingTo: folder.url.appending(path: "log"))
        daemon = try Daemon(
            settings: settings, now: { UTCInstant(millisecondsSinceEpoch: clock.now) }, log: log.fileDescriptor,
            tune: { server, _ in
                server.longestWait = .seconds(60)
                server.deadlines.handling = .seconds(120)
            }, pages: BrowserPages.all)
        store = try SQLiteStore(path: path)
        client = try RawClient(port: daemon.port, timeoutSeconds: 120)
    }

    var now: String { UTCInstant(millisecondsSinceEpoch: clock.now).rfc3339 }

    func advance(seconds: Int) { clock.advance(by: .seconds(seconds)) }

    /// The body of the last response.
    private(set) var answer = ""

    /// The status of a request from an address.
    func post(_ target: String, _ body: String, from address: String) throws -> Int {
        let body = Array(body.utf8)
        let head = """
            POST \(target) HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: \(address)\r\nContent-Type: application/json\r\n\
            Content-Length: \(body.count)\r\n\r\n
            """
        let response = try client.exchange(Array(head.utf8) + body)
        answer = response.text
        return response.status
    }

    /// Size of the database in bytes once every event is counted.
    func size() throws -> Int64 {
        guard try eventually(timeoutSeconds: 200, { try isFolded() }) else {
            throw Failure(description: "the events were not counted in time")
        }
        return try integer("PRAGMA page_count") * integer("PRAGMA page_size")
    }

    private func isFolded() throws -> Bool {
        try integer(
            """
            SELECT CASE WHEN f.folded_block_id = l.last_block_id THEN 1 ELSE 0 END
            FROM event_folds f JOIN event_log l ON l.id = f.id
            """) == 1
    }

    func integer(_ sql: String) throws -> Int64 {
        try store.read { try $0.first(sql) { try $0.integer(0) } ?? 0 }
    }

    /// The number of counted users whose hashes satisfy a condition.
    func users(where isWanted: (UserHash) -> Bool) throws -> Int {
        try store.read { try UserPages.count(in: $0, where: isWanted) }
    }

    func stop() throws {
        daemon.stop()
        try store.close()
    }
}
