import SQLDatabase
import SubGuardDomain

extension BackupDocument {
    /// Every row of the database, with the row numbers of subscriptions.
    static func images(_ session: any SQLSession) throws -> [(table: EntityTable, images: [JournalImage])] {
        let numbers = Dictionary(
            uniqueKeysWithValues: try session.query("SELECT id, num FROM subscriptions") {
                (SQLValue.blob(try $0.blob(0)), try $0.integer(1))
            })
        return try read(session) { _, _ in }.tables.map { table, rows in
            let isNumbered = table.name == EntityTables.subscriptions.name
            return (table, rows.map { JournalImage(number: isNumbered ? numbers[$0.key[0]] : nil, row: $0) })
        }
    }

    /// What a restore changed, for the journal.
    static func changes(
        from before: [(table: EntityTable, images: [JournalImage])],
        to after: [(table: EntityTable, images: [JournalImage])]
    ) -> [JournalChange] {
        zip(before, after).flatMap { old, new in
            var olds = Dictionary(old.images.map { ($0.row.key, $0) }) { first, _ in first }
            var changes = new.images.map { image in
                JournalChange(table: new.table, before: olds.removeValue(forKey: image.row.key), after: image)
            }
            // In the order in which they were.
            changes += old.images.filter { olds[$0.row.key] != nil }
                .map { JournalChange(table: old.table, before: $0, after: nil) }
            return changes.filter(\.isReal)
        }
    }
}
