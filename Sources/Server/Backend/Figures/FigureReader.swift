import SQLDatabase
import SubGuardDomain

/// Sums the stored figures after a moment, to the millisecond.
///
/// Whole days come from one table, whole hours of the day in which the moment lies from another, and the hour in which it
/// lies from its changes. So the cost depends on how far back the moment is and on how much happened in one hour, never
/// on how much there is.
struct FigureReader {
    let session: any SQLSession

    /// All that is counted after the moment, however far ahead.
    func tail(after instant: UTCInstant) throws -> FigureCounts {
        let day = FigureTable.days.row(of: instant)
        return try sums(.days, from: day + 1, through: .max) + restOfDay(after: instant)
    }

    /// What is counted after the moment on its own day (UTC).
    func restOfDay(after instant: UTCInstant) throws -> FigureCounts {
        let hour = FigureTable.hours.row(of: instant)
        let lastHour = (FigureTable.days.row(of: instant) + 1) * 24 - 1
        return try sums(.hours, from: hour + 1, through: lastHour)
            + MomentTable.sum(after: instant, in: session)
    }

    /// What is counted on the days, both included.
    func sums(_ table: FigureTable, from first: Int64, through last: Int64) throws -> FigureCounts {
        try session.first(table.sums, [.integer(first), .integer(last)]) { try FigureCounts.read($0, from: 0) }
            ?? FigureCounts()
    }
}
