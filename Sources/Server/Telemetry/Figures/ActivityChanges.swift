import SQLDatabase
import SubGuardSQL

/// Changes to how many users are active in the windows that end on each day (UTC).
///
/// A user counts in a window that ends on E when one of their days lies in it. A new day D of theirs adds, for each
/// length L, the windows that contain D and neither the previous nor the next of their days: those that end from
/// max(D, previous + L) to min(D + L, next) - 1. So a user and day cost two numbers for each length, stored as the
/// change from one day to the next.
struct ActivityChanges {
    /// Lengths of the windows in days, in the order of the columns.
    static let lengths: [Int64] = [1, 7, 28, 30]

    /// By day, in the order of ``lengths``.
    typealias Row = SIMD4<Int64>

    private var added: [Int64: Row] = [:]
    // A day and its gaps in one number: one look-up for each new day of a user.
    private var inserted: [Int64: Int64] = [:]

    /// Counts a new day of a user, `count` times; -1 takes it out again.
    mutating func add(_ day: Int64, _ gaps: ActiveDays.Gaps, _ count: Int64 = 1) {
        inserted[day << 10 | gaps.previous << 5 | gaps.next, default: 0] += count
    }

    mutating func add(_ row: Row, on day: Int64) { added[day, default: Row()] &+= row }

    /// Counts a user with these days, `count` times.
    ///
    /// - Parameter days: in ascending order.
    mutating func add(_ days: [Int64], _ count: Int64) {
        for (index, day) in days.enumerated() {
            let previous = index == 0 ? ActiveDays.Gaps.none : min(day - days[index - 1], ActiveDays.Gaps.none)
            add(day, ActiveDays.Gaps(previous: previous, next: ActiveDays.Gaps.none), count)
        }
    }

    /// The changes by day, without those that are all zero.
    var rows: [Int64: Row] {
        var rows = added
        for (key, count) in inserted where count != 0 {
            let (day, previous, next) = (key >> 10, key >> 5 & 31, key & 31)
            for (index, length) in Self.lengths.enumerated() {
                let (first, end) = (day + max(0, length - previous), day + min(length, next))
                guard first < end else { continue }
                rows[first, default: Row()][index] &+= count
                rows[end, default: Row()][index] &-= count
            }
        }
        return rows.filter { $0.value != Row() }
    }

    func save(in transaction: any SQLTransaction) throws {
        try transaction.execute(
            Self.addition,
            rows: rows.sorted { $0.key < $1.key }
                .map { day, row in [.integer(day)] + Self.lengths.indices.map { .integer(row[$0]) } })
    }

    /// Removes rows that ``save(in:)`` has set to zero.
    func removeEmptyRows(in transaction: any SQLTransaction) throws {
        try transaction.execute(Self.removal, rows: rows.keys.sorted().map { [.integer($0)] })
    }

    private static let columns = lengths.map { "change_\($0)d" }

    private static let addition = SQLBatchStatement.insertion(
        into: "activity_days", (["day_number"] + columns).map { .integer($0) },
        conflict: "ON CONFLICT (day_number) DO UPDATE SET "
            + columns.map { "\($0) = activity_days.\($0) + excluded.\($0)" }.joined(separator: ", "))

    private static let removal = SQLBatchStatement.removal(
        from: "activity_days", by: [.integer("day_number")],
        where: columns.map { "activity_days.\($0) = 0" }.joined(separator: " AND "))
}

/// What is stored of the activity by day.
extension ActivityChanges {
    /// The stored changes in ascending order of their days.
    static func forEach(
        through day: Int64 = .max, in session: any SQLSession, _ visit: (Int64, Row) throws -> Void
    ) throws {
        try session.forEach(
            """
            SELECT day_number, change_1d, change_7d, change_28d, change_30d FROM activity_days WHERE day_number <= ?
            ORDER BY day_number
            """, [.integer(day)]
        ) { row in
            var changes = Row()
            for index in lengths.indices { changes[index] = try row.integer(1 + index) }
            try visit(try row.integer(0), changes)
        }
    }
}
