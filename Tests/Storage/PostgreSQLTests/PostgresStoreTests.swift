import Foundation
import PostgresDatabase
import SQLDatabase
import TestKit
import Testing

/// Behaviour specific to PostgreSQL.
struct PostgresStoreTests {
    private static let number = "SELECT 7"

    @Test func connectsAnewWhenTheServerEndedItsConnections() throws {
        let url = try TestDatabase.makePostgresDatabase()
        let store = try PostgresStore(url: url)
        for _ in 0..<3 {
            let others = """
                SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid <> pg_backend_pid() \
                AND datname = current_database()
                """
            #expect(try store.read { try $0.first(Self.number) { try $0.integer(0) } } == 7)
            let killer = try PostgresStore(url: url)
            #expect(try killer.read { try $0.first(others) { try $0.integer(0) } ?? 0 } >= 1)
            try killer.close()
            #expect(try store.read { try $0.first(Self.number) { try $0.integer(0) } } == 7)
            #expect(try store.write { try $0.first(Self.number) { try $0.integer(0) } } == 7)
        }
    }

    @Test func aConnectionThatBreaksInsideATransactionIsAnErrorAndHealsAfterwards() throws {
        let url = try TestDatabase.makePostgresDatabase()
        let store = try PostgresStore(url: url)
        let killer = try PostgresStore(url: url)
        let error = #expect(throws: SQLError.self) {
            try store.write { transaction throws in
                let pid = try transaction.first("SELECT pg_backend_pid()") { try $0.integer(0) } ?? 0
                _ = try killer.read {
                    try $0.first("SELECT pg_terminate_backend(CAST(? AS INTEGER))", [.integer(pid)]) { _ in }
                }
                try transaction.execute("SELECT 1")
            }
        }
        #expect(error?.code == .disconnected)
        #expect(try store.write { try $0.first(Self.number) { try $0.integer(0) } } == 7)
    }

    @Test func outlivesARestartOfTheServerAndSaysWhenItDoesNotComeBack() throws {
        let server = try PostgresServer()
        var options = PostgresOptions()
        options.reconnectTimeout = .milliseconds(300)
        let store = try PostgresStore(url: server.url, options: options)
        #expect(try store.read { try $0.first(Self.number) { try $0.integer(0) } } == 7)
        server.stop()
        let error = #expect(throws: SQLError.self) { try store.read { _ in } }
        #expect(error?.code == .disconnected)
        let unreachable = #expect(throws: SQLError.self) { try PostgresStore(url: server.url, options: options) }
        #expect(unreachable?.code == .disconnected)
    }

    @Test func whoWaitsTooLongIsToldSo() throws {
        let url = try TestDatabase.makePostgresDatabase()
        var options = PostgresOptions()
        options.connectionCount = 1
        options.poolTimeout = .milliseconds(50)
        options.lockTimeout = .milliseconds(50)
        options.statementTimeout = .milliseconds(200)
        let store = try PostgresStore(url: url, options: options)
        let other = try PostgresStore(url: url, options: options)
        try store.write { _ throws in
            let noConnection = #expect(throws: SQLError.self) { try store.read { _ in } }
            #expect(noConnection?.code == .busy)
            let noTurn = #expect(throws: SQLError.self) { try other.write { _ in } }
            #expect(noTurn?.code == .busy)
            // Readers do not wait for writers.
            let read = try other.read { try $0.first(Self.number) { try $0.integer(0) } }
            #expect(read == 7)
        }
        let slow = #expect(throws: SQLError.self) {
            try store.read { try $0.forEach("SELECT pg_sleep(5)", []) { _ in } }
        }
        #expect(slow?.code == .interrupted)
        #expect(try other.write { try $0.first(Self.number) { try $0.integer(0) } } == 7)
    }

    @Test func keepsAboundedNumberOfStatements() throws {
        let store = try PostgresStore(url: try TestDatabase.makePostgresDatabase())
        try store.read { session throws in
            for index in 0..<700 { #expect(try session.first("SELECT \(index)") { try $0.integer(0) } == Int64(index)) }
            let kept = try session.first("SELECT count(*) FROM pg_prepared_statements") { try $0.integer(0) } ?? 0
            #expect((1...256).contains(kept))
            #expect(try session.first("SELECT 0") { try $0.integer(0) } == 0)
        }
    }

    /// Of the oldest statement, in the same call that makes room for other argument types.
    @Test func keepsTheStatementsOfRowsThatAreAboutToBeSent() throws {
        let store = try PostgresStore(url: try TestDatabase.makePostgresDatabase())
        let words = "SELECT CAST(? AS TEXT)"
        var texts: [String] = []
        try store.write { transaction throws in
            try transaction.execute(words, rows: [[.integer(1)]])
            for index in 0..<255 { _ = try transaction.first("SELECT \(index)") { try $0.integer(0) } }
            try transaction.forEach(words, rows: [[.integer(7)], [.text("O'Neil 🦊")], [.null]]) { _, row in
                texts.append(try row.optionalText(0) ?? "nothing")
            }
        }
        #expect(texts == ["7", "O'Neil 🦊", "nothing"])
    }

    @Test func noErrorTellsAPasswordOrAValue() throws {
        let server = try PostgresServer.shared()
        let url = server.url.replacing("subguard@", with: "nobody:hunter2@")
        var options = PostgresOptions()
        options.reconnectTimeout = .milliseconds(10)
        let refused = #expect(throws: SQLError.self) { try PostgresStore(url: url, options: options) }
        #expect("\(try #require(refused))".contains("hunter2") == false)
        let store = try PostgresStore(url: try TestDatabase.makePostgresDatabase())
        let error = #expect(throws: SQLError.self) {
            try store.read { try $0.first("SELECT CAST(? AS BIGINT)", [.text("secret")]) { try $0.integer(0) } }
        }
        #expect("\(try #require(error))".contains("secret") == false)
    }

    /// Simulates a network that drops everything without closing the connection.
    @Test func givesUpAServerThatSaysNothing() throws {
        let url = try TestDatabase.makePostgresDatabase()
        var options = PostgresOptions()
        options.statementTimeout = .milliseconds(300)
        options.silenceTimeout = .milliseconds(200)
        let store = try PostgresStore(url: url, options: options)
        for rows in [1, 2] {
            var stopped: pid_t = 0
            defer { kill(stopped, SIGCONT) }
            let error = #expect(throws: SQLError.self) {
                try store.write { transaction throws in
                    let pid = try transaction.first("SELECT pg_backend_pid()") { try $0.integer(0) } ?? 0
                    stopped = pid_t(pid)
                    #expect(kill(stopped, SIGSTOP) == 0)
                    // A single statement, and a pipeline.
                    try transaction.execute(
                        "SELECT CAST(? AS BIGINT)", rows: .init(repeating: [.integer(7)], count: rows))
                }
            }
            #expect(error?.code == .disconnected)
            #expect(try store.read { try $0.first(Self.number) { try $0.integer(0) } } == 7)
        }
    }

    /// A writer that hangs blocks all others; a reader may pause between statements.
    @Test func onlyWritersAreEndedWhenTheyPause() throws {
        let url = try TestDatabase.makePostgresDatabase()
        var options = PostgresOptions()
        options.idleInTransactionTimeout = .milliseconds(100)
        let store = try PostgresStore(url: url, options: options)
        let read = try store.read { session throws in
            _ = try session.first(Self.number) { try $0.integer(0) }
            Thread.sleep(forTimeInterval: 0.4)
            return try session.first(Self.number) { try $0.integer(0) }
        }
        #expect(read == 7)
        let error = #expect(throws: SQLError.self) {
            try store.write { transaction throws in
                Thread.sleep(forTimeInterval: 0.4)
                try transaction.execute("SELECT 1")
            }
        }
        #expect(error?.code == .disconnected)
    }

    /// Settings in the URL are added to ours and override them.
    @Test func whatTheURLSetsIsAddedToWhatIsSet() throws {
        let url =
            try TestDatabase.makePostgresDatabase() + "?options=-csearch_path%3Dpg_temp%20-c%20lock_timeout%3D4321"
        let store = try PostgresStore(url: url)
        let settings = try store.read { session throws in
            try ["search_path", "lock_timeout", "statement_timeout", "TimeZone"].map { name in
                try session.first("SELECT current_setting(?)", [.text(name)]) { try $0.text(0) }
            }
        }
        #expect(settings == ["pg_temp", "4321ms", "30s", "UTC"])
    }

    /// For any notation of a foreign host in the URL.
    @Test func asksAForeignHostForACertificate() throws {
        let port = try FreePort.find()
        let server = try PostgresServer(settings: ["listen_addresses=127.0.0.1", "port=\(port)"])
        defer { server.stop() }
        var options = PostgresOptions()
        options.reconnectTimeout = .milliseconds(10)
        for local in ["subguard@127.0.0.1:\(port)/postgres", "subguard@/postgres?host=127.0.0.1&port=\(port)"] {
            let store = try PostgresStore(url: "postgres://" + local, options: options)
            #expect(try store.read { try $0.first(Self.number) { try $0.integer(0) } } == 7)
        }
        for foreign in [
            "subguard@db.example.com:\(port)/postgres?hostaddr=127.0.0.1",
            "subguard@/postgres?host=db.example.com&hostaddr=127.0.0.1&port=\(port)",
            "/postgres?user=subguard&host=db%2Eexample.com&hostaddr=127.0.0.1&port=\(port)",
        ] {
            let error = #expect(throws: SQLError.self) {
                try PostgresStore(url: "postgres://" + foreign, options: options)
            }
            #expect(error?.code == .disconnected)
            // The failure was caused by the missing certificate.
            let separator = foreign.contains("?") ? "&" : "?"
            _ = try PostgresStore(url: "postgres://\(foreign)\(separator)sslmode=disable", options: options)
        }
    }

    /// A service of libpq's own file may name a host elsewhere, whose certificate is then checked.
    @Test func aServiceIsNotTakenForThisMachine() {
        #expect(PostgresURL.isLocal([:]) && PostgresURL.isLocal(["host": "/run/postgresql,127.0.0.1"]))
        #expect(!PostgresURL.isLocal(["service": "prod"]))
        #expect(!PostgresURL.isLocal(["service": "prod", "host": "127.0.0.1"]))
    }

    @Test func anErrorTellsTheStateThatTheManualLists() throws {
        let store = try PostgresStore(url: try TestDatabase.makePostgresDatabase())
        let error = #expect(throws: SQLError.self) { try store.write { try $0.execute("SELECT * FROM nothing_here") } }
        #expect("\(try #require(error))" == "a table is missing (SQLSTATE 42P01, execute)")
    }

    /// Figures are written while others write, and a transaction that needs both lanes waits for both.
    @Test func eachLineOfWritersTakesTurnsByItself() throws {
        let url = try TestDatabase.makePostgresDatabase()
        var options = PostgresOptions()
        options.lockTimeout = .milliseconds(100)
        let store = try PostgresStore(url: url)
        let other = try PostgresStore(url: url, options: options)
        try store.write { _ throws in
            #expect(try other.write(in: .figures) { try $0.first(Self.number) { try $0.integer(0) } } == 7)
            #expect(throws: SQLError.self) { try other.write(in: .general) { _ in } }
        }
        try store.write(in: .figures) { _ throws in
            #expect(try other.write { try $0.first(Self.number) { try $0.integer(0) } } == 7)
            #expect(throws: SQLError.self) { try other.write(in: .figures) { _ in } }
            #expect(throws: SQLError.self) { try other.write { try $0.enter(.figures) } }
        }
        try store.write { try $0.enter(.figures) }
        try other.write(in: .figures) { _ in }
    }

    /// A probe of the health, and when a token was last used, wait for nobody.
    @Test func marksWaitForNoOtherWriter() throws {
        let store = try PostgresStore(url: try TestDatabase.makePostgresDatabase())
        try store.write { try $0.execute("CREATE TABLE marks (id BIGINT PRIMARY KEY, at BIGINT NOT NULL)") }
        try store.write { try $0.execute("INSERT INTO marks (id, at) VALUES (1, 0)") }
        try store.write { _ throws in
            try store.write(in: .figures) { _ throws in
                try store.write(in: .marks) { try $0.execute("UPDATE marks SET at = 7 WHERE id = 1") }
            }
        }
        #expect(try store.read { try $0.first("SELECT at FROM marks") { try $0.integer(0) } } == 7)
    }

    /// Writers wait in the process, so that they do not have all the connections.
    @Test func waitingWritersLeaveConnectionsToReaders() throws {
        let url = try TestDatabase.makePostgresDatabase()
        var options = PostgresOptions()
        options.connectionCount = 4
        let store = try PostgresStore(url: url, options: options)
        let other = try PostgresStore(url: url)
        var writers: [OwnThread<Int64?>] = []
        try other.write { _ throws in
            for _ in 0..<12 {
                writers.append(OwnThread { try store.write { try $0.first(Self.number) { try $0.integer(0) } } })
            }
            let waiting = """
                SELECT count(*) FROM pg_stat_activity
                WHERE wait_event_type = 'Lock' AND datname = current_database()
                """
            #expect(try eventually { try other.read { try $0.first(waiting) { try $0.integer(0) } } == 2 })
            #expect(try store.read { try $0.first(Self.number) { try $0.integer(0) } } == 7)
        }
        for writer in writers { #expect(try writer.value() == 7) }
    }

    /// Writers of both lanes wait for others, such as a long import.
    @Test(arguments: [2, 3, 4, 5])
    func writersOfBothLanesLeaveAConnectionToReaders(_ count: Int64) throws {
        let url = try TestDatabase.makePostgresDatabase()
        var options = PostgresOptions()
        options.connectionCount = Int(count)
        options.poolTimeout = .milliseconds(500)
        options.lockTimeout = .seconds(30)
        let store = try PostgresStore(url: url, options: options)
        let other = try PostgresStore(url: url)
        var writers: [OwnThread<Int64?>] = []
        try other.write { _ throws in
            try other.write(in: .figures) { _ throws in
                for lane in [SQLWriteLane.general, .figures, .general, .figures, .general, .figures] {
                    writers.append(
                        OwnThread { try store.write(in: lane) { try $0.first(Self.number) { try $0.integer(0) } } })
                }
                let waiting = """
                    SELECT count(*) FROM pg_stat_activity
                    WHERE wait_event_type = 'Lock' AND datname = current_database()
                    """
                let most = min(count - 1, 4)
                #expect(try eventually { try other.read { try $0.first(waiting) { try $0.integer(0) } } == most })
                for _ in 0..<20 {
                    Thread.sleep(forTimeInterval: 0.01)
                    #expect(try other.read { try $0.first(waiting) { try $0.integer(0) } } == most)
                }
                #expect(try store.read { try $0.first(Self.number) { try $0.integer(0) } } == 7)
            }
        }
        for writer in writers { #expect(try writer.value() == 7) }
    }

    @Test(arguments: [0, 1, 99, 100, 101, 250])
    func scansEveryRow(_ count: Int64) throws {
        let store = try PostgresStore(url: try TestDatabase.makePostgresDatabase())
        for _ in 0..<2 {
            let seen = try store.read { session in
                var seen: [Int64] = []
                try session.scan(
                    "SELECT CAST(n AS BIGINT) FROM generate_series(1, ?) AS n ORDER BY n", [.integer(count)]
                ) { row in
                    seen.append(try row.integer(0))
                    _ = try session.first(Self.number) { try $0.integer(0) }
                }
                // The same cursor with other columns.
                var words: [String] = []
                try session.scan("SELECT 'a', 'b'", []) { words.append(try $0.text(1)) }
                #expect(words == ["b"])
                return seen
            }
            #expect(seen == Array(stride(from: 1, through: count, by: 1)))
        }
    }
}
