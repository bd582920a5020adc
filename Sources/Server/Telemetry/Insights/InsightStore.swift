package import EventLog
import SQLDatabase
package import ServerAccess
package import SubGuardDomain

/// Reads the figures; docs/events.md defines them.
package struct InsightStore: Sendable {
    let context: BackendContext
    private let log: EventLog

    /// `log` defaults to a new one, which folds events appended by any other.
    package init(context: BackendContext, log: EventLog? = nil) {
        self.context = context
        self.log = log ?? EventLog(context: context)
    }

    /// The day of the figures that it is now.
    package func today() throws -> CalendarDay {
        try context.store.readOnStandby { try ReportCalendar.load(in: $0).day(of: context.now()) }
    }

    /// Reads from one snapshot. Waits up to two seconds for every event to be in it that was accepted before.
    func read<Result>(_ body: (any SQLSession, FigureStanding) throws -> Result) throws -> Result {
        let mark = try log.settleForReaders()
        let now = context.now()
        return try context.store.readOnStandby { try body($0, try FigureStanding(of: mark, now: now, in: $0)) }
    }

    /// All figures from one snapshot, so that they are consistent.
    package func dashboard() throws -> Dashboard {
        try read { session, standing in
            let now = standing.computedAt
            let totals = try UserTotals.load(in: session)
            let tails = try DashboardTails(endingAt: now, FigureReader(session: session, calendar: standing.calendar))
            func figure(_ value: Int64, _ figure: Figure) -> DashboardFigure {
                .counts(
                    value: value, thisWeek: tails.weekAgo[figure] - tails.now[figure],
                    lastWeek: tails.twoWeeksAgo[figure] - tails.weekAgo[figure])
            }
            return Dashboard(
                standing: standing,
                totalUsers: figure(totals.users - tails.now[.firstSeen], .users),
                activeUsers30d: tails.activeUsers,
                subscriptionsTracked: figure(totals.subscriptions - tails.now[.subscriptions], .subscriptions),
                premiumConversions: figure(totals.conversions - tails.now[.conversions], .conversions),
                crashFreeSessions: try CrashFreeRate.figure(endingAt: now, in: session))
        }
    }
}

/// The counts after each instant at which a window begins or ends.
private struct DashboardTails {
    let now: FigureCounts
    let weekAgo: FigureCounts
    let twoWeeksAgo: FigureCounts
    let thirtyDaysAgo: FigureCounts

    init(endingAt now: UTCInstant, _ reader: FigureReader) throws {
        self.now = try reader.tail(after: now)
        weekAgo = try reader.tail(after: now.adding(days: -7))
        twoWeeksAgo = try reader.tail(after: now.adding(days: -14))
        thirtyDaysAgo = try reader.tail(after: now.adding(days: -30))
    }

    /// Users active in a window are those last seen after its beginning, minus those first seen after its end, minus
    /// those absent at its end, who return later from an absence that had begun by then.
    var activeUsers: DashboardFigure {
        .counts(
            value: thirtyDaysAgo[.lastSeen] - now[.firstSeen] - now[.returns30d],
            thisWeek: weekAgo[.lastSeen] - now[.firstSeen] - now[.returns7d],
            lastWeek: twoWeeksAgo[.lastSeen] - weekAgo[.firstSeen] - weekAgo[.returns7d])
    }
}

extension InsightStore {
    /// - Parameters:
    ///   - window: counts only stages that users reached so soon after their signup, and tells the users apart whose
    ///     windows have not ended.
    ///   - dimension: also counts the users of each platform or app version.
    package func funnel(
        _ range: DayRange = DayRange(), within window: FunnelWindow? = nil, by dimension: FunnelDimension? = nil
    ) throws -> Funnel {
        let (first, last) = range.numbers
        return try read { session, standing in
            guard window != nil || dimension != nil else {
                let counts = try FigureReader(session: session, calendar: standing.calendar).sums(
                    .days, from: first, through: last)
                let all = Funnel.Part(users: counts[.users], stages: Funnel.stages { counts[$0.figure] })
                return Funnel(
                    standing: standing, range: range, window: nil, dimension: nil, all: all, unfinished: nil,
                    segments: nil)
            }
            // The segments of either dimension are all users.
            let reader = FunnelReader(session: session, dimension: dimension ?? .platform, days: window?.days)
            var lastFinished = Int64.max
            if let window {
                // The last day whose signups are all so long ago. Days may have 23 or 25 hours.
                let earliest = standing.computedAt.adding(days: -window.days)
                lastFinished = standing.calendar.number(of: earliest) - 1
            }
            let sums = try reader.sums(from: first, through: min(last, lastFinished))
            var unfinished: [UInt8: FunnelCounts.Sums]?
            if window != nil { unfinished = try reader.sums(from: max(first, lastFinished + 1), through: last) }
            return Funnel(
                standing: standing, range: range, window: window, dimension: dimension, all: Self.part(sums),
                unfinished: unfinished.map(Self.part),
                segments: try dimension.map { try Self.segments($0, sums, unfinished, in: session) })
        }
    }

    private static func part(_ sums: [UInt8: FunnelCounts.Sums]) -> Funnel.Part {
        part(sums.values.reduce(into: FunnelCounts.Sums()) { $0 &+= $1 })
    }

    private static func part(_ sums: FunnelCounts.Sums?) -> Funnel.Part {
        let sums = sums ?? FunnelCounts.Sums()
        return Funnel.Part(users: sums[0], stages: Funnel.stages { sums[1 + $0.place] })
    }

    private static func segments(
        _ dimension: FunnelDimension, _ sums: [UInt8: FunnelCounts.Sums], _ unfinished: [UInt8: FunnelCounts.Sums]?,
        in session: any SQLSession
    ) throws -> [Funnel.Segment] {
        let names = try SegmentNames(dimension, in: session)
        let codes = Set(sums.keys).union(unfinished.map { Array($0.keys) } ?? [])
        return codes.map { code in
            Funnel.Segment(
                dimension: dimension, name: names[code], all: part(sums[code]),
                unfinished: unfinished.map { part($0[code]) })
        }
        .sorted { ($1.all.users, $0.name) < ($0.all.users, $1.name) }
    }
}

/// The names of the segments by their codes.
struct SegmentNames {
    private let dimension: FunnelDimension
    private let versions: AppVersions

    init(_ dimension: FunnelDimension, in session: any SQLSession) throws {
        self.dimension = dimension
        versions = dimension == .appVersion ? try AppVersions.load(in: session) : AppVersions()
    }

    subscript(code: UInt8) -> String {
        switch (dimension, code) {
        case (.platform, UserSegment.unknownPlatform), (.appVersion, UserSegment.unknownVersion): "unknown"
        case (.platform, _):
            UserSegment.platforms.indices.contains(Int(code)) ? UserSegment.platforms[Int(code)] : "other"
        case (.appVersion, _): versions.name(of: code) ?? "other"
        }
    }
}

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
