import EventLog
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// The state of a user while a transaction counts events.
struct UserRecord {
    let id: Int64
    var moments: UserMoments
    /// The state counted in the figures; nil for a user created in this transaction.
    private let counted: UserMoments?
    /// The stored row.
    private let stored: UserMoments

    /// Adds an event. Events may be added in any order.
    mutating func apply(
        _ milestone: Milestone?, at instant: UTCInstant, figures: inout FigureFold, absences: inout AbsenceTable
    ) throws {
        try foldAbsence(at: instant, figures: &figures, absences: &absences)
        moments.firstSeenAt = min(moments.firstSeenAt, instant)
        moments.lastSeenAt = max(moments.lastSeenAt, instant)
        guard let milestone else { return }
        moments.marks[milestone.rawValue] = moments[milestone].map { min($0, instant) } ?? instant
    }

    /// Returns a record for each hash, nil for an unknown user.
    static func find(hashes: [UserHash], in transaction: any SQLTransaction) throws -> [UserRecord?] {
        var records = [UserRecord?](repeating: nil, count: hashes.count)
        try transaction.forEach(
            Self.search, rows: hashes.map { [.blob($0.bytes)] }
        ) { index, row in
            let moments = UserMoments(
                firstSeenAt: try row.instant(1), lastSeenAt: try row.instant(2),
                marks: try Milestone.allCases.map { try row.optionalInstant(4 + $0.rawValue) },
                returnedAt: try row.optionalInstant(3))
            records[index] = UserRecord(id: try row.integer(0), moments: moments, counted: moments, stored: moments)
        }
        return records
    }

    /// Inserts users, each with a time at which it was seen, and returns them in the same order.
    static func insert(
        _ users: [(hash: UserHash, seenAt: UTCInstant)], in transaction: any SQLTransaction
    ) throws -> [UserRecord] {
        var records = [UserRecord?](repeating: nil, count: users.count)
        try transaction.forEach(
            Self.insertion,
            rows: users.map {
                [.blob($0.hash.bytes), .instant($0.seenAt), .instant($0.seenAt), .integer($0.seenAt.minuteNumber)]
            }
        ) { index, row in
            let moments = UserMoments(
                firstSeenAt: users[index].seenAt, lastSeenAt: users[index].seenAt,
                marks: [UTCInstant?](repeating: nil, count: Milestone.allCases.count), returnedAt: nil)
            records[index] = UserRecord(id: try row.integer(0), moments: moments, counted: nil, stored: moments)
        }
        let made = records.compactMap(\.self)
        guard made.count == users.count else { throw SQLError(code: .other, number: 0, context: "insert user") }
        return made
    }

    /// Writes the changes and updates the figures.
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
            if onlySeen != moments {
                whole.append(user.values)
            } else if stored.lastSeenAt.minuteNumber == moments.lastSeenAt.minuteNumber {
                seen.append([.instant(moments.lastSeenAt), .integer(user.id)])
            } else {
                seenInAnotherMinute.append([
                    .instant(moments.lastSeenAt), .integer(moments.lastSeenAt.minuteNumber), .integer(user.id),
                ])
            }
        }
        try transaction.execute(Self.updateOfSeen, rows: seen)
        try transaction.execute(Self.updateOfSeenMinute, rows: seenInAnotherMinute)
        try transaction.execute(Self.updateOfAll, rows: whole)
    }

    /// The arguments of ``updateOfAll``.
    private var values: [SQLValue] {
        [.instant(moments.firstSeenAt), .instant(moments.lastSeenAt), .instant(orNull: moments.returnedAt)]
            + moments.marks.map { .instant(orNull: $0) } + [.integer(moments.lastSeenAt.minuteNumber), .integer(id)]
    }
}

extension UserRecord {
    /// Updates the absences for an event that is about to be added.
    fileprivate mutating func foldAbsence(
        at instant: UTCInstant, figures: inout FigureFold, absences: inout AbsenceTable
    ) throws {
        if instant > moments.lastSeenAt {
            insert(Absence(from: moments.lastSeenAt, until: instant), figures: &figures, absences: &absences)
        } else if instant < moments.firstSeenAt {
            insert(Absence(from: instant, until: moments.firstSeenAt), figures: &figures, absences: &absences)
        } else if let returnedAt = moments.returnedAt, instant < returnedAt {
            guard let absence = try absences.remove(around: instant, of: id) else { return }
            absence.fold(-1, into: &figures)
            insert(Absence(from: absence.leftAt, until: instant), figures: &figures, absences: &absences)
            insert(Absence(from: instant, until: absence.returnedAt), figures: &figures, absences: &absences)
        }
    }

    private mutating func insert(_ absence: Absence?, figures: inout FigureFold, absences: inout AbsenceTable) {
        guard let absence else { return }
        moments.returnedAt = max(moments.returnedAt ?? absence.returnedAt, absence.returnedAt)
        guard absence.returnedAt >= figures.horizon else { return }
        absences.insert(absence, of: id)
        absence.fold(1, into: &figures)
    }
}

extension UserRecord {
    private static let columns =
        ["first_seen_at", "last_seen_at", "returned_at"] + Milestone.allCases.map(\.column)

    fileprivate static let search = SQLBatchStatement(
        eachRow: "SELECT id, \(columns.joined(separator: ", ")) FROM users WHERE user_hash = ?",
        allRows: """
            SELECT number, id, \(columns.joined(separator: ", "))
            FROM unnest(?::bytea[]) WITH ORDINALITY AS given (user_hash, number) JOIN users USING (user_hash)
            """)

    fileprivate static let insertion = SQLBatchStatement(
        eachRow: """
            INSERT INTO users (user_hash, first_seen_at, last_seen_at, seen_minute) VALUES (?, ?, ?, ?) RETURNING id
            """,
        allRows: """
            WITH given AS MATERIALIZED (
                SELECT * FROM unnest(?::bytea[], ?::bigint[], ?::bigint[], ?::bigint[])
                    WITH ORDINALITY AS given (user_hash, first_seen_at, last_seen_at, seen_minute, number)
            ), made AS (
                INSERT INTO users (user_hash, first_seen_at, last_seen_at, seen_minute)
                SELECT user_hash, first_seen_at, last_seen_at, seen_minute FROM given ORDER BY number
                RETURNING id, user_hash
            )
            SELECT number, id FROM given JOIN made USING (user_hash)
            """)

    // SQLite updates the index of every column that a statement names, changed or not; most events change only the
    // first.
    fileprivate static let updateOfSeen = SQLBatchStatement.update(
        of: "users", setting: [.integer("last_seen_at")], by: .integer("id"))
    fileprivate static let updateOfSeenMinute = SQLBatchStatement.update(
        of: "users", setting: [.integer("last_seen_at"), .integer("seen_minute")], by: .integer("id"))
    fileprivate static let updateOfAll = SQLBatchStatement.update(
        of: "users", setting: (columns + ["seen_minute"]).map { .integer($0) }, by: .integer("id"))
}
