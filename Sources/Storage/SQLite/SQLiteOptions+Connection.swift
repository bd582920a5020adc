import GRDB
import GRDBSQLite

extension SQLiteOptions {
    /// GRDB's configuration of the writing connection.
    var writer: Configuration {
        var configuration = connection
        configuration.prepareDatabase { [self] database in
            try set("cache_size", to: Int64(-writerCacheKibibytes), on: database)
            try set("journal_size_limit", to: journalSizeLimitBytes, on: database)
            // What is deleted is overwritten. Debian's library does so anyway; here it is nobody's choice but ours.
            try set("secure_delete", to: 1, on: database)
            // Changes nothing in a file that is in this mode already, so that opening a store leaves it as it is.
            let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
            guard mode == "wal" else { throw SQLError(sqliteCode: SQLITE_CANTOPEN, context: "set WAL mode") }
            try database.execute(sql: "PRAGMA synchronous = \(synchronous.rawValue)")
        }
        return configuration
    }

    /// GRDB's configuration of a reading connection.
    var reader: Configuration {
        var configuration = connection
        configuration.readonly = true
        configuration.prepareDatabase { [self] database in
            try set("cache_size", to: Int64(-readerCacheKibibytes), on: database)
        }
        return configuration
    }

    private var connection: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(Double(busyTimeout.sqliteMilliseconds) / 1000)
        configuration.foreignKeysEnabled = true
        configuration.prepareDatabase { [self] database in
            // Nobody observes changes, and GRDB's hooks expect each statement to be stepped by GRDB.
            sqlite3_commit_hook(database.sqliteConnection, nil, nil)
            sqlite3_rollback_hook(database.sqliteConnection, nil, nil)
            try set("mmap_size", to: memoryMapBytes, on: database)
        }
        return configuration
    }

    private func set(_ pragma: String, to value: Int64, on database: Database) throws {
        try database.execute(sql: "PRAGMA \(pragma) = \(value)")
    }
}
