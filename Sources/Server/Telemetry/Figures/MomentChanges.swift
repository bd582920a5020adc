import EventLog
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Something that is counted at a moment: so much in each of some figures.
struct MomentChange: Hashable {
    let at: UTCInstant
    let figures: FigureSet
    let count: Int64
}

/// Some of the figures, a bit each.
struct FigureSet: OptionSet, Hashable {
    let rawValue: UInt16

    init(rawValue: UInt16) { self.rawValue = rawValue }

    init(_ figure: Figure) { rawValue = 1 << UInt16(figure.rawValue) }
}

extension FigureCounts {
    mutating func add(_ figures: FigureSet, _ count: Int64) {
        var rest = figures.rawValue
        while rest != 0 {
            if let figure = Figure(rawValue: rest.trailingZeroBitCount) { self[figure] &+= count }
            rest &= rest - 1
        }
    }
}

/// Changes of one hour (UTC) in the order of their moments, packed: a row of `figure_moments`.
///
/// Several runs of an hour are merged into one as they become many; what cancels out is then left out.
struct MomentRun {
    static let millisecondsPerHour: Int64 = 3_600_000

    let hour: Int64
    private(set) var bytes: [UInt8] = []
    private(set) var count = 0
    /// The moment of the last change.
    private(set) var lastAt = UTCInstant.earliest

    static func hour(of instant: UTCInstant) -> Int64 {
        let (hour, rest) = instant.millisecondsSinceEpoch.quotientAndRemainder(dividingBy: millisecondsPerHour)
        return rest < 0 ? hour - 1 : hour
    }

    /// - Parameter changes: all of that hour, in the order of their moments.
    init(hour: Int64, _ changes: some Sequence<MomentChange>) {
        self.hour = hour
        var last = hour * Self.millisecondsPerHour
        var waiting: (at: Int64, counts: FigureCounts)?
        func flush(_ run: inout MomentRun) {
            guard let (at, counts) = waiting else { return }
            for (count, figures) in counts.groups {
                run.bytes.append(packed: UInt64(at - last))
                run.bytes.append(packed: UInt64(figures.rawValue))
                run.bytes.append(packedSigned: count)
                run.count += 1
                last = at
                run.lastAt = UTCInstant(millisecondsSinceEpoch: at)
            }
            waiting = nil
        }
        for change in changes {
            let at = change.at.millisecondsSinceEpoch
            if waiting?.at != at {
                flush(&self)
                waiting = (at, FigureCounts())
            }
            waiting?.counts.add(change.figures, change.count)
        }
        flush(&self)
    }

    /// Calls `visit` for each change, in order.
    static func forEach(hour: Int64, _ bytes: [UInt8], _ visit: (MomentChange) -> Void) throws {
        do {
            try bytes.withUnsafeBytes { bytes in
                var reader = PackedReader(bytes)
                var at = hour * millisecondsPerHour
                while !reader.isAtEnd {
                    at &+= Int64(truncatingIfNeeded: try reader.number())
                    guard MomentRun.hour(of: UTCInstant(millisecondsSinceEpoch: at)) == hour else {
                        throw PackedReader.malformed
                    }
                    let figures = FigureSet(rawValue: UInt16(truncatingIfNeeded: try reader.number()))
                    visit(
                        MomentChange(
                            at: UTCInstant(millisecondsSinceEpoch: at), figures: figures,
                            count: try reader.signedNumber()))
                }
            }
        } catch is EventBlockError {
            throw SQLError.malformed("figure_moments")
        }
    }
}

extension FigureCounts {
    /// The figures that are not zero, those with the same count together.
    fileprivate var groups: [(count: Int64, figures: FigureSet)] {
        var groups: [(count: Int64, figures: FigureSet)] = []
        for figure in Figure.allCases where self[figure] != 0 {
            if let index = groups.firstIndex(where: { $0.count == self[figure] }) {
                groups[index].figures.insert(FigureSet(figure))
            } else {
                groups.append((self[figure], FigureSet(figure)))
            }
        }
        return groups
    }
}

