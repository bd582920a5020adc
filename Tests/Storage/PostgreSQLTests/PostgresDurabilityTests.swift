import PostgresDatabase
import SQLDatabase
import TestKit
import Testing

/// Promises of what survives a crash, compared with the settings of a real server.
struct PostgresDurabilityTests {
    @Test(arguments: [
        ("off", 0, DurabilityFault.level("off")), ("local", 0, nil), ("remote_write", 0, nil), ("on", 0, nil),
        ("off", 1, .level("off")), ("local", 1, .level("local")), ("remote_write", 1, .level("remote_write")),
        ("on", 1, .standbys(0)), ("remote_apply", 1, .standbys(0)),
    ])
    func namesALevelBelowThePromise(level: String, promised: Int, fault: DurabilityFault?) throws {
        let url = try TestDatabase.makePostgresDatabase() + "?options=-csynchronous_commit%3D\(level)"
        let store = try PostgresStore(url: url)
        #expect(try store.durabilityFault(standbys: promised) == fault)
    }

    /// Nothing is written, because no standby would confirm it.
    @Test(arguments: [
        ("", 0), ("*", 1), ("a", 1), ("a, b", 1), ("ANY 1 (a, b)", 1), ("any 2 (a, b, c)", 2),
        ("FIRST 2 (a, b)", 2), ("2 (a, b)", 2), ("\"ANY 3\"", 1),
    ])
    func countsTheStandbysThatACommitWaitsFor(names: String, count: Int) throws {
        let server = try PostgresServer(settings: ["synchronous_standby_names=\(names)"])
        defer { server.stop() }
        let store = try PostgresStore(url: server.url)
        #expect(try store.durabilityFault(standbys: count) == nil)
        #expect(try store.durabilityFault(standbys: count + 1) == .standbys(count))
    }
}
