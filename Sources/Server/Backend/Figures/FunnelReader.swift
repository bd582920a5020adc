import EventLog
import SQLDatabase
import SubGuardDomain

/// Sums the stored funnels of ranges of signup days, by platform or app version.
struct FunnelReader {
    let session: any SQLSession
    let dimension: FunnelDimension
    /// Counts only stages that were reached at most so many days after the signup; nil for all.
    let days: Int?

    /// The sums by segment of the signup days from `first` through `last`. Whole blocks of days are a row each, so even
    /// a long range takes few rows.
    func sums(from first: Int64, through last: Int64) throws -> [UInt8: FunnelCounts.Sums] {
        var sums: [UInt8: FunnelCounts.Sums] = [:]
        // No day lies outside of the calendar, and what is rounded then stays in range.
        let first = max(first, Int64(CalendarDay.earliest.daysSinceEpoch))
        let last = min(last, Int64(CalendarDay.latest.daysSinceEpoch))
        guard first <= last else { return sums }
        let length = FunnelRow.Span.block.rawValue
        // The first days of the first block that begins in the range, and of the first one that ends after it.
        let (begin, end) = ((first + length - 1) & ~(length - 1), (last + 1) & ~(length - 1))
        if begin < end {
            try add(.day, from: first, through: begin - 1, to: &sums)
            try add(.block, from: begin, through: end - 1, to: &sums)
            try add(.day, from: end, through: last, to: &sums)
        } else {
            try add(.day, from: first, through: last, to: &sums)
        }
        return sums.filter { $0.value != FunnelCounts.Sums() }
    }

    private func add(
        _ span: FunnelRow.Span, from first: Int64, through last: Int64, to sums: inout [UInt8: FunnelCounts.Sums]
    ) throws {
        guard first <= last else { return }
        try session.forEach(
            """
            SELECT segment, counts FROM funnel_days
            WHERE dimension = ? AND day_count = ? AND first_day BETWEEN ? AND ?
            """,
            [.integer(dimension.number), .integer(span.rawValue), .integer(first), .integer(last)]
        ) { row in
            let segment = UInt8(truncatingIfNeeded: try row.integer(0))
            sums[segment, default: FunnelCounts.Sums()] &+= try FunnelCounts.sums(try row.blob(1), within: days)
        }
    }
}
