import CPostgres
import Foundation
package import SQLDatabase

extension PostgresStore {
    /// Compares the server's settings, as they hold for this program's sessions, with what was promised: a commit is on
    /// disk, also on that many standbys. Nil if it is.
    package func durabilityFault(standbys promised: Int) throws -> DurabilityFault? {
        try pool.withConnection("SELECT 1", context: "durability") { connection in
            let settings = "SELECT current_setting('synchronous_commit'), current_setting('synchronous_standby_names')"
            let found = try PostgresSession(connection: connection).first(settings) {
                (level: try $0.text(0), names: try $0.text(1))
            }
            return found.flatMap { Self.durabilityFault(level: $0.level, names: $0.names, promised: promised) }
        }
    }

    /// - Parameters:
    ///   - level: a value of https://www.postgresql.org/docs/current/runtime-config-wal.html#GUC-SYNCHRONOUS-COMMIT.
    ///   - names: a value of
    ///     https://www.postgresql.org/docs/current/runtime-config-replication.html#GUC-SYNCHRONOUS-STANDBY-NAMES.
    static func durabilityFault(level: String, names: String, promised: Int) -> DurabilityFault? {
        guard level != "off" else { return .level(level) }
        guard promised > 0 else { return nil }
        guard level == "on" || level == "remote_apply" else { return .level(level) }
        let count = standbyCount(names)
        return count < promised ? .standbys(count) : nil
    }

    /// For how many standbys a commit waits: `ANY 2 (a, b, c)`, `FIRST 2 (a, b)` and `2 (a, b)` name the number; a list
    /// alone means one.
    private static func standbyCount(_ names: String) -> Int {
        if let match = names.firstMatch(of: /^\s*(?:(?i:any|first)\s+)?([0-9]+)\s*\(/) { return Int(match.1) ?? 0 }
        return names.allSatisfy(\.isWhitespace) ? 0 : 1
    }
}

extension PostgresStore {
    /// Whether a pooler such as PgBouncer hands each transaction to another session of the server. Prepared statements,
    /// settings and notifications are lost then.
    ///
    /// Marks one session and looks for the mark on two connections, while the other one holds a transaction: a pooler
    /// then has to give away the marked session, or to keep it for its connection.
    package func isPooledByTransaction() throws -> Bool {
        try pool.withConnection("SELECT 1", context: "pooler") { first in
            // A pooler announces a number of its own.
            let announced = "\(PQbackendPID(first.handle))"
            guard try first.value(of: "SELECT pg_backend_pid()") != announced else { return false }
            return try pool.withConnection("SELECT 1", context: "pooler") { second in
                let mark = UUID().uuidString
                let find = "SELECT coalesce(current_setting('subguard.mark', true), '')"
                _ = try first.value(of: "SELECT set_config('subguard.mark', '\(mark)', false)")
                try second.run("BEGIN", context: "pooler")
                let isShared = try second.value(of: find) == mark
                let isKept = try first.value(of: find) == mark
                try second.run("ROLLBACK", context: "pooler")
                return isShared || !isKept
            }
        }
    }

    package func foreignEncoding() throws -> String? {
        let encoding = try pool.withConnection("SELECT 1", context: "encoding") { connection in
            PQparameterStatus(connection.handle, "server_encoding").map { String(cString: $0) }
        }
        return encoding == "UTF8" ? nil : encoding
    }
}

extension PostgresConnection {
    /// The first value that a statement returns, without preparing it; empty if there is none.
    fileprivate func value(of sql: String) throws -> String {
        try withResult(answer(to: PQsendQuery(handle, sql)), "pooler") { result in
            PQntuples(result) > 0 ? String(cString: PQgetvalue(result, 0, 0)) : ""
        }
    }
}
