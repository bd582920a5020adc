import BackendHTTP
import Catalogue
import ConsoleHTTP
import Foundation
import HTTPServer
import JSONWire
import Operations
import SQLDatabase
import SQLiteDatabase
import ServerAccess
import SubGuardDomain
import Synchronization
import TestKit
import Testing

/// The real server on its own port, with a new database created by the real migrations and a clock that only tests
/// advance.
///
/// All calls use sockets; ``outside`` is only for the actions of other processes.
final class TestServer: Sendable {
    /// The configuration of the server besides the settings of a test.
    struct Setup {
        /// Keys and values as for `--set`.
        var settings: [String: String] = [:]
        var now = "2026-11-20T10:00:00Z"
        var items = CatalogueDraft.starter
        /// Whether the test provokes errors. If so, the log must contain some, otherwise none.
        var logsErrors = false
        /// Maximum age of cached responses to /metrics and /readyz. 0 by default, so that each shows the current state.
        var sharedAnswerAge = Duration.zero
        /// Replaces constants of the server.
        var tune: @Sendable (inout HTTPServerConfiguration, inout RateQuotas) -> Void = { _, _ in }
    }

    let clock: ManualClock
    /// The same database through other connections, as in another process.
    let outside: OpenStore
    let tokens: [Role: String]
    /// The items by slug.
    let items: [String: CatalogueItem]
    let port: Int
    /// The port of the metrics listener, if there is one.
    let metricsPort: Int?
    private let daemon: Daemon
    private let folder: TemporaryFolder
    private let log: FileHandle
    private let settings: Settings
    private let hasStopped = Mutex(false)
    private let exchanges = Atomic<Int>(0)
    private let logsErrors: Bool

    /// Starts the server. Call ``end(sourceLocation:)`` at the end of the test.
    convenience init(settings: [String: String] = [:]) throws {
        var setup = Setup()
        setup.settings = settings
        try self.init(setup)
    }

    init(_ setup: Setup) throws {
        logsErrors = setup.logsErrors
        let clock = ManualClock(now: try instant(setup.now).millisecondsSinceEpoch)
        let now: @Sendable () -> UTCInstant = { UTCInstant(millisecondsSinceEpoch: clock.now) }
        self.clock = clock
        folder = try TemporaryFolder()
        let database: String
        switch TestDatabase.chosen {
        case .sqlite:
            let path = folder.file("store.sqlite")
            try StoreTemplate.server.place(at: path) { path in
                let store = try SQLiteStore(path: path)
                try Migrator.backend(.sqlite).migrate(store, now: setup.now)
                try store.close()
            }
            database = "sqlite:\(path)"
        case .postgres:
            database = try TestDatabase.makePostgresDatabase {
                try Migrator.backend(.postgres).migrate($0, now: setup.now)
            }
        }
        let settings = try Settings(
            flags: [
                ("port", "0"), ("database_url", database), ("log_format", "json"), ("loops", "2"),
                ("drain_timeout_seconds", "5"), ("database_connections", "6"),
            ] + setup.settings.map { ($0.key, $0.value) }, environment: [:], file: nil)
        self.settings = settings
        outside = try OpenStore(settings: settings, migrations: .apply, now: now)
        let access = AccessTokenStore(context: outside.context)
        tokens = Dictionary(
            uniqueKeysWithValues: try Role.builtIn.map { role in
                (role, try access.create(role: role, name: "Zoë, \(role.name)", expiresAt: nil, by: .setup).token)
            })
        let catalogue = CatalogueStore(context: outside.context)
        items = Dictionary(
            uniqueKeysWithValues: try setup.items.map { draft in
                (draft.slug, try catalogue.insert(draft, id: nil, by: .setup))
            })
        try folder.write("", to: "log")
        log = try FileHandle(forWritingTo: folder.url.appending(path: "log"))
        daemon = try Daemon(
            settings: settings, now: now, log: log.fileDescriptor, sharedAnswerAge: setup.sharedAnswerAge,
            tune: setup.tune, pages: BrowserPages.all)
        port = daemon.port
        metricsPort = daemon.metricsPort
    }

    /// The folder of all the server's files; its path must never be disclosed.
    var path: String { folder.path }

    /// The pages and forms of the console.
    var consoleBindings: [ConsoleBinding] { daemon.consoleBindings }

    // MARK: Requests

    func connect() throws -> RawClient { try RawClient(port: port, timeoutSeconds: 20) }

