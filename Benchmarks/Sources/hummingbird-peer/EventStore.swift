import Foundation
import GRDB

/// The same tables, durability and bookkeeping as ours, implemented the usual way: one write transaction per request,
/// statements cached by GRDB, upserts in SQL.
struct EventStore {
    private static let schema = """
        CREATE TABLE IF NOT EXISTS event_names (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
        CREATE TABLE IF NOT EXISTS users (
            id INTEGER NOT NULL PRIMARY KEY,
            user_hash BLOB NOT NULL UNIQUE,
            first_seen_at INTEGER NOT NULL,
            last_seen_at INTEGER NOT NULL,
            app_downloaded_at INTEGER,
            first_subscription_added_at INTEGER,
            five_subscriptions_reached_at INTEGER,
            retention_d1_at INTEGER,
            retention_d7_at INTEGER,
            retention_d30_at INTEGER,
            premium_conversion_at INTEGER
        ) STRICT;
        CREATE TABLE IF NOT EXISTS events (
            id BLOB NOT NULL PRIMARY KEY,
            event_name_id INTEGER NOT NULL,
            user_id INTEGER NOT NULL,
            occurred_at INTEGER NOT NULL,
            received_at INTEGER NOT NULL,
            properties TEXT
        ) STRICT;
        CREATE INDEX IF NOT EXISTS idx_events_occurred_at ON events (occurred_at, event_name_id, user_id);
        CREATE TABLE IF NOT EXISTS event_days (
            event_name_id INTEGER NOT NULL, day_number INTEGER NOT NULL, event_count INTEGER NOT NULL,
            PRIMARY KEY (event_name_id, day_number)
        ) STRICT;
        """
    private static let names = [
        "app_downloaded", "first_subscription_added", "five_subscriptions_reached", "retention_d1", "retention_d7",
        "retention_d30", "app_opened", "subscription_added", "subscription_removed", "premium_conversion",
    ]
    private static let milestones: Set<String> = [
        "app_downloaded", "first_subscription_added", "five_subscriptions_reached", "retention_d1", "retention_d7",
        "retention_d30", "premium_conversion",
    ]

    private let pool: DatabasePool

    init(path: String) throws {
        pool = try DatabasePool(path: path)
        // GRDB sets a pool to NORMAL, with which a power failure may lose acknowledged events. The single writer keeps
        // this setting.
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        try pool.write { database in
            try database.execute(sql: Self.schema)
            for name in Self.names {
                try database.execute(sql: "INSERT OR IGNORE INTO event_names (name) VALUES (?)", arguments: [name])
            }
        }
        let mode = try pool.writeWithoutTransaction { database in
            (
                try Int.fetchOne(database, sql: "PRAGMA synchronous"),
                try String.fetchOne(database, sql: "PRAGMA journal_mode")
            )
        }
        guard mode == (2, "wal") else { throw DatabaseError(message: "not durable: \(mode)") }
    }

    /// Returns the number of new events.
    func insert(_ events: [PeerEvent], receivedAt: Date) async throws -> Int {
        try await pool.write { database in
            var inserted = 0
            var names: [String: Int64] = [:]
            let known = try database.cachedStatement(sql: "SELECT name, id FROM event_names")
            for row in try Row.fetchAll(known) { names[row[0]] = row[1] }
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            for event in events {
                let nameID = names[event.name] ?? 0
                if try insert(event, nameID: nameID, receivedAt: receivedAt, encoder, database) { inserted += 1 }
            }
            return inserted
        }
    }

    private func insert(
        _ event: PeerEvent, nameID: Int64, receivedAt: Date, _ encoder: JSONEncoder, _ database: Database
    ) throws -> Bool {
        let occurredAt = Self.milliseconds(event.timestamp)
        let known = try database.cachedStatement(sql: "SELECT 1 FROM events WHERE id = ?")
        let idBytes = withUnsafeBytes(of: event.id.uuid) { Data($0) }
        if try Int.fetchOne(known, arguments: [idBytes]) != nil { return false }
        let userID = try upsertUser(event, occurredAt, database)
        let properties = try event.properties.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
        try database.cachedStatement(
            sql: """
                INSERT INTO events (id, event_name_id, user_id, occurred_at, received_at, properties)
                VALUES (?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [idBytes, nameID, userID, occurredAt, Self.milliseconds(receivedAt), properties])
        try database.cachedStatement(
            sql: """
                INSERT INTO event_days (event_name_id, day_number, event_count) VALUES (?, ?, 1)
                ON CONFLICT DO UPDATE SET event_count = event_count + 1
                """
        ).execute(arguments: [nameID, occurredAt / 86_400_000])
        return true
    }

    private func upsertUser(_ event: PeerEvent, _ occurredAt: Int64, _ database: Database) throws -> Int64? {
        var sql = """
            INSERT INTO users (user_hash, first_seen_at, last_seen_at) VALUES (?, ?, ?)
            ON CONFLICT (user_hash) DO UPDATE SET first_seen_at = min(first_seen_at, excluded.first_seen_at),
            last_seen_at = max(last_seen_at, excluded.last_seen_at)
            """
        if Self.milestones.contains(event.name) {
            let mark = "\(event.name)_at"
            sql = """
                INSERT INTO users (user_hash, first_seen_at, last_seen_at, \(mark)) VALUES (?1, ?2, ?3, ?2)
                ON CONFLICT (user_hash) DO UPDATE SET first_seen_at = min(first_seen_at, excluded.first_seen_at),
                last_seen_at = max(last_seen_at, excluded.last_seen_at),
                \(mark) = min(coalesce(\(mark), excluded.\(mark)), excluded.\(mark))
                """
        }
        let statement = try database.cachedStatement(sql: sql + " RETURNING id")
        return try Int64.fetchOne(statement, arguments: [event.userHash, occurredAt, occurredAt])
    }

    private static func milliseconds(_ date: Date) -> Int64 { Int64((date.timeIntervalSince1970 * 1000).rounded()) }
}
