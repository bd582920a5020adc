import SQLDatabase
import SubGuardDomain

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
