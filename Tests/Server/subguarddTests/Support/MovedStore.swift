import Foundation
import JSONWire
import PostgresDatabase
import SQLDatabase
import TestKit
import Testing

/// An SQLite database to be copied to PostgreSQL by `migrate-store`, and functions to inspect both.
struct MovedStore {
    let installation: Installation
    /// The URL of an empty database.
    let database: String

    init() throws {
        installation = try Installation()
        database = try TestDatabase.makePostgresDatabase()
    }

    var file: String { "sqlite:\(installation.storePath)" }

    func move(_ from: String, _ to: String, _ more: String...) async throws -> Installation.Outcome {
        let process = try installation.start(
            .server, ["migrate-store", "--from", from, "--to", to] + more, variables: [:])
        let ending = try await process.ending(withinSeconds: 120)
        return Installation.Outcome(ending: ending, output: process.output, errors: process.errors)
    }

    func serve(_ store: String) async throws -> RunningServer {
        try await installation.serve(variables: ["SUBGUARD_DATABASE_URL": store])
    }

    /// Gives an item a logo and returns its path.
    func upload(
        _ number: Int, to slug: String, _ server: RunningServer, token: String
    ) throws -> String {
        let items = try server.json("/api/v1/catalogue?limit=500")?["items"]?.arrayValue ?? []
        let id = try #require(items.first { $0["slug"]?.stringValue == slug }?["id"]?.stringValue)
        let picture = try RepositoryFile.logo(number)
        let head =
            "PUT /api/v1/admin/catalogue/\(id)/logo HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(token)\r\n"
            + "Content-Type: application/octet-stream\r\nContent-Length: \(picture.count)\r\n\r\n"
        let answer = try RawClient.exchange(server.port, Array(head.utf8) + picture)
        #expect(answer.status == 200, "\(answer.text)")
        return try #require(try JSONValue.parse(answer.body).objectValue?["logo_url"]?.stringValue)
    }

    /// An SQLite database with rows in most tables, and two logos beside it. Returns an owner's token.
    func fill() async throws -> String {
        _ = try await installation.run("migrate")
        try await installation.importSmallCatalogue()
        let token = try await installation.makeToken(name: "Zoë “29” 🎬")
        let server = try await serve(file)
        var maker = EventBatchMaker(seed: 29)
        for _ in 0..<20 {
            _ = try RawClient.exchange(
                server.port, RequestText.post("/api/v1/analytics", maker.make(count: 60).body))
        }
        let suggestion = #"{"id":"0b54ad4e-29f2-7c12-8a34-5be6a0290012","name":"L'été “29” 🎬"}"#
        _ = try RawClient.exchange(server.port, RequestText.post("/api/v1/suggestions", suggestion.utf8))
        _ = try upload(0, to: "netflix", server, token: token)
        _ = try upload(1, to: "aerzte", server, token: token)
        #expect(try await server.stop() == .exited(0))
        return token
    }

    func expectSound(_ store: String) async throws {
        for command in [["figures", "verify"], ["audit", "verify"]] {
            let process = try installation.start(.server, command, variables: ["SUBGUARD_DATABASE_URL": store])
            #expect(try await process.ending(withinSeconds: 60) == .exited(0), "\(process.errors)")
        }
    }

    func migrate(_ store: String) async throws {
        let outcome = try await installation.run("migrate", variables: ["SUBGUARD_DATABASE_URL": store])
        #expect(outcome.succeeded, "\(outcome.errors)")
    }

    // MARK: The database from outside

    func with<Result>(_ url: String, _ body: (PostgresStore) throws -> Result) throws -> Result {
        let store = try PostgresStore(url: url)
        defer { try? store.close() }
        return try body(store)
    }

    func execute(_ statement: String, in url: String) throws {
        try with(url) { store in
            _ = try store.write { try $0.execute(statement) }
        }
    }

    func texts(_ sql: String, in url: String) throws -> [String] {
        try with(url) { store in try store.read { try $0.query(sql) { try $0.text(0) } } }
    }

    func tables(of url: String) throws -> [String] {
        try with(url) { store in try store.read { try $0.tableNames(.postgres) } }
    }
}