/// The stored changes by the moment, of the last ``FigureRetention/days``.
enum MomentTable {
    /// Adds changes in any order.
    static func add(_ changes: [MomentChange], in transaction: any SQLTransaction) throws {
        let hours = byHour(changes)
        guard !hours.isEmpty else { return }
        var stored = [[(number: Int64, count: Int)]](repeating: [], count: hours.count)
        try transaction.forEach(listing, rows: hours.map { [.integer($0.hour)] }) { index, row in
            stored[index].append((try row.integer(0), Int(clamping: try row.integer(1))))
        }
        // From this run on, those of the hour become one with the new changes.
        var firstMerged = [Int64?](repeating: nil, count: hours.count)
        var number = [Int64](repeating: 1, count: hours.count)
        for index in hours.indices {
            var size = hours[index].changes.count
            let runs = stored[index].sorted { $0.number > $1.number }
            number[index] = (runs.first?.number ?? 0) + 1
            for run in runs {
                guard run.count / 2 <= size else { break }
                firstMerged[index] = run.number
                number[index] = run.number
                size = min(size &+ run.count, 1 << 40)
            }
        }
        var merged = hours.map { Array($0.changes) }
        let old = hours.indices.compactMap { index in firstMerged[index].map { (index, hours[index].hour, $0) } }
        try transaction.forEach(reading, rows: old.map { [.integer($0.1), .integer($0.2)] }) { place, row in
            let index = old[place].0
            try MomentRun.forEach(hour: hours[index].hour, try row.blob(0)) { merged[index].append($0) }
        }
        try transaction.execute(removal, rows: old.map { [.integer($0.1), .integer($0.2)] })
        var rows: [[SQLValue]] = []
        for index in hours.indices {
            if firstMerged[index] != nil { merged[index].sort { $0.at < $1.at } }
            let run = MomentRun(hour: hours[index].hour, merged[index])
            guard run.count > 0 else { continue }
            rows.append([
                .integer(run.hour), .integer(number[index]), .integer(Int64(run.count)), .instant(run.lastAt),
                .blob(run.bytes),
            ])
        }
        try transaction.execute(insertion, rows: rows)
    }

    private static func byHour(_ changes: [MomentChange]) -> [(hour: Int64, changes: ArraySlice<MomentChange>)] {
        let sorted = changes.sorted { $0.at < $1.at }
        var hours: [(hour: Int64, changes: ArraySlice<MomentChange>)] = []
        var rest = sorted[...]
        while let first = rest.first {
            let hour = MomentRun.hour(of: first.at)
            let end = MomentRun.millisecondsPerHour * (hour + 1)
            let part = rest.prefix { $0.at.millisecondsSinceEpoch < end }
            hours.append((hour, part))
            rest = rest[part.endIndex...]
        }
        return hours
    }

    /// Packs changes in any order, outside of any transaction; see ``insert(_:number:in:)``.
    static func pack(_ changes: [MomentChange]) -> [MomentRun] {
        byHour(changes).map { MomentRun(hour: $0.hour, $0.changes) }.filter { $0.count > 0 }
    }

    /// Stores the runs of a rebuild, at most one of each hour, beside those of the figures.
    ///
    /// - Parameter number: of these runs in their hours.
    static func insert(_ runs: [MomentRun], number: Int64, in transaction: any SQLTransaction) throws {
        try transaction.execute(
            rebuiltInsertion,
            rows: runs.map {
                [
                    .integer($0.hour), .integer(number), .integer(Int64($0.count)), .instant($0.lastAt),
                    .blob($0.bytes),
                ]
            })
    }

    /// What is counted after a moment and before another, in one hour.
    static func sum(
        ofHour hour: Int64, after instant: UTCInstant, before end: UTCInstant, in session: any SQLSession
    ) throws -> FigureCounts {
        var counts = FigureCounts()
        try session.forEach(
            "SELECT changes FROM figure_moments WHERE hour_number = ? AND last_at > ?",
            [.integer(hour), .instant(instant)]
        ) { row in
            try MomentRun.forEach(hour: hour, try row.blob(0)) { change in
                if change.at > instant, change.at < end { counts.add(change.figures, change.count) }
            }
        }
        return counts
    }

    private static let listing = SQLBatchStatement(
        eachRow: "SELECT number, change_count FROM figure_moments WHERE hour_number = ?",
        allRows: """
            SELECT given.number, m.number, m.change_count
            FROM unnest(?::bigint[]) WITH ORDINALITY AS given (hour_number, number)
            JOIN figure_moments m ON m.hour_number = given.hour_number
            """)

    private static let reading = SQLBatchStatement(
        eachRow: "SELECT changes FROM figure_moments WHERE hour_number = ? AND number >= ?",
        allRows: """
            SELECT given.number, m.changes
            FROM unnest(?::bigint[], ?::bigint[]) WITH ORDINALITY AS given (hour_number, first_number, number)
            JOIN figure_moments m ON m.hour_number = given.hour_number AND m.number >= given.first_number
            """)

    private static let removal = SQLBatchStatement(
        eachRow: "DELETE FROM figure_moments WHERE hour_number = ? AND number >= ?",
        allRows: """
            DELETE FROM figure_moments m
            USING unnest(?::bigint[], ?::bigint[]) AS given (hour_number, first_number)
            WHERE m.hour_number = given.hour_number AND m.number >= given.first_number
            """)

    private static let insertion = SQLBatchStatement.insertion(into: "figure_moments", columns)
    private static let rebuiltInsertion = SQLBatchStatement.insertion(into: "rebuilt_figure_moments", columns)

    private static let columns: [SQLBatchStatement.Column] = [
        .integer("hour_number"), .integer("number"), .integer("change_count"), .integer("last_at"), .blob("changes"),
    ]
}
