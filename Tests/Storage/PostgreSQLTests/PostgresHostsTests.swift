import Foundation
import PostgresDatabase
import SQLDatabase
import TestKit
import Testing

/// A URL with several hosts.
struct PostgresHostsTests {
    private static let number = "SELECT 7"

    /// Two servers, of which the first becomes a primary that hangs.
    @Test func leavesAPrimaryThatHangsWhenAnotherHostTakesOver() throws {
        let ports = [try FreePort.find(), try FreePort.find()]
        let first = try PostgresServer(settings: ["listen_addresses=127.0.0.1", "port=\(ports[0])"])
        defer { first.stop() }
        let hosts = ports.map { "127.0.0.1:\($0)" }.joined(separator: ",")
        let store = try PostgresStore(url: "postgres://subguard@\(hosts)/postgres?target_session_attrs=read-write")
        var stopped: pid_t = 0
        defer { kill(stopped, SIGCONT) }
        var second: PostgresServer?
        defer { second?.stop() }
        // The statement would time out after 35 seconds only.
        let error = #expect(throws: SQLError.self) {
            try store.write { transaction throws in
                stopped = pid_t(try transaction.first("SELECT pg_backend_pid()") { try $0.integer(0) } ?? 0)
                #expect(kill(stopped, SIGSTOP) == 0)
                second = try PostgresServer(settings: ["listen_addresses=127.0.0.1", "port=\(ports[1])"])
                // The server would end a transaction that pauses, but not one whose process is stopped.
                _ = try transaction.first(Self.number) { try $0.integer(0) }
            }
        }
        #expect(error?.code == .disconnected)
        #expect(try store.write { try $0.first(Self.number) { try $0.integer(0) } } == 7)
    }

    @Test func staysWithAPrimaryThatIsSlowButAlone() throws {
        let port = try FreePort.find()
        let server = try PostgresServer(settings: ["listen_addresses=127.0.0.1", "port=\(port)"])
        defer { server.stop() }
        let hosts = "127.0.0.1:\(try FreePort.find()),127.0.0.1:\(port)"
        let store = try PostgresStore(url: "postgres://subguard@\(hosts)/postgres?target_session_attrs=read-write")
        #expect(try store.read { try $0.first("SELECT 7 FROM pg_sleep(1.5)") { try $0.integer(0) } } == 7)
    }

    /// Addresses of this machine that nothing else listens on, because libpq's default port cannot be chosen.
    @Test func hostsWithoutAPortHaveTheDefaultOne() throws {
        let folder = try TemporaryFolder()
        let access = try folder.write(
            "local all all trust\nhost all all 127.0.0.0/8 trust\n", to: "access.conf")
        let server = try PostgresServer(
            settings: ["listen_addresses=127.0.57.2", "port=5432", "hba_file=\(access)"])
        defer { server.stop() }
        let store = try PostgresStore(
            url: "postgres://subguard@127.0.57.1,127.0.57.2/postgres?target_session_attrs=read-write")
        #expect(try store.read { try $0.first(Self.number) { try $0.integer(0) } } == 7)
    }
}
