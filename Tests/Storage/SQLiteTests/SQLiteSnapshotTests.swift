import Foundation
import SQLDatabase
import SQLiteDatabase
import TestKit
import Testing

@Suite struct SQLiteSnapshotTests {
    private let folder: TemporaryFolder
    private let store: SQLiteStore

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore(path: folder["store.sqlite"])
        try store.write { try $0.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)") }
    }

    @Test func copiesWhatIsCommittedAndNothingElse() throws {
        try store.write { try $0.execute("INSERT INTO t VALUES (1, 'L''été')") }
        try store.write { session in
            try session.execute("INSERT INTO t VALUES (2, 'not yet')")
            try store.snapshot(to: folder["copies/one é.sqlite"])
        }
        try store.write { try $0.execute("INSERT INTO t VALUES (3, 'later')") }

        #expect(try folder.mode(of: "copies/one é.sqlite") == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder["copies"]) == ["one é.sqlite"])
        let copy = try SQLiteStore(path: folder["copies/one é.sqlite"])
        #expect(try copy.read { try $0.query("SELECT a, b FROM t") { try $0.text(1) } } == ["L'été"])
        #expect(try copy.integrityCheck() == [])
        try copy.close()
    }

    @Test func copiesWholeTransactionsWhileAnotherThreadWrites() throws {
        let writing = OwnThread {
            for _ in 0..<200 {
                try store.write { session in
                    try session.execute("INSERT INTO t (b) VALUES (hex(zeroblob(500)))")
                    try session.execute("INSERT INTO t (b) VALUES (hex(zeroblob(500)))")
                }
            }
        }
        for number in 0..<10 {
            try store.snapshot(to: folder["copy-\(number)"])
            let copy = try SQLiteStore(path: folder["copy-\(number)"])
            let count = try copy.read { try $0.first("SELECT count(*) FROM t") { try $0.integer(0) } }
            #expect(count?.isMultiple(of: 2) == true)
            #expect(try copy.integrityCheck() == [])
            try copy.close()
        }
        try writing.value()
    }

    @Test func refusesToOverwrite() throws {
        try folder.write([1, 2, 3], to: "taken")
        let error = #expect(throws: SQLError.self) { try store.snapshot(to: folder["taken"]) }
        #expect(error?.code == .cannotOpen)
        #expect(error?.context == "file exists")
        #expect(try folder.bytes(of: "taken") == Data([1, 2, 3]))
        #expect(throws: SQLError.self) { try store.snapshot(to: store.path) }
        #expect(throws: SQLError.self) { try store.snapshot(to: folder["taken/below"]) }
        #expect(try folder.names() == ["store.sqlite", "store.sqlite-shm", "store.sqlite-wal", "taken"])
    }

    @Test func reportsAnIndexThatContradictsItsTable() throws {
        try store.write { session in
            try session.execute("CREATE INDEX i ON t (b)")
            for number in 0..<500 { try session.execute("INSERT INTO t (b) VALUES (?)", [.text("row \(number)")]) }
        }
        try store.close()
        var bytes = try folder.bytes(of: "store.sqlite")
        let place = try #require(bytes.firstRange(of: Data("row 77".utf8)))
        bytes[place.lowerBound] = UInt8(ascii: "c")
        try folder.write([UInt8](bytes), to: "damaged.sqlite")
        let damaged = try SQLiteStore(path: folder["damaged.sqlite"])
        #expect(try damaged.integrityCheck() != [])
        try damaged.close()
    }

    @Test func reportsReferencesToMissingRows() throws {
        // The reference is written into the schema directly, because SQLite would reject the row.
        try store.write { session in
            try session.execute("CREATE TABLE child (parent INTEGER /* REFERENCES t (a) */)")
            try session.execute("INSERT INTO child VALUES (7), (NULL)")
            try session.forEach("PRAGMA writable_schema = ON", []) { _ in }
            try session.execute(
                "UPDATE sqlite_schema SET sql = replace(replace(sql, '/*', ''), '*/', '') WHERE name = 'child'")
        }
        try store.close()
        let again = try SQLiteStore(path: store.path)
        #expect(try again.integrityCheck() == ["row of child refers to a missing row of t"])
        try again.close()
    }
}
