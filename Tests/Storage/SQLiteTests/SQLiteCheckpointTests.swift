import Foundation
import SQLDatabase
import SQLiteDatabase
import TestKit
import Testing

/// Each test replaces the same 16 MB again and again: far more than a log may hold.
@Suite struct SQLiteCheckpointTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("checkpoints-\(UUID())")
    private var path: String { folder.appendingPathComponent("store.sqlite").path }
    private static let rows = 16
    private static let rowBytes = 1 << 20

    private func open() throws -> SQLiteStore {
        let store = try SQLiteStore(path: path)
        try store.write { try $0.execute("CREATE TABLE IF NOT EXISTS t (a INTEGER PRIMARY KEY, b BLOB)") }
        return store
    }

    private func write(_ round: Int, to store: SQLiteStore) throws {
        let bytes = [UInt8](repeating: UInt8(round % 251), count: Self.rowBytes)
        try store.write {
            try $0.execute(
                "INSERT INTO t VALUES (?, ?) ON CONFLICT (a) DO UPDATE SET b = excluded.b",
                [.integer(Int64(round % Self.rows)), .blob(bytes)])
        }
    }

    private func logBytes() throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int ?? 0
    }

    @Test func boundsTheLogWhileCommitsFollowEachOther() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try open()
        var longest = 0
        for round in 0..<400 {
            try write(round, to: store)
            longest = max(longest, try logBytes())
        }
        #expect(longest < 160 << 20)
        #expect(try store.integrityCheck() == [])
        try store.close()
        #expect(try SQLiteStore(path: path).read { try $0.first("SELECT count(*) FROM t") { try $0.integer(0) } } == 16)
    }

    /// What is deleted must not stay readable in the log.
    @Test func emptiesTheLogUnlessItIsRead() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try open()
        let word = Array("Zanzibar".utf8)
        func isReadable() throws -> Bool {
            try ["", "-wal"].contains { ending in
                try Data(contentsOf: URL(fileURLWithPath: path + ending)).range(of: Data(word)) != nil
            }
        }
        try store.write { try $0.execute("INSERT INTO t VALUES (1, ?)", [.blob(word)]) }
        try store.write { try $0.execute("DELETE FROM t") }
        #expect(try isReadable())
        try store.read { session in
            _ = try session.first("SELECT count(*) FROM t") { try $0.integer(0) }
            try store.write { try $0.execute("INSERT INTO t VALUES (2, ?)", [.blob([1])]) }
            let began = ContinuousClock.now
            #expect(try store.emptyLog() == false)
            #expect(ContinuousClock.now - began < .seconds(4), "it does not wait for the reader")
        }
        #expect(try store.emptyLog())
        #expect(try logBytes() == 0)
        #expect(try isReadable() == false)
        #expect(try store.emptyLog())
        try write(0, to: store)
        #expect(try store.integrityCheck() == [])
    }

    @Test func aReaderKeepsItsSnapshotMeanwhile() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try open()
        for round in 0..<Self.rows { try write(round, to: store) }
        try store.read { session in
            func sum() throws -> [Int64?] {
                try session.query("SELECT a, substr(b, 1, 1) FROM t") { Int64(try $0.blob(1).first ?? 0) }
            }
            let before = try sum()
            for round in Self.rows..<100 { try write(round, to: store) }
            #expect(try sum() == before)
        }
        try write(100, to: store)
        #expect(try store.integrityCheck() == [])
        try store.close()
    }

    @Test func twoStoresOfOneFileCheckpointSideBySide() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let stores = try [open(), open()]
        for round in 0..<200 { try write(round, to: stores[round % 2]) }
        for store in stores { try store.close() }
        let reopened = try open()
        #expect(try reopened.integrityCheck() == [])
        let bytes = try reopened.read { try $0.query("SELECT substr(b, 1, 1) FROM t ORDER BY a") { try $0.blob(0)[0] } }
        // The last 16 rounds, of which the first wrote row 8.
        let rounds = Array(192..<200) + Array(184..<192)
        #expect(bytes == rounds.map { UInt8($0) })
    }
}
