import Foundation
import PostgresDatabase
import SQLDatabase
import TestKit
import Testing

/// Reads on a streaming standby.
struct PostgresStandbyTests {
    private let primary: PostgresServer
    private let standby: PostgresServer
    private let store: PostgresStore

    init() throws {
        primary = try PostgresServer()
        standby = try PostgresServer(standbyOf: primary)
        store = try PostgresStore(url: primary.url, readURL: standby.url)
        try store.write { transaction throws in
            try transaction.execute("CREATE TABLE counter (number BIGINT NOT NULL)")
            try transaction.execute("INSERT INTO counter VALUES (0)")
        }
    }

    /// The number, and whether it comes from the standby.
    private func found() throws -> (number: Int64, isFromStandby: Bool)? {
        try store.readOnStandby { session throws in
            try session.first("SELECT number, CASE WHEN pg_is_in_recovery() THEN 1 ELSE 0 END FROM counter") {
                (try $0.integer(0), try $0.integer(1) == 1)
            }
        }
    }

    private func count(to number: Int64) throws {
        try store.write { try $0.execute("UPDATE counter SET number = ?", [.integer(number)]) }
    }

    private func run(_ sql: String, on server: PostgresServer) throws {
        try PostgresStore(url: server.url).read { try $0.forEach(sql, []) { _ in } }
    }

    private func usesStandby() -> Bool {
        eventually { (try? found()?.isFromStandby) == true }
    }

    @Test func everyReadHasWhatWasWrittenBefore() throws {
        #expect(usesStandby())
        var fromStandby = 0
        for number in Int64(1)...200 {
            try count(to: number)
            let found = try #require(try found())
            #expect(found.number == number)
            if found.isFromStandby { fromStandby += 1 }
        }
        #expect(fromStandby > 0)
        let isInRecovery = "SELECT CASE WHEN pg_is_in_recovery() THEN 1 ELSE 0 END"
        #expect(try store.read { try $0.first(isInRecovery) { try $0.integer(0) } } == 0)
    }

    @Test func readsOnThePrimaryWhileTheStandbyIsLate() throws {
        #expect(usesStandby())
        try run("SELECT pg_wal_replay_pause()", on: standby)
        try count(to: 7)
        let late = try #require(try found())
        #expect(late.number == 7 && !late.isFromStandby)
        try run("SELECT pg_wal_replay_resume()", on: standby)
        #expect(usesStandby())
    }

    @Test func readsOnThePrimaryWhileTheStandbyIsAway() throws {
        #expect(usesStandby())
        standby.stop()
        try count(to: 7)
        for _ in 0..<3 {
            let away = try #require(try found())
            #expect(away.number == 7 && !away.isFromStandby)
        }
        let another = try PostgresStore(url: primary.url, readURL: standby.url)
        #expect(try another.readOnStandby { try $0.first("SELECT number FROM counter") { try $0.integer(0) } } == 7)
    }

    /// Two primaries may not be mixed.
    @Test func readsOnThePrimaryOnceTheStandbyIsPromoted() throws {
        #expect(usesStandby())
        try PostgresStore(url: standby.url).outsideTransaction("SELECT pg_promote()")
        try count(to: 7)
        let promoted = try #require(try found())
        #expect(promoted.number == 7 && !promoted.isFromStandby)
    }

    @Test func anErrorOfTheReadIsNotHidden() throws {
        #expect(usesStandby())
        let error = #expect(throws: SQLError.self) {
            try store.readOnStandby { try $0.forEach("SELECT * FROM nothing_here", []) { _ in } }
        }
        #expect(error?.code == .other)
        #expect(try #require(try found()).isFromStandby)
    }

    @Test func countsReadsByWhatBecameOfThem() throws {
        #expect(usesStandby())
        let before = try #require(store.standbyReads)
        _ = try found()
        try run("SELECT pg_wal_replay_pause()", on: standby)
        try count(to: 7)
        for _ in 0..<2 { _ = try found() }
        let late = try #require(store.standbyReads)
        #expect(late.served == before.served + 1 && late.late == before.late + 2)
        #expect(late.unavailable == before.unavailable && late.fault == nil)
        #expect(try PostgresStore(url: primary.url).standbyReads == nil)
    }

    @Test func tellsWhyTheStandbyCannotBeUsed() throws {
        let store = try PostgresStore(url: primary.url, readURL: standby.url(ofDatabase: "nowhere"))
        let isInRecovery = "SELECT CASE WHEN pg_is_in_recovery() THEN 1 ELSE 0 END"
        #expect(try store.readOnStandby { try $0.first(isInRecovery) { try $0.integer(0) } } == 0)
        let reads = try #require(store.standbyReads)
        // The server asks for no password, and libpq tells a missing database from a missing server by words only.
        #expect(reads.served == 0 && reads.unavailable == 1 && reads.fault?.code == .disconnected)
    }

    /// Its log may be far ahead, and its events are others.
    @Test func readsNothingFromAStandbyOfAnotherCluster() throws {
        let other = try PostgresServer()
        let foreign = try PostgresServer(standbyOf: other)
        try PostgresStore(url: other.url).outsideTransaction("SELECT pg_switch_wal()")
        try withExtendedLifetime(foreign) {
            let store = try PostgresStore(url: primary.url, readURL: foreign.url)
            #expect(try isPrimaryRead(store))
            #expect(store.standbyReads?.fault?.context == "of another cluster")
        }
    }

    @Test func readsNothingFromTheStandbyThatIsThePrimary() throws {
        let store = try PostgresStore(url: primary.url, readURL: primary.url)
        #expect(try isPrimaryRead(store))
        let reads = try #require(store.standbyReads)
        #expect(reads.unavailable == 1 && reads.served == 0 && reads.fault?.context == "not a standby")
    }

    private func isPrimaryRead(_ store: PostgresStore) throws -> Bool {
        try store.readOnStandby { session in
            try session.first("SELECT CASE WHEN pg_is_in_recovery() THEN 0 ELSE 1 END") { try $0.integer(0) == 1 }
        } ?? false
    }
}
