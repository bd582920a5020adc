import EventLog
import SQLDatabase
import SubGuardDomain

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
