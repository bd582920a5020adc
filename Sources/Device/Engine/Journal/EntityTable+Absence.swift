import SQLDatabase
import SubGuardDomain
import SubGuardSQL

// Rows that say that something was taken back. A deleted row would return from another device at the next merge; these
// are newer than the row there.

extension EntityTable {
    /// The values of a row of ``EntityTables/personPhotos`` whose photo was removed.
    static let noPhoto: [SQLValue] = [.text(""), .integer(0), .text("")]

    /// Whether a row with these values was taken back and marked so.
    func isRemoved(_ values: [SQLValue]) -> Bool { removalPlace.map { values[$0] != .integer(0) } ?? false }

    /// Whether a row with these values says nothing, or no more than that something was taken back.
    func isAbsence(_ values: [SQLValue]) -> Bool {
        switch name {
        case EntityTables.ledger.name:
            [.count(OccurrenceFate.open.rawValue), .count(OccurrenceFate.skipped.rawValue)].contains(values[0])
                && values[1] == .null && values[2] == .null
        case EntityTables.shares.name: values[1] == .text("")
        case EntityTables.personPhotos.name: values == Self.noPhoto
        case EntityTables.groupMembers.name, EntityTables.withdrawals.name, EntityTables.additions.name:
            values[0] == .integer(0)
        default: isRemoved(values)
        }
    }

    /// The values of a row that is taken back; nil for a table whose rows are deleted.
    ///
    /// - Parameter key: with the row number of the subscription.
    func absence(_ values: [SQLValue], _ key: [SQLValue], in session: any SQLSession) throws -> [SQLValue]? {
        var values = values
        if let removalPlace {
            values[removalPlace] = .integer(1)
            return values
        }
        switch name {
        case EntityTables.ledger.name:
            // Before the day of entry, nothing is charged that was not entered.
            let sql = "SELECT 1 FROM subscriptions WHERE num = ? AND tracked_from <= ?"
            let isTracked = try session.first(sql, key) { _ in true } ?? false
            return [.count((isTracked ? OccurrenceFate.open : .skipped).rawValue), .null, .null, .null]
        case EntityTables.shares.name: values[1] = .text("")
        case EntityTables.personPhotos.name: return Self.noPhoto
        case EntityTables.groupMembers.name, EntityTables.withdrawals.name, EntityTables.additions.name:
            values[0] = .integer(0)
        default: return nil
        }
        return values
    }
}
