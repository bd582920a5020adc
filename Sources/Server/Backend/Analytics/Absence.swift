import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// A period of more than 7 × 24 h between two consecutive events of a user.
///
/// A user was active in a window that ends at T if it overlaps the time from their first to their last event, unless T
/// lies in an absence that began at least the window's length before T.
struct Absence: Hashable {
    let leftAt: UTCInstant
    let returnedAt: UTCInstant

    /// Nil when the events are too close for any window to fit between them.
    init?(from leftAt: UTCInstant, until returnedAt: UTCInstant) {
        guard returnedAt > leftAt.adding(days: 7) else { return nil }
        self.leftAt = leftAt
        self.returnedAt = returnedAt
    }

    /// Adds the absence to the figures `count` times; -1 removes it.
    func fold(_ count: Int64, into figures: inout FigureFold) {
        figures.add(.returns7d, -count, at: leftAt.adding(days: 7))
        figures.add(.returns7d, count, at: returnedAt)
        guard returnedAt > leftAt.adding(days: 30) else { return }
        figures.add(.returns30d, -count, at: leftAt.adding(days: 30))
        figures.add(.returns30d, count, at: returnedAt)
    }
}

/// The stored absences of users. New ones are written together, at the latest by ``save()``.
struct AbsenceTable {
    private let transaction: any SQLTransaction
    private var added: [[SQLValue]] = []

    init(_ transaction: any SQLTransaction) { self.transaction = transaction }

    mutating func insert(_ absence: Absence, of user: Int64) {
        added.append([.integer(user), .instant(absence.leftAt), .instant(absence.returnedAt)])
    }

    /// Removes and returns the absence that contains `instant`; nil if there is none.
    mutating func remove(around instant: UTCInstant, of user: Int64) throws -> Absence? {
        // The absence may be among the unsaved ones.
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
