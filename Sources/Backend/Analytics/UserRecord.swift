import SQLDatabase
import SubGuardDomain

/// What is kept of a user while a transaction folds events into it.
struct UserRecord {
    let id: Int64
    private(set) var moments: UserMoments
    /// What the figures know of the user; nil for one made in this transaction.
    private let counted: UserMoments?
    /// What the row in the store holds.
    private let stored: UserMoments

    /// Folds an event in. The order in which events come makes no difference.
    mutating func apply(
        _ milestone: Milestone?, at instant: UTCInstant, figures: inout FigureFold, in transaction: any SQLTransaction
    ) throws {
        try foldAbsence(at: instant, figures: &figures, in: transaction)
        moments.firstSeenAt = min(moments.firstSeenAt, instant)
        moments.lastSeenAt = max(moments.lastSeenAt, instant)
        guard let milestone else { return }
        moments.marks[milestone.rawValue] = moments[milestone].map { min($0, instant) } ?? instant
    }

    /// One for each hash, nil for a user who is not known yet.
    static func find(hashes: [UserHash], in transaction: any SQLTransaction) throws -> [UserRecord?] {
        var records = [UserRecord?](repeating: nil, count: hashes.count)
        try transaction.forEach(
            """
            SELECT id, first_seen_at, last_seen_at, returned_at, app_downloaded_at, first_subscription_added_at,
                five_subscriptions_reached_at, retention_d1_at, retention_d7_at, retention_d30_at, premium_conversion_at
            FROM users WHERE user_hash = ?
            """, rows: hashes.map { [.blob($0.bytes)] }
        ) { index, row in
            let moments = UserMoments(
                firstSeenAt: try row.instant(1), lastSeenAt: try row.instant(2),
                marks: try Milestone.allCases.map { try row.optionalInstant(4 + $0.rawValue) },
                returnedAt: try row.optionalInstant(3))
            records[index] = UserRecord(id: try row.integer(0), moments: moments, counted: moments, stored: moments)
        }
        return records
    }

    /// Makes the rows of users by a moment at which each was seen, and returns them in the same order.
    static func insert(
        _ users: [(hash: UserHash, seenAt: UTCInstant)], in transaction: any SQLTransaction
    ) throws -> [UserRecord] {
        var records: [UserRecord] = []
        try transaction.forEach(
            """
            INSERT INTO users (user_hash, first_seen_at, last_seen_at, seen_minute) VALUES (?, ?, ?, ?) RETURNING id
            """,
            rows: users.map {
                [.blob($0.hash.bytes), .instant($0.seenAt), .instant($0.seenAt), .integer($0.seenAt.minuteNumber)]
            }
        ) { index, row in
            let moments = UserMoments(
                firstSeenAt: users[index].seenAt, lastSeenAt: users[index].seenAt,
                marks: [UTCInstant?](repeating: nil, count: Milestone.allCases.count), returnedAt: nil)
            records.append(UserRecord(id: try row.integer(0), moments: moments, counted: nil, stored: moments))
        }
        guard records.count == users.count else { throw SQLError(code: .other, number: 0, context: "insert user") }
        return records
    }

    /// Writes what changed, and moves the users in the figures.
    static func save(_ users: [UserRecord], figures: inout FigureFold, in transaction: any SQLTransaction) throws {
        var seen: [[SQLValue]] = []
        var seenInAnotherMinute: [[SQLValue]] = []
        var whole: [[SQLValue]] = []
        for user in users {
            let (moments, stored) = (user.moments, user.stored)
            if moments != user.counted { moments.fold(from: user.counted, into: &figures) }
            guard moments != stored else { continue }
            var onlySeen = stored
            onlySeen.lastSeenAt = moments.lastSeenAt
            // SQLite rewrites every index of a column that a statement names, changed or not; most events change only this.
            if onlySeen != moments {
                whole.append(user.columns)
            } else if stored.lastSeenAt.minuteNumber == moments.lastSeenAt.minuteNumber {
                seen.append([.instant(moments.lastSeenAt), .integer(user.id)])
            } else {
                seenInAnotherMinute.append([
                    .instant(moments.lastSeenAt), .integer(moments.lastSeenAt.minuteNumber), .integer(user.id),
                ])
            }
        }
        try transaction.execute("UPDATE users SET last_seen_at = ? WHERE id = ?", rows: seen)
        try transaction.execute(
            "UPDATE users SET last_seen_at = ?, seen_minute = ? WHERE id = ?", rows: seenInAnotherMinute)
        try transaction.execute(
            """
            UPDATE users SET first_seen_at = ?, last_seen_at = ?, seen_minute = ?, returned_at = ?,
                app_downloaded_at = ?, first_subscription_added_at = ?, five_subscriptions_reached_at = ?,
                retention_d1_at = ?, retention_d7_at = ?, retention_d30_at = ?, premium_conversion_at = ?
            WHERE id = ?
            """, rows: whole)
    }

    private var columns: [SQLValue] {
        [
            .instant(moments.firstSeenAt), .instant(moments.lastSeenAt), .integer(moments.lastSeenAt.minuteNumber),
            .instant(orNull: moments.returnedAt),
        ] + moments.marks.map { .instant(orNull: $0) } + [.integer(id)]
    }
}

extension UserRecord {
    /// Keeps the absences right for an event that is about to be folded in.
    fileprivate mutating func foldAbsence(
        at instant: UTCInstant, figures: inout FigureFold, in transaction: any SQLTransaction
    ) throws {
        if instant > moments.lastSeenAt {
            guard let absence = Absence(from: moments.lastSeenAt, until: instant) else { return }
            try insert(absence, figures: &figures, in: transaction)
        } else if instant < moments.firstSeenAt {
            guard let absence = Absence(from: instant, until: moments.firstSeenAt) else { return }
            try insert(absence, figures: &figures, in: transaction)
        } else if let returnedAt = moments.returnedAt, instant < returnedAt {
            guard let absence = try absence(around: instant, in: transaction) else { return }
            try remove(absence, figures: &figures, in: transaction)
            for part in [
                Absence(from: absence.leftAt, until: instant), Absence(from: instant, until: absence.returnedAt),
            ] {
                if let part { try insert(part, figures: &figures, in: transaction) }
            }
        }
    }

    private mutating func insert(
        _ absence: Absence, figures: inout FigureFold, in transaction: any SQLTransaction
    ) throws {
        moments.returnedAt = max(moments.returnedAt ?? absence.returnedAt, absence.returnedAt)
        guard absence.returnedAt >= figures.horizon else { return }
        try transaction.execute(
            "INSERT INTO user_absences (user_id, left_at, returned_at) VALUES (?, ?, ?)",
            [.integer(id), .instant(absence.leftAt), .instant(absence.returnedAt)])
        absence.fold(1, into: &figures)
    }

    private func remove(_ absence: Absence, figures: inout FigureFold, in transaction: any SQLTransaction) throws {
        try transaction.execute(
            "DELETE FROM user_absences WHERE user_id = ? AND left_at = ?",
            [.integer(id), .instant(absence.leftAt)])
        absence.fold(-1, into: &figures)
    }

    private func absence(around instant: UTCInstant, in transaction: any SQLTransaction) throws -> Absence? {
        let found = try transaction.first(
            """
            SELECT left_at, returned_at FROM user_absences WHERE user_id = ? AND left_at < ? AND returned_at > ?
            """, [.integer(id), .instant(instant), .instant(instant)]
        ) { Absence(from: try $0.instant(0), until: try $0.instant(1)) }
        return found ?? nil
    }
}
