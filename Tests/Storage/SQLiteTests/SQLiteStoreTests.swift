import Foundation
import SQLDatabase
import SQLiteDatabase
import TestKit
import Testing

@Suite struct SQLiteStoreTests {
    @Test func createsFolderAndFileForTheirOwnerAlone() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder["a/b é/store.sqlite"])
        try store.write { try $0.execute("CREATE TABLE t (a INTEGER)") }
        #expect(try folder.mode(of: "a") == 0o700)
        #expect(try folder.mode(of: "a/b é") == 0o700)
        for suffix in ["", "-wal", "-shm"] {
            #expect(try folder.mode(of: "a/b é/store.sqlite" + suffix) == 0o600)
        }
        try store.close()
    }

    @Test func takesPathsThatSQLiteWouldReadAsNamesOrURIs() throws {
        let folder = try TemporaryFolder()
        for name in [":memory:", "file:x?mode=memory", "a b%20c?.sqlite"] {
            let store = try SQLiteStore(path: folder[name])
            try store.write { try $0.execute("CREATE TABLE t (a INTEGER)") }
            try store.close()
            #expect(try folder.bytes(of: name).count > 0)
        }
    }

    @Test func openingAnExistingStoreChangesNoByteOfIt() throws {
        let folder = try TemporaryFolder()
        let first = try SQLiteStore(path: folder["store.sqlite"])
        try first.write { try $0.execute("CREATE TABLE t (a INTEGER)") }
        try first.close()
        let before = try folder.bytes(of: "store.sqlite")

        let second = try SQLiteStore(path: folder["store.sqlite"])
        #expect(try second.read { try $0.query("SELECT a FROM t") { try $0.integer(0) } } == [])
        try second.close()
        #expect(try folder.bytes(of: "store.sqlite") == before)
        #expect(try folder.names() == ["store.sqlite"])
    }

    @Test func setsEachConnectionUp() throws {
        var options = SQLiteOptions()
        options.busyTimeout = .milliseconds(1500)
        let store = try SQLiteStore.temporary(options: options)
        func setting(_ name: String, _ session: any SQLSession) throws -> Int64? {
            try session.first("PRAGMA \(name)") { try $0.integer(0) }
        }
        try store.write { session throws in
            #expect(try setting("synchronous", session) == 2)
            #expect(try setting("foreign_keys", session) == 1)
            #expect(try setting("busy_timeout", session) == 1500)
            #expect(try setting("cache_size", session) == -32_768)
            #expect(try setting("journal_size_limit", session) == 67_108_864)
            #expect(try session.first("PRAGMA journal_mode") { try $0.text(0) } == "wal")
        }
        try store.read { session throws in
            #expect(try setting("cache_size", session) == -1024)
            #expect(try setting("busy_timeout", session) == 1500)
        }
        try store.close()
    }

    @Test func rollsBackWholeWhenTheBodyThrows() throws {
        struct Refusal: Error {}
        let store = try SQLiteStore.temporary()
        try store.write { try $0.execute("CREATE TABLE t (a INTEGER)") }
        #expect(throws: Refusal.self) {
            try store.write { session in
                try session.execute("INSERT INTO t VALUES (1)")
                try session.execute("CREATE TABLE u (a INTEGER)")
                throw Refusal()
            }
        }
        try store.read { session throws in
            #expect(try session.query("SELECT a FROM t") { try $0.integer(0) } == [])
            #expect(try session.query("SELECT name FROM sqlite_schema") { try $0.text(0) } == ["t"])
        }
        try store.close()
    }

    @Test func rollsBackWhenAVisitorThrowsAndServesOn() throws {
        struct Enough: Error {}
        let store = try SQLiteStore.temporary()
        try store.write { session in
            try session.execute("CREATE TABLE t (a INTEGER)")
            try session.execute("INSERT INTO t VALUES (1), (2), (3)")
        }
        for _ in 1...3 {
            #expect(throws: Enough.self) {
                try store.read { try $0.forEach("SELECT a FROM t", []) { _ in throw Enough() } }
            }
        }
        #expect(try store.read { try $0.query("SELECT a FROM t") { try $0.integer(0) } } == [1, 2, 3])
        try store.close()
    }

    @Test func keepsWhatWasCommittedBeforeTheStoreWasClosed() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder["store.sqlite"])
        try store.write { session in
            try session.execute("CREATE TABLE t (a TEXT)")
            try session.execute("INSERT INTO t VALUES (?)", [.text("29 février")])
        }
        try store.close()
        #expect(try folder.names() == ["store.sqlite"])
        let again = try SQLiteStore(path: folder["store.sqlite"])
        #expect(try again.read { try $0.first("SELECT a FROM t") { try $0.text(0) } } == "29 février")
        try again.close()
    }

    @Test func refusesCallsAfterClosingAndClosesOnlyOnce() throws {
        let store = try SQLiteStore.temporary()
        try store.close()
        try store.close()
        #expect(throws: SQLError(code: .closed, number: 0, context: "read")) { try store.read { _ in } }
        #expect(throws: SQLError(code: .closed, number: 0, context: "write")) { try store.write { _ in } }
        #expect(throws: SQLError(code: .closed, number: 0, context: "read")) { try store.integrityCheck() }
        #expect(throws: SQLError(code: .closed, number: 0, context: "snapshot")) {
            try store.snapshot(to: store.path + ".copy")
        }
    }

    @Test func removesATemporaryStoreWhenItIsClosed() throws {
        let store = try SQLiteStore.temporary()
        let folder = URL(fileURLWithPath: store.path).deletingLastPathComponent().path
        try store.write { try $0.execute("CREATE TABLE t (a INTEGER)") }
        #expect(FileManager.default.fileExists(atPath: store.path))
        try store.close()
        #expect(!FileManager.default.fileExists(atPath: folder))
    }
}
