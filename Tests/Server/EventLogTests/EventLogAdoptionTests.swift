import Backend
import BackendTestKit
import EventLog
import SQLDatabase
import SQLiteDatabase
import SubGuardDomain
import Testing

/// Databases created before the event log, with a row for each event.
struct EventLogAdoptionTests {
    /// A database at an older migration, with two users and four events, then migrated.
    private func migrated(from number: Int) throws -> BackendContext {
        let store = try SQLiteStore.temporary()
        let older = SQLiteMigrations.all.prefix(number)
        try Migrator(migrations: Array(older)).migrate(store, now: "2026-11-20T10:00:00Z")
        try store.write { transaction in
            for (id, name) in [(1, "app_downloaded"), (2, "app_opened"), (3, "subscription_added")] {
                try transaction.execute("INSERT INTO event_names VALUES (?, ?)", [.integer(Int64(id)), .text(name)])
            }
            let moments = try ["2026-02-28T23:59:59.999Z", "2026-11-19T09:00:00Z", "2026-11-19T09:00:01Z"].map {
                SQLValue.integer(try instant($0).millisecondsSinceEpoch)
            }
            for (user, first) in [(1, moments[0]), (2, moments[1])] {
                try transaction.execute(
                    """
                    INSERT INTO users (id, user_hash, first_seen_at, last_seen_at, app_downloaded_at)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                    [
                        .integer(Int64(user)), .blob(userHash(user).bytes), first, moments[2],
                        user == 1 ? first : .null,
                    ])
            }
            let item = #"{"app_version":"1,2","catalogue_item_id":"\#(makeID(9).lowercased)"}"#
            let rows: [(UInt64, Int64, Int64, SQLValue, SQLValue)] = [
                (1, 1, 1, moments[0], .null), (2, 2, 1, moments[2], .null), (3, 2, 2, moments[1], .null),
                (4, 3, 2, moments[2], .text(item)),
            ]
            for (number, name, user, at, properties) in rows {
                try transaction.execute(
                    "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)",
                    [.blob(makeID(number).rawBytes), .integer(name), .integer(user), at, moments[2], properties])
                try transaction.execute(
                    """
                    INSERT INTO event_days VALUES (?, ? / 86400000, 1)
                    ON CONFLICT DO UPDATE SET event_count = event_count + 1
                    """, [.integer(name), at])
            }
        }
        let context = BackendContext(
            store: store, now: { UTCInstant(millisecondsSinceEpoch: 1_795_168_800_000) }, random: { 4 })
        try Migrator(migrations: SQLiteMigrations.all).migrate(store, now: "2026-11-20T10:00:00Z")
        return context
    }

    @Test func rowsBecomeBlocksAndStayCountedOnce() throws {
        let context = try migrated(from: 5)
        let store = context.store
        #expect(try EventLog.hasRows(store))
        let log = EventLog(context: context)
        #expect(try log.adoptRows() == 4)
        try UserAdoption(context: context).run()
        #expect(try !UserAdoption.hasRows(store))
        #expect(try !EventLog.hasRows(store))
        #expect(try log.adoptRows() == 0)
        var events: [LoggedEvent] = []
        try store.read { try EventLogReader.forEach(in: $0) { events.append($0) } }
        #expect(events.map(\.id) == (1...4).map(makeID))
        #expect(events.map(\.name) == ["app_downloaded", "app_opened", "app_opened", "subscription_added"])
        #expect(events.map(\.userID) == [1, 1, 2, 2].map(userHash))
        #expect(try events.map(\.receivedAt) == Array(repeating: instant("2026-11-19T09:00:01Z"), count: 4))
        #expect(
            events[3].properties == Array(#"{"app_version":"1,2","catalogue_item_id":"\#(makeID(9).lowercased)"}"#.utf8)
        )
        // Known to this log and to a newly opened one, and counted as before.
        for log in [log, EventLog(context: context)] {
            let again = try log.append([try EventBatch([try event(3, at: "2026-11-19T09:00:00Z")])])
            #expect(again.first?.duplicates == 1)
        }
        let dashboard = try InsightStore(context: context).dashboard()
        #expect(dashboard.totalUsers.value?.text == "2")
        #expect(dashboard.subscriptionsTracked.value?.text == "1")
        let active = try #require(SeriesFigure(rawValue: "active_1d"))
        for (day, users) in [("2026-02-28", 1), ("2026-03-01", 0), ("2026-11-19", 2)] as [(String, Int64)] {
            let series = try InsightStore(context: context).series(
                of: active, from: CalendarDay(iso: day), to: CalendarDay(iso: day))
            #expect(series.points.first?.value == .count(users), "\(day)")
        }
        #expect(
            try FigureVerifier(context: context).verify().differences.map(\.subject) == [
                "item \(makeID(9).lowercased): additions"
            ])
    }
}
