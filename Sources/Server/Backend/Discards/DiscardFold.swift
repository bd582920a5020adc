import EventLog
import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Removes events from users, figures and daily totals, in one transaction that has entered ``SQLWriteLane/figures``.
struct DiscardFold {
    struct Change {
        let user: UserHash
        /// Every raw event of the user that is included in the figures …
        let before: [DiscardPortion.Event]
        /// … and those that remain.
        let after: [DiscardPortion.Event]
    }

    private struct Day: Hashable {
        let nameID: Int64
        let dayNumber: Int64
    }

    private let transaction: any SQLTransaction
    private let completeFrom: UTCInstant?
    private var figures: FigureFold
    private var days: [Day: Int64] = [:]
    /// Users without remaining events.
    private(set) var removed: Set<UserHash> = []

    init(_ transaction: any SQLTransaction, completeFrom: UTCInstant?, now: UTCInstant) {
        self.transaction = transaction
        self.completeFrom = completeFrom
        figures = FigureFold(now: now)
    }

    /// Subtracts the event's own counts; users are recomputed by ``apply(_:)``.
    mutating func remove(_ event: EventBlockReader.Event, name: String, item: UUID?) {
        figures.count(name, item: item, at: event.occurredAt, times: -1)
        days[Day(nameID: event.nameID, dayNumber: Int64(event.occurredAt.day.daysSinceEpoch)), default: 0] -= 1
    }

    /// Recomputes users from their remaining events.
    mutating func apply(_ changes: [Change]) throws {
        let records = try UserRecord.find(hashes: changes.map(\.user), in: transaction)
        let known = zip(changes, records).compactMap { change, record in record.map { (change, $0) } }
        let absences = try AbsenceTable.find(users: known.map(\.1.id), in: transaction)
        var table = AbsenceTable(transaction)
        var (staying, going): ([UserRecord], [UserRecord]) = ([], [])
        var goneAbsences: [(user: Int64, leftAt: UTCInstant)] = []
        for (index, (change, record)) in known.enumerated() {
            let kept = KeptUser(moments: record.moments, absences: absences[index])
            let left = kept.remainder(
                of: change.before, after: change.after, completeFrom: completeFrom, horizon: figures.horizon)
            let (old, new) = (Set(kept.absences), Set(left?.absences ?? []))
            for absence in old.subtracting(new) {
                absence.fold(-1, into: &figures)
                goneAbsences.append((record.id, absence.leftAt))
            }
            for absence in new.subtracting(old) {
                absence.fold(1, into: &figures)
                table.insert(absence, of: record.id)
            }
            if let left {
                var record = record
                record.moments = left.moments
                staying.append(record)
            } else {
                removed.insert(change.user)
                going.append(record)
            }
        }
        try AbsenceTable.remove(goneAbsences, in: transaction)
        try table.save()
        try UserRecord.save(staying, figures: &figures, in: transaction)
        try UserRecord.remove(going, figures: &figures, in: transaction)
    }

    /// Writes the accumulated changes. Call it once, at the end.
    mutating func finish() throws {
        try figures.save(in: transaction)
        try figures.removeEmptyRows(in: transaction)
        try transaction.execute(
            EventFold.addition, rows: days.map { [.integer($0.nameID), .integer($0.dayNumber), .integer($1)] })
        try transaction.execute(
            Self.dayRemoval, rows: days.keys.map { [.integer($0.nameID), .integer($0.dayNumber)] })
    }

    private static let dayRemoval = SQLBatchStatement.removal(
        from: "event_days", by: [.integer("event_name_id"), .integer("day_number")], where: "event_count = 0")
}

extension UserRecord {
    /// Removes users from the database and the figures, but not their absences.
    fileprivate static func remove(
        _ users: [UserRecord], figures: inout FigureFold, in transaction: any SQLTransaction
    ) throws {
        for user in users { user.moments.unfold(from: &figures) }
        try transaction.execute(removal, rows: users.map { [.integer($0.id)] })
    }

    private static let removal = SQLBatchStatement.removal(from: "users", by: [.integer("id")])
}

extension AbsenceTable {
    /// Loads the absences of each user, in the order of `users`.
    fileprivate static func find(users: [Int64], in transaction: any SQLTransaction) throws -> [[Absence]] {
        var found = [[Absence]](repeating: [], count: users.count)
        try transaction.forEach(search, rows: users.map { [.integer($0)] }) { index, row in
            guard let absence = Absence(from: try row.instant(0), until: try row.instant(1)) else { return }
            found[index].append(absence)
        }
        return found
    }

    fileprivate static func remove(
        _ absences: [(user: Int64, leftAt: UTCInstant)], in transaction: any SQLTransaction
    ) throws {
        try transaction.execute(removal, rows: absences.map { [.integer($0.user), .instant($0.leftAt)] })
    }

    private static let search = SQLBatchStatement(
        eachRow: "SELECT left_at, returned_at FROM user_absences WHERE user_id = ?",
        allRows: """
            SELECT number, left_at, returned_at
            FROM unnest(?::bigint[]) WITH ORDINALITY AS given (user_id, number) JOIN user_absences USING (user_id)
            """)
    private static let removal = SQLBatchStatement.removal(
        from: "user_absences", by: [.integer("user_id"), .integer("left_at")])
}
