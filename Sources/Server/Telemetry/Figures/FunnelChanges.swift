import EventLog
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Changes to how many users of each signup day, platform and app version have reached the stages of the funnel, and
/// how long after their signup.
struct FunnelChanges {
    /// By day, segment and bucket in one number: one look-up for each stage of a user. The tables by platform and by
    /// version are made of it once, by ``rows``.
    private var counts: [Int64: Int64] = [:]
    private let calendar: ReportCalendar

    init(_ calendar: ReportCalendar) { self.calendar = calendar }

    /// Counts a user as they are now instead of as they were; nil for one who is not counted.
    mutating func move(from old: UserMoments?, to new: UserMoments?) {
        if let old, let new, old.signupAt == new.signupAt, old.segment == new.segment {
            let key = key(of: new)
            for stage in Funnel.Stage.Name.allCases where old[stage.milestone] != new[stage.milestone] {
                let (left, right) = (FunnelBucket(stage, of: old), FunnelBucket(stage, of: new))
                guard left != right else { continue }
                if let left { add(-1, key | left.number) }
                if let right { add(1, key | right.number) }
            }
        } else {
            if let old { add(-1, old) }
            if let new { add(1, new) }
        }
    }

    private mutating func add(_ count: Int64, _ user: UserMoments) {
        let key = key(of: user)
        add(count, key | FunnelBucket.users.number)
        for stage in Funnel.Stage.Name.allCases {
            if let bucket = FunnelBucket(stage, of: user) { add(count, key | bucket.number) }
        }
    }

    private mutating func add(_ count: Int64, _ key: Int64) { counts[key, default: 0] &+= count }

    private func key(of user: UserMoments) -> Int64 {
        calendar.number(of: user.signupAt) << 21 | Int64(user.segment.packed) << 9
    }

    /// What is added to each bucket of each row of `funnel_days`, in no particular order.
    var rows: [FunnelRow: [(bucket: FunnelBucket, count: Int64)]] {
        var rows: [FunnelRow: [(bucket: FunnelBucket, count: Int64)]] = [:]
        for (key, count) in counts where count != 0 {
            let bucket = FunnelBucket(number: key & 511)
            let day = key >> 21
            guard let segment = UserSegment(packed: UInt64(key >> 9 & 4095)) else { continue }
            for (dimension, code) in [(FunnelDimension.platform, segment.platform), (.appVersion, segment.version)] {
                for row in [
                    FunnelRow(dimension, .day, containing: day, code),
                    FunnelRow(dimension, .block, containing: day, code),
                ] {
                    rows[row, default: []].append((bucket, count))
                }
            }
        }
        return rows
    }
}

/// What is counted of a user in a row: the user, or a stage with its distance from the signup.
struct FunnelBucket: Hashable {
    /// Distances of 1 to 90 days are told apart; 0 is at or before the signup, and 91 stands for more than 90.
    static let lags = 92
    static let count = 1 + lags * Funnel.Stage.Name.allCases.count
    private static let millisecondsPerDay: Int64 = 86_400_000

    static let users = FunnelBucket(number: 0)

    /// Below ``count``, which is below 512.
    let number: Int64

    init(number: Int64) { self.number = number }

    init(stage: Int, lag: Int) { number = Int64(1 + stage * Self.lags + lag) }

    /// Nil where the user has not reached the stage.
    init?(_ stage: Funnel.Stage.Name, of user: UserMoments) {
        guard let mark = user[stage.milestone] else { return nil }
        // The days begun after the signup, so that a mark exactly N x 24 h after it is one of N days.
        let distance = max(0, user.signupAt.milliseconds(until: mark))
        let lag = min((distance + Self.millisecondsPerDay - 1) / Self.millisecondsPerDay, Int64(Self.lags - 1))
        self.init(stage: stage.place, lag: Int(lag))
    }
}

