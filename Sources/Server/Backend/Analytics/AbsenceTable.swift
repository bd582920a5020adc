import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// The stored absences of users. New ones are written together, at the latest by ``save()``.
struct AbsenceTable {
    private let transaction: any SQLTransaction
    private var added: [[SQLValue]] = []

    init(_ transaction: any SQLTransaction) { self.transaction = transaction }

    mutating func insert(_ absence: Absence, of user: Int64) {
        added.append([.integer(user), .instant(absence.leftAt), .instant(absence.returnedAt)])
    }

    /// Removes the absence that contains that moment, if there is one.
    mutating func remove(around instant: UTCInstant, of user: Int64) throws -> Absence? {
        // It may be one of those.
        try save()
        let found = try transaction.first(
            "SELECT left_at, returned_at FROM user_absences WHERE user_id = ? AND left_at < ? AND returned_at > ?",
            [.integer(user), .instant(instant), .instant(instant)]
        ) { Absence(from: try $0.instant(0), until: try $0.instant(1)) }
        guard let absence = found ?? nil else { return nil }
        try transaction.execute(
            "DELETE FROM user_absences WHERE user_id = ? AND left_at = ?", [.integer(user), .instant(absence.leftAt)])
        return absence
    }

    mutating func save() throws {
        try transaction.execute(Self.insertion, rows: added)
        added = []
    }

    private static let insertion = SQLBatchStatement.insertion(
        into: "user_absences", [.integer("user_id"), .integer("left_at"), .integer("returned_at")])
}
