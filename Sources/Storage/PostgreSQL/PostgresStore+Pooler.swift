import CPostgres
import Foundation

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