/// What users of the funnel are told apart by. The raw value is its name on the wire.
package enum FunnelDimension: String, CaseIterable, Sendable {
    case platform
    case appVersion = "app_version"

    /// Its number in `funnel_days`.
    var number: Int64 {
        switch self {
        case .platform: 0
        case .appVersion: 1
        }
    }
}

/// The key of a row of `funnel_days`.
struct FunnelRow: Hashable, Comparable {
    /// How many days a row counts: one, or 16 from a multiple of 16 on, so that a range of years takes few rows.
    enum Span: Int64, CaseIterable {
        case day = 1
        case block = 16
    }

    let dimension: FunnelDimension
    let span: Span
    let firstDay: Int64
    let segment: UInt8

    init(_ dimension: FunnelDimension, _ span: Span, containing day: Int64, _ segment: UInt8) {
        self.dimension = dimension
        self.span = span
        // Rounds down also before 1970.
        firstDay = day & ~(span.rawValue - 1)
        self.segment = segment
    }

    var values: [SQLValue] {
        [.integer(dimension.number), .integer(span.rawValue), .integer(firstDay), .integer(Int64(segment))]
    }

    /// In the order of the table, so that neighbouring rows share a page.
    static func < (left: FunnelRow, right: FunnelRow) -> Bool {
        (left.dimension.number, left.span.rawValue, left.firstDay, left.segment)
            < (right.dimension.number, right.span.rawValue, right.firstDay, right.segment)
    }
}

extension FunnelChanges {
    /// Adds the changes to the stored rows, and removes those that become empty.
    func save(in transaction: any SQLTransaction) throws {
        let changes = rows.sorted { $0.key < $1.key }
        let keys = changes.map(\.key.values)
        var stored = [[UInt8]?](repeating: nil, count: keys.count)
        try transaction.forEach(Self.reading, rows: keys) { stored[$0] = try $1.blob(0) }
        var (written, removed): ([[SQLValue]], [[SQLValue]]) = ([], [])
        for (index, change) in changes.enumerated() {
            var counts = try stored[index].map(FunnelCounts.init) ?? FunnelCounts()
            for (bucket, count) in change.value { counts[bucket] &+= count }
            if counts.isZero {
                if stored[index] != nil { removed.append(keys[index]) }
            } else {
                written.append(keys[index] + [.blob(counts.packed)])
            }
        }
        try transaction.execute(Self.writing, rows: written)
        try transaction.execute(Self.removal, rows: removed)
    }

    private static let keyColumns: [SQLBatchStatement.Column] = [
        .integer("dimension"), .integer("day_count"), .integer("first_day"), .integer("segment"),
    ]

    private static let reading = SQLBatchStatement(
        eachRow: """
            SELECT counts FROM funnel_days WHERE dimension = ? AND day_count = ? AND first_day = ? AND segment = ?
            """,
        allRows: """
            SELECT number, counts
            FROM unnest(?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[])
                WITH ORDINALITY AS given (dimension, day_count, first_day, segment, number)
            JOIN funnel_days USING (dimension, day_count, first_day, segment)
            """)

    private static let writing = SQLBatchStatement.insertion(
        into: "funnel_days", keyColumns + [.blob("counts")],
        conflict: """
            ON CONFLICT (dimension, day_count, first_day, segment) DO UPDATE SET counts = excluded.counts
            """)

    private static let removal = SQLBatchStatement.removal(from: "funnel_days", by: keyColumns)

    /// Packs what a step of a fold has counted.
    func pack(into bytes: inout [UInt8]) {
        bytes.append(packed: counts.count)
        for (key, count) in counts {
            bytes.append(packedSigned: key)
            bytes.append(packedSigned: count)
        }
    }

    mutating func add(from reader: inout PackedReader) throws {
        for _ in 0..<(try reader.count(of: 2)) {
            let key = try reader.signedNumber()
            guard key & 511 < FunnelBucket.count else { throw PackedReader.malformed }
            add(try reader.signedNumber(), key)
        }
    }
}
