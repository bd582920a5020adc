import Foundation
import SQLDatabase
import SubGuardSQL

/// Logs every row that a unit of work writes or deletes, by temporary triggers, so that no statement and no foreign key
/// can change a row unnoticed. The triggers belong to the connection and are made by its first change; the log is empty
/// between units of work.
struct ChangeLog {
    let session: any SQLTransaction

    private enum Operation: Int64, CaseIterable {
        case insert, update, delete

        var word: String {
            switch self {
            case .insert: "INSERT"
            case .update: "UPDATE"
            case .delete: "DELETE"
            }
        }
    }

    func start() throws {
        let isReady = "SELECT 1 FROM temp.sqlite_schema WHERE name = 'change_log'"
        if try session.first(isReady, [], { _ in true }) == nil { try install() }
        try session.execute("DELETE FROM change_log")
        try session.execute("UPDATE change_log_switch SET is_on = 1")
    }

    func stop() throws { try session.execute("UPDATE change_log_switch SET is_on = 0") }

    private func install() throws {
        try session.execute(
            """
            CREATE TEMP TABLE change_log (
                seq INTEGER PRIMARY KEY, name TEXT NOT NULL, operation INTEGER NOT NULL, image TEXT NOT NULL)
            """)
        try session.execute("CREATE TEMP TABLE change_log_switch (is_on INTEGER NOT NULL)")
        try session.execute("INSERT INTO change_log_switch (is_on) VALUES (0)")
        for table in EntityTables.all {
            for operation in Operation.allCases {
                let image = table.imageSQL(operation == .insert ? "NEW" : "OLD", keyOnly: operation == .insert)
                try session.execute(
                    """
                    CREATE TEMP TRIGGER change_log_\(table.name)_\(operation.word) AFTER \(operation.word) \
                    ON main.\(table.name) WHEN (SELECT is_on FROM change_log_switch) = 1 BEGIN \
                    INSERT INTO change_log (name, operation, image) \
                    VALUES ('\(table.name)', \(operation.rawValue), \(image)); END
                    """)
            }
        }
    }

    private struct Line {
        let table: EntityTable
        let operation: Operation
        let image: JournalImage
    }

    private struct Key: Hashable {
        let table: String
        let values: [SQLValue]
    }

    /// The logged rows with their state before the unit of work and now, in the order in which they were first touched.
    /// Stops the log and empties it.
    func take() throws -> [JournalChange] {
        try stop()
        let tables = Dictionary(uniqueKeysWithValues: EntityTables.all.map { ($0.name, $0) })
        let lines = try session.query("SELECT name, operation, image FROM change_log ORDER BY seq") { row -> Line in
            guard let table = tables[try row.text(0)], let operation = Operation(rawValue: try row.integer(1)) else {
                throw SQLError.malformed("change log")
            }
            let image = try table.image(try row.text(2), keyOnly: operation == .insert)
            return Line(table: table, operation: operation, image: image)
        }
        try session.execute("DELETE FROM change_log")
        var names = SubscriptionNames(session)
        for (place, line) in lines.enumerated() where line.table.name == EntityTables.subscriptions.name {
            if let number = line.image.number, line.operation != .update {
                names.note(number, line.image.row.key[0], isBirth: line.operation == .insert, at: place)
            }
        }
        var places: [Key: Int] = [:]
        var changes: [JournalChange] = []
        for (place, line) in lines.enumerated() {
            guard let row = try names.named(line.image.row, in: line.table, at: place) else { continue }
            let key = Key(table: line.table.name, values: row.key)
            guard places[key] == nil else { continue }
            places[key] = changes.count
            let image = JournalImage(number: line.image.number, row: row)
            var change = JournalChange(table: line.table, before: image, after: try now(row.key, line.table))
            if line.operation == .insert { change.before = nil }
            changes.append(change)
        }
        return changes.filter(\.isReal)
    }

    /// The present row of a key with ids.
    private func now(_ key: [SQLValue], _ table: EntityTable) throws -> JournalImage? {
        guard let row = try table.presentRow(key, in: session) else { return nil }
        return JournalImage(
            number: try table.presentNumber(key, in: session),
            row: EntityRow(key: key, values: row.values, stamps: row.stamps))
    }
}

/// Which subscription had a row number at a place of the log: numbers are given anew after a deletion.
private struct SubscriptionNames {
    private let session: any SQLSession
    private var events: [Int64: [(place: Int, id: SQLValue, isBirth: Bool)]] = [:]
    private var present: [Int64: SQLValue] = [:]

    init(_ session: any SQLSession) { self.session = session }

    mutating func note(_ number: Int64, _ id: SQLValue, isBirth: Bool, at place: Int) {
        events[number, default: []].append((place, id, isBirth))
    }

    /// The row with an id in place of the number; nil for a row that never had a subscription.
    mutating func named(_ row: EntityRow, in table: EntityTable, at place: Int) throws -> EntityRow? {
        guard let index = table.key.firstIndex(where: { $0.kind == .subscription }),
            case .integer(let number) = row.key[index]
        else { return row }
        guard let id = try id(number, at: place) else { return nil }
        var key = row.key
        key[index] = id
        return EntityRow(key: key, values: row.values, stamps: row.stamps)
    }

    private mutating func id(_ number: Int64, at place: Int) throws -> SQLValue? {
        if let known = events[number] {
            // A row that goes with its subscription is logged after it.
            if let last = known.last(where: { $0.place < place }) { return last.id }
            if let next = known.first, !next.isBirth { return next.id }
        }
        if let id = present[number] { return id }
        let id = try session.first("SELECT id FROM subscriptions WHERE num = ?", [.integer(number)]) {
            SQLValue.blob(try $0.blob(0))
        }
        present[number] = id
        return id
    }
}

extension EntityTable {
    /// The key with the row number of the subscription in place of its id; nil when there is none.
    func presentKey(_ key: [SQLValue], in session: any SQLSession) throws -> [SQLValue]? {
        guard let index = self.key.firstIndex(where: { $0.kind == .subscription }) else { return key }
        let number = try session.first("SELECT num FROM subscriptions WHERE id = ?", [key[index]]) { try $0.integer(0) }
        guard let number else { return nil }
        var key = key
        key[index] = .integer(number)
        return key
    }

    /// The present row of a key with ids.
    func presentRow(_ key: [SQLValue], in session: any SQLSession) throws -> EntityRow? {
        try presentKey(key, in: session).flatMap { try row($0, in: session) }
    }

    /// The row number of a subscription; nil in other tables.
    func presentNumber(_ key: [SQLValue], in session: any SQLSession) throws -> Int64? {
        guard name == EntityTables.subscriptions.name else { return nil }
        return try session.first("SELECT num FROM subscriptions WHERE id = ?", key) { try $0.integer(0) }
    }
}
