import FileAccess
import Foundation
import SQLDatabase
import SQLiteDatabase
import TestKit
import Testing

@Suite struct SQLErrorTests {
    private static let secret = "hunter2'é"

    private let store: SQLiteStore

    init() throws {
        store = try SQLiteStore.temporary()
        try store.write { session in
            try session.execute(
                "CREATE TABLE p (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE CHECK (name <> '')) STRICT")
            try session.execute(
                "CREATE TABLE k (id BLOB PRIMARY KEY, p INTEGER REFERENCES p (id)) STRICT, WITHOUT ROWID")
            try session.execute("CREATE TRIGGER keep BEFORE DELETE ON k BEGIN SELECT RAISE(ABORT, 'kept'); END")
            try session.execute("INSERT INTO p VALUES (1, ?)", [.text(Self.secret)])
            try session.execute("INSERT INTO k VALUES (?, 1)", [.blob([0, 1])])
        }
    }

    private func error(_ sql: String, _ arguments: [SQLValue] = []) -> SQLError? {
        #expect(throws: SQLError.self) { try store.write { try $0.execute(sql, arguments) } }
    }

    @Test func namesTheViolatedConstraint() {
        let unique = error("INSERT INTO p VALUES (2, ?)", [.text(Self.secret)])
        #expect(unique?.code == .uniqueViolation)
        #expect(unique?.number == 2067)
        #expect(error("INSERT INTO p VALUES (1, 'x')")?.number == 1555)
        #expect(error("INSERT INTO p VALUES (1, 'x')")?.code == .uniqueViolation)
        #expect(error("INSERT INTO k VALUES (?, NULL)", [.blob([0, 1])])?.code == .uniqueViolation)
        #expect(error("INSERT INTO k VALUES (x'09', 7)")?.code == .foreignKeyViolation)
        #expect(error("DELETE FROM p")?.code == .foreignKeyViolation)
        #expect(error("INSERT INTO p VALUES (3, '')")?.code == .checkViolation)
        #expect(error("INSERT INTO p VALUES (3, NULL)")?.code == .notNullViolation)
        #expect(error("INSERT INTO p VALUES ('x', 'x')")?.code == .other)
        #expect(error("INSERT INTO p VALUES (3, x'00')")?.code == .checkViolation)
        #expect(error("DELETE FROM k")?.code == .checkViolation)
    }

    @Test func namesADeferredForeignKeyAtTheCommit() throws {
        try store.write { session in
            try session.execute("CREATE TABLE d (p INTEGER REFERENCES p (id) DEFERRABLE INITIALLY DEFERRED)")
        }
        let error = error("INSERT INTO d VALUES (99)")
        #expect(error?.code == .foreignKeyViolation)
        #expect(error?.context == "commit")
        #expect(try store.read { try $0.query("SELECT p FROM d") { try $0.integer(0) } } == [])
    }

    @Test func printsNeitherValuesNorStatements() throws {
        let errors = [
            error("INSERT INTO p VALUES (2, ?)", [.text(Self.secret)]),
            error("INSERT INTO p VALUES (2, 'hunter2', 3)"),
            error("SELEC 'hunter2'"),
            error("INSERT INTO hunter2 VALUES (?)", [.text(Self.secret)]),
        ]
        for error in errors {
            let error = try #require(error)
            #expect(!"\(error)".contains("hunter2"))
            #expect(!String(reflecting: error).contains("hunter2"))
        }
    }

    @Test func goesOnAfterAnErrorInsideATransaction() throws {
        try store.write { session in
            #expect(throws: SQLError.self) { try session.execute("INSERT INTO p VALUES (1, 'twice')") }
            try session.execute("INSERT INTO p VALUES (2, 'once')")
        }
        #expect(try store.read { try $0.query("SELECT id FROM p ORDER BY id") { try $0.integer(0) } } == [1, 2])
    }

    @Test func namesAFullDiskAndServesOn() throws {
        let fill = "INSERT INTO p SELECT value + 10, value || hex(zeroblob(500)) FROM generate"
        try store.write { session in
            try session.execute("CREATE TABLE generate (value INTEGER)")
            for value in 1...1000 { try session.execute("INSERT INTO generate VALUES (?)", [.integer(Int64(value))]) }
            try session.forEach("PRAGMA max_page_count = 40", []) { _ in }
        }
        let full = error(fill)
        #expect(full?.code == .diskFull)
        #expect(full?.number == 13)
        // A body that ignores the error must not continue outside of a transaction.
        _ = try? store.write { session in
            _ = try? session.execute(fill)
            try session.execute("INSERT INTO p VALUES (5, 'after')")
        }
        try store.write { try $0.execute("INSERT INTO p VALUES (6, 'fits')") }
        let ids = try store.read { try $0.query("SELECT id FROM p ORDER BY id") { try $0.integer(0) } }
        #expect(ids == [1, 6] || ids == [1, 5, 6])
        #expect(try store.integrityCheck() == [])
    }

    @Test func namesAWriteThroughAReader() {
        let error = #expect(throws: SQLError.self) { try store.read { try $0.forEach("DELETE FROM k", []) { _ in } } }
        #expect(error?.code == .readOnly)
    }

    @Test func namesALockOfAnotherWriter() throws {
        var options = SQLiteOptions()
        options.busyTimeout = .milliseconds(20)
        let other = try SQLiteStore(path: store.path, options: options)
        try store.write { _ in
            let error = #expect(throws: SQLError.self) { try other.write { try $0.execute("DELETE FROM p") } }
            #expect(error?.code == .busy)
            #expect(error?.context == "begin")
            let seen = try other.read { try $0.first("SELECT id FROM p") { try $0.integer(0) } }
            #expect(seen == 1)
        }
        try other.write { try $0.execute("UPDATE p SET name = 'free'") }
        try other.close()
    }

    @Test func namesPathsThatLeadNowhere() throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("not a folder".utf8), to: "file")
        try FileManager.default.createDirectory(atPath: folder["folder"], withIntermediateDirectories: false)
        #expect(throws: FileFailure(path: folder["folder"], reason: .notAFile)) {
            try SQLiteStore(path: folder["folder"])
        }
        for path in ["", folder["file/store.sqlite"], folder["a\u{0}b"], folder.path + "/"] {
            let error = #expect(throws: SQLError.self) { try SQLiteStore(path: path) }
            #expect(error?.code == .cannotOpen, "\(path)")
        }
        #expect(try folder.names() == ["file", "folder"])
    }

    @Test func namesAFileThatIsNoDatabase() throws {
        let folder = try TemporaryFolder()
        let bytes = [UInt8](repeating: 0x41, count: 8192)
        try folder.write(bytes, to: "store.sqlite")
        let error = #expect(throws: SQLError.self) { try SQLiteStore(path: folder["store.sqlite"]) }
        #expect(error?.code == .corrupt)
        #expect(try folder.bytes(of: "store.sqlite") == Data(bytes))
    }

    @Test func namesATruncatedFile() throws {
        let folder = try TemporaryFolder()
        let whole = try SQLiteStore(path: folder["whole.sqlite"])
        try whole.write { try $0.execute("CREATE TABLE t AS SELECT hex(zeroblob(20000))") }
        try whole.close()
        // The last page is missing, although the header still counts it.
        try folder.write([UInt8](folder.bytes(of: "whole.sqlite").dropLast(4096)), to: "store.sqlite")
        let error = #expect(throws: SQLError.self) { try SQLiteStore(path: folder["store.sqlite"]) }
        #expect(error?.code == .corrupt)
    }
}
