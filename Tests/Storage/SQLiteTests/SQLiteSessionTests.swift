import Dispatch
import SQLDatabase
import SQLiteDatabase
import Synchronization
import TestKit
import Testing

@Suite struct SQLiteSessionTests {
    private let store: SQLiteStore

    init() throws {
        store = try SQLiteStore.temporary()
        try store.write { session in
            try session.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)")
            try session.execute("INSERT INTO t VALUES (1, 'x'), (2, 'y'), (3, 'z')")
        }
    }

    private func count(_ session: any SQLSession) throws -> Int64? {
        try session.first("SELECT count(*) FROM t") { try $0.integer(0) }
    }

    @Test func countsTheRowsThatAStatementChanged() throws {
        try store.write { session throws in
            #expect(try session.execute("UPDATE t SET b = 'w' WHERE a > ?", [.integer(1)]) == 2)
            #expect(try session.execute("CREATE TABLE u (a INTEGER)") == 0)
            #expect(try session.execute("UPDATE t SET b = 'w' WHERE a > 9") == 0)
            #expect(try session.execute("INSERT INTO t VALUES (1, 'q') ON CONFLICT DO NOTHING") == 0)
            #expect(try session.execute("INSERT OR REPLACE INTO t VALUES (1, 'q')") == 1)
            #expect(try session.execute("SELECT * FROM t") == 0)
            #expect(try session.execute("DROP TABLE u") == 0)
            #expect(try session.execute("DELETE FROM t") == 3)
        }
    }

    @Test func countsNoRowsChangedByTriggers() throws {
        try store.write { session in
            try session.execute("CREATE TABLE log (a INTEGER)")
            try session.execute("CREATE TRIGGER s AFTER UPDATE ON t BEGIN INSERT INTO log VALUES (1), (2); END")
            #expect(try session.execute("UPDATE t SET b = 'w' WHERE a = 1") == 1)
        }
    }

    @Test func writesThroughReturning() throws {
        let returned = try store.write { session in
            try session.query("INSERT INTO t (b) VALUES (?), (?) RETURNING a", [.text("u"), .text("v")]) {
                try $0.integer(0)
            }
        }
        #expect(returned == [4, 5])
        #expect(try store.read { try count($0) } == 5)
    }

    @Test func seesItsOwnWrites() throws {
        try store.write { session in
            try session.execute("INSERT INTO t (b) VALUES ('é')")
            #expect(try session.first("SELECT b FROM t WHERE a = 4") { try $0.text(0) } == "é")
        }
    }

    @Test func servesAStatementFromWithinItsOwnRows() throws {
        let sql = "SELECT a FROM t WHERE a >= ? ORDER BY a"
        var pairs: [[Int64]] = []
        try store.read { session in
            try session.forEach(sql, [.integer(1)]) { outer in
                let first = try outer.integer(0)
                try session.forEach(sql, [.integer(first)]) { inner in pairs.append([first, try inner.integer(0)]) }
            }
        }
        #expect(pairs == [[1, 1], [1, 2], [1, 3], [2, 2], [2, 3], [3, 3]])
    }

    @Test func readsOneSnapshotWhileAWriterWrites() throws {
        try store.read { session in
            #expect(try count(session) == 3)
            try store.write { try $0.execute("INSERT INTO t (b) VALUES ('later')") }
            #expect(try count(session) == 3)
            #expect(try session.first("SELECT a FROM t WHERE b = 'later'") { try $0.integer(0) } == nil)
        }
        #expect(try store.read { try count($0) } == 4)
    }

    @Test func showsReadersNothingBeforeTheCommit() throws {
        try store.write { session in
            try session.execute("DELETE FROM t")
            #expect(try store.read { try count($0) } == 3)
        }
        #expect(try store.read { try count($0) } == 0)
    }

    @Test func readsFromManyThreadsWhileOneWrites() async throws {
        // Each write adds two rows that must become visible together.
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for _ in 0..<100 {
                    try store.write { session in
                        try session.execute("INSERT INTO t (b) VALUES ('pair')")
                        try session.execute("INSERT INTO t (b) VALUES ('pair')")
                    }
                }
            }
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<100 {
                        let pairs = try store.read { session in
                            try session.first("SELECT count(*) FROM t WHERE b = 'pair'") { try $0.integer(0) }
                        }
                        #expect(pairs?.isMultiple(of: 2) == true)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try store.read { try count($0) } == 203)
    }

    @Test func closingWaitsForTheCallsUnderWay() throws {
        // Otherwise the checkpoint would wait for the reader, regardless of `close`.
        var options = SQLiteOptions()
        options.busyTimeout = .zero
        let store = try SQLiteStore(path: store.path, options: options)
        let ended = Mutex(false)
        let started = DispatchSemaphore(value: 0)
        let reading = OwnThread {
            try store.read { session in
                started.signal()
                // Wait until the other thread is inside `close`, which first rejects new calls.
                while (try? store.read { _ in }) != nil {}
                for _ in 0..<20_000 { _ = try count(session) }
                ended.withLock { $0 = true }
            }
        }
        started.wait()
        try store.close()
        #expect(ended.withLock { $0 })
        try reading.value()
    }

    @Test func endsATransactionThatTheBodyEndedItself() throws {
        let error = #expect(throws: SQLError.self) {
            try store.write { session in
                try session.execute("INSERT INTO t (b) VALUES ('kept')")
                try session.execute("ROLLBACK")
                try session.execute("INSERT INTO t (b) VALUES ('alone')")
            }
        }
        #expect(error?.number == 4)
        #expect(try store.read { try count($0) } == 3)
        try store.write { try $0.execute("INSERT INTO t (b) VALUES ('next')") }
        #expect(try store.read { try count($0) } == 4)
    }

    @Test func refusesSeveralStatementsInOneText() throws {
        #expect(throws: SQLError.self) { try store.write { try $0.execute("DELETE FROM t; DELETE FROM t") } }
        #expect(throws: SQLError.self) { try store.write { try $0.execute("") } }
        #expect(try store.read { try count($0) } == 3)
    }
}