    /// Sends one request on its own connection.
    @discardableResult
    func exchange(_ call: HTTPCall) throws -> RawResponse {
        let response = try connect().exchange(call.bytes)
        exchanges.add(1, ordering: .relaxed)
        return response
    }

    @discardableResult
    func get(_ target: String, _ fields: String...) throws -> RawResponse {
        try exchange(HTTPCall("GET", target, fields))
    }

    @discardableResult
    func post(_ target: String, _ json: String, _ fields: String...) throws -> RawResponse {
        try exchange(HTTPCall("POST", target, fields, json: json))
    }

    /// A request with the token of a role.
    @discardableResult
    func admin(
        _ role: Role = .owner, _ method: String, _ target: String, json: String? = nil, _ fields: String...
    ) throws -> RawResponse {
        try exchange(HTTPCall(method, target, fields + [try authorization(role)], json: json))
    }

    /// The field line with the token of a role.
    func authorization(_ role: Role) throws -> String { "Authorization: Bearer \(try #require(tokens[role]))" }

    /// Waits until days are cut in the zone of its settings.
    func waitForZone(_ name: String) throws {
        #expect(
            try eventually {
                try admin(.owner, "GET", "/api/v1/admin/series?figure=users").json()["zone"]?.stringValue == name
            })
    }

    func item(_ slug: String) throws -> CatalogueItem { try #require(items[slug]) }

    /// Runs another server on the same database, with a log at `path`; the body gets its port.
    func withNeighbour(log path: String = "/dev/null", _ body: (Int) throws -> Void) throws {
        let log = try #require(FileHandle(forWritingAtPath: path))
        let neighbour = try Daemon(
            settings: settings, now: { [clock] in UTCInstant(millisecondsSinceEpoch: clock.now) },
            log: log.fileDescriptor, sharedAnswerAge: .zero,
            pages: BrowserPages.all)
        defer { _ = neighbour.stop() }
        try body(neighbour.port)
    }

    // MARK: The end

    /// Drains the server on the first call. Returns whether all requests were completed.
    @discardableResult
    func stop() -> Bool {
        let isFirst = hasStopped.withLock { stopped in
            defer { stopped = true }
            return !stopped
        }
        return isFirst ? daemon.stop() : true
    }

    var hasEnded: Bool { hasStopped.withLock { $0 } }

    /// The lines that the server has written to the log so far.
    func logLines() throws -> [JSONValue] {
        try String(decoding: Data(contentsOf: folder.url.appending(path: "log")), as: UTF8.self)
            .split(separator: "\n").map { try JSONValue.parse(Array($0.utf8)) }
    }

    /// Whether a log line satisfies `condition`, now or soon: lines are written asynchronously.
    func logs(_ condition: (JSONValue) -> Bool) throws -> Bool {
        try eventually { try logLines().contains(where: condition) }
    }

    /// Stops the server and checks its state: every request answered and logged, no error that the test did not
    /// provoke, no secret in the log, the audit chain intact.
    func end(sourceLocation: SourceLocation = #_sourceLocation) {
        do {
            stop()
            try expectCleanLog(sourceLocation)
            let audit = try AuditLog(context: outside.context).verify()
            #expect(audit.isIntact, sourceLocation: sourceLocation)
            outside.close()
        } catch {
            Issue.record(error, sourceLocation: sourceLocation)
        }
    }

    private func expectCleanLog(_ sourceLocation: SourceLocation) throws {
        let lines = try logLines()
        let last = lines.last
        #expect(last?["message"]?.stringValue == "stopped", sourceLocation: sourceLocation)
        #expect(last?["all_answered"]?.stringValue == "true", sourceLocation: sourceLocation)
        let errors = lines.filter { ["error", "critical"].contains($0["level"]?.stringValue ?? "") }
        #expect(errors.isEmpty != logsErrors, "\(errors)", sourceLocation: sourceLocation)
        let answers = lines.count { $0["message"]?.stringValue == "request" }
        let asked = exchanges.load(ordering: .relaxed)
        #expect(answers >= asked, "an answer was not logged", sourceLocation: sourceLocation)
        let text = try String(contentsOfFile: folder.file("log"), encoding: .utf8)
        let leaked = tokens.values.filter { text.contains($0) }
        #expect(leaked.isEmpty, "a token is in the log", sourceLocation: sourceLocation)
    }
}
