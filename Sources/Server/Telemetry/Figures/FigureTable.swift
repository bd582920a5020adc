import SQLDatabase
package import ServerAccess
import SubGuardDomain

/// The two tables of ``FigureCounts`` and the statements on each that writers and readers share.
enum FigureTable: CaseIterable {
    case days
    case hours

    var name: String {
        switch self {
        case .days: "figure_days"
        case .hours: "figure_hours"
        }
    }

    var key: String {
        switch self {
        case .days: "day_number"
        case .hours: "hour_number"
        }
    }

    /// Adds to a row. Arguments: its key, then a value for each figure.
    var addition: SQLBatchStatement {
        switch self {
        case .days: Self.daysAddition
        case .hours: Self.hoursAddition
        }
    }

    /// Deletes a row of zeros. Argument: its key.
    var removal: SQLBatchStatement {
        switch self {
        case .days: Self.daysRemoval
        case .hours: Self.hoursRemoval
        }
    }

    /// Deletes all rows.
    var clearing: String {
        switch self {
        case .days: "DELETE FROM figure_days"
        case .hours: "DELETE FROM figure_hours"
        }
    }

    /// The sums over the rows from the first argument through the second.
    var sums: String {
        switch self {
        case .days: Self.daysSums
        case .hours: Self.hoursSums
        }
    }

    // Made once: statements are cached by their text.
    private static let daysAddition = FigureTable.days.makeAddition()
    private static let hoursAddition = FigureTable.hours.makeAddition()
    private static let daysRemoval = FigureTable.days.makeRemoval()
    private static let hoursRemoval = FigureTable.hours.makeRemoval()
    private static let daysSums = FigureTable.days.makeSums()
    private static let hoursSums = FigureTable.hours.makeSums()

    private func makeAddition() -> SQLBatchStatement {
        let columns = Figure.allCases.map(\.column)
        let sums = columns.map { "\($0) = \(name).\($0) + excluded.\($0)" }.joined(separator: ", ")
        return .insertion(
            into: name, ([key] + columns).map { .integer($0) },
            conflict: "ON CONFLICT (\(key)) DO UPDATE SET \(sums)")
    }

    private func makeRemoval() -> SQLBatchStatement {
        let isEmpty = Figure.allCases.map { "\(name).\($0.column) = 0" }.joined(separator: " AND ")
        return .removal(from: name, by: [.integer(key)], where: isEmpty)
    }

    private func makeSums() -> String {
        let sums = Figure.allCases.map { "sum(\($0.column))" }.joined(separator: ", ")
        return "SELECT \(sums) FROM \(name) WHERE \(key) BETWEEN ? AND ?"
    }
}

/// Sums the stored figures after a moment, to the millisecond.
///
/// Whole days come from one table, whole hours of the day in which the moment lies from another, and the hour in which
/// it lies from its changes. So the cost depends on how far back the moment is and on how much happened in one hour,
/// never on how much there is.
struct FigureReader {
    let session: any SQLSession
    let calendar: ReportCalendar

    /// All that is counted after the moment, however far ahead.
    func tail(after instant: UTCInstant) throws -> FigureCounts {
        let day = calendar.number(of: instant)
        return try sums(.days, from: day + 1, through: .max) + restOfDay(after: instant)
    }

    /// What is counted after the moment on its own day. Hours are those of UTC; where a day ends within one, as it does
    /// in zones of half an hour, its last changes are added one by one.
    func restOfDay(after instant: UTCInstant) throws -> FigureCounts {
        let end = calendar.start(of: calendar.number(of: instant) + 1)
        let (hour, lastHour) = (MomentRun.hour(of: instant), MomentRun.hour(of: end))
        var counts = try MomentTable.sum(ofHour: hour, after: instant, before: end, in: session)
        guard hour < lastHour else { return counts }
        counts += try sums(.hours, from: hour + 1, through: lastHour - 1)
        if lastHour * MomentRun.millisecondsPerHour < end.millisecondsSinceEpoch {
            counts += try MomentTable.sum(ofHour: lastHour, after: instant, before: end, in: session)
        }
        return counts
    }

    /// What is counted on the days, both included.
    func sums(_ table: FigureTable, from first: Int64, through last: Int64) throws -> FigureCounts {
        try session.first(table.sums, [.integer(first), .integer(last)]) { try FigureCounts.read($0, from: 0) }
            ?? FigureCounts()
    }
}

/// A number for each ``Figure``.
struct FigureCounts: Hashable {
    // One lane per figure, the last three unused: adding and comparing take a few instructions and no allocation.
    private var lanes = SIMD16<Int64>()

    subscript(figure: Figure) -> Int64 {
        get { lanes[figure.rawValue] }
        set { lanes[figure.rawValue] = newValue }
    }

    var isZero: Bool { lanes == SIMD16() }

    static func + (left: FigureCounts, right: FigureCounts) -> FigureCounts {
        var sum = left
        sum.lanes &+= right.lanes
        return sum
    }

    static func += (left: inout FigureCounts, right: FigureCounts) { left.lanes &+= right.lanes }

    static func - (left: FigureCounts, right: FigureCounts) -> FigureCounts {
        var difference = left
        difference.lanes &-= right.lanes
        return difference
    }

    var values: [SQLValue] { Figure.allCases.map { .integer(self[$0]) } }

    /// Reads the columns from `column` on; NULL, the sum over no rows, is zero.
    static func read(_ row: any SQLRow, from column: Int) throws -> FigureCounts {
        var counts = FigureCounts()
        for figure in Figure.allCases { counts[figure] = try row.optionalInteger(column + figure.rawValue) ?? 0 }
        return counts
    }
}

/// Removes rows older than any window.
package struct FigurePurge: Sendable {
    private let context: BackendContext
    private let rowsPerStep: Int

    /// - Parameter rowsPerStep: maximum rows that one transaction deletes, so that writers never wait long.
    package init(context: BackendContext, rowsPerStep: Int = 2000) {
        self.context = context
        self.rowsPerStep = rowsPerStep
    }

    /// Returns the number of deleted rows.
    @discardableResult
    package func run() throws -> Int {
        let horizon = FigureRetention.horizon(at: context.now())
        var removed = 0
        let hour = MomentRun.hour(of: horizon)
        removed += try purge(
            """
            DELETE FROM figure_hours WHERE hour_number IN (
                SELECT hour_number FROM figure_hours WHERE hour_number < ? ORDER BY hour_number LIMIT ?)
            """, before: .integer(hour))
        removed += try purge(
            """
            DELETE FROM figure_moments WHERE (hour_number, number) IN (
                SELECT hour_number, number FROM figure_moments WHERE hour_number < ? ORDER BY hour_number LIMIT ?)
            """, before: .integer(hour))
        return removed
    }

    private func purge(_ sql: String, before bound: SQLValue) throws -> Int {
        var removed = 0
        while true {
            let count = try context.store.write(in: .figures) {
                try $0.execute(sql, [bound, .integer(Int64(rowsPerStep))])
            }
            removed += count
            if count < rowsPerStep { return removed }
        }
    }
}
