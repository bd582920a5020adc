import EventLog
import Foundation
import SQLDatabase
package import ServerAccess
import SubGuardDomain
import SubGuardSQL
import TextCoding

/// Recomputes the figures from the raw events and compares them with the stored ones.
///
/// Reads one snapshot, so it may run beside the server; the write-ahead log grows meanwhile.
package struct FigureVerifier: Sendable {
    private let context: BackendContext

    package init(context: BackendContext) { self.context = context }

    package func verify() throws -> FigureVerification {
        try context.read { session, now in
            var figures = RecomputedFigures(
                try AppVersions.load(in: session), try ReportCalendar.load(in: session))
            try EventLogReader.forEach(in: session, stagedOnly: true) { figures.add($0) }
            var comparison = try FigureComparison(
                figures: figures, now: now, completeFrom: try EventLogReader.completeFrom(in: session),
                session: session)
            try comparison.run()
            try comparison.compareRanking()
            try comparison.compareIDs()
            comparison.result.waitingCount = try EventLogReader.count(in: session) - comparison.result.eventCount
            return comparison.result
        }
    }
}

/// One comparison: first each user against their raw events, then the sums against the users.
struct FigureComparison {
    let figures: RecomputedFigures
    private let now: UTCInstant
    /// No window begins before it, so older rows may have been purged and are not compared.
    let recent: UTCInstant
    let completeFrom: UTCInstant?
    let session: any SQLSession
    var result = FigureVerification()
    var fold: FigureFold
    /// Counted by a fold that is under way, and not in the figures yet.
    private(set) var staged: FigureFold
    /// Days of users up to this one are taken as they are stored; nil if all are in the raw events.
    let lastUnknownDay: Int64?
    private var usersBeforePurge = 0

    init(figures: RecomputedFigures, now: UTCInstant, completeFrom: UTCInstant?, session: any SQLSession) throws {
        self.figures = figures
        self.now = now
        recent = now.adding(days: -31)
        self.completeFrom = completeFrom
        self.session = session
        fold = FigureFold(now: now, figures.calendar)
        staged = FigureFold(now: now, figures.calendar)
        lastUnknownDay = completeFrom.map(figures.calendar.number)
        try staged.addStaged(in: session)
        result.eventCount = figures.eventCount
    }

    mutating func run() throws {
        try compareUsers()
        try compareMoments()
        try compareTable(.days)
        try compareTable(.hours)
        try compareTotals()
        try compareItems()
        try compareActivity()
        try compareFunnels()
        try compareEventDays()
        if let completeFrom {
            result.unverified.append(
                "Raw events before \(completeFrom.rfc3339) have been purged: earlier subscriptions and item additions, "
                    + "and the earlier activity of \(usersBeforePurge) users, are not verified.")
        }
    }

    /// The stored ranking counts every event of the blocks that were folded when it was taken, but for those dated
    /// ahead of that moment, which a clock set back may have counted before.
    mutating func compareRanking() throws {
        guard completeFrom == nil, try !EventLog.isDiscardUnderWay(in: session),
            let (takenAt, foldedBlock) = try RankingStore.storedMoment(in: session), foldedBlock > 0
        else { return }
        var due: [UUID: Int64] = [:]
        var all: [UUID: Int64] = [:]
        try EventLogReader.forEachAddition(through: foldedBlock, in: session) { item, occurredAt in
            all[item, default: 0] += 1
            if occurredAt <= takenAt { due[item, default: 0] += 1 }
        }
        for (item, kept) in try RankingStore.storedCounts(in: session) {
            let bounds = (due.removeValue(forKey: item) ?? 0)...(all[item] ?? 0)
            result.compare(
                "ranking of \(takenAt.rfc3339): item \(item.lowercased)", kept: kept,
                recomputed: min(max(kept, bounds.lowerBound), bounds.upperBound))
        }
        for item in try RankingStore.knownItems(before: takenAt, in: session) {
            if let count = due[item] {
                result.compare("ranking of \(takenAt.rfc3339): item \(item.lowercased)", kept: 0, recomputed: count)
            }
        }
    }

    /// Verifies the ids that prevent an event from being counted twice, now or when it is resent.
    mutating func compareIDs() throws {
        let check = try EventIDCheck(in: session, now: now)
        for id in check.repeated {
            result.compare("event \(id.uuid.lowercased): times in the log", kept: 2, recomputed: 1)
        }
        result.compare("events that would be accepted again", kept: Int64(check.unknownCount), recomputed: 0)
        result.compare("damaged segments of the ids' index", kept: Int64(check.damagedSegments), recomputed: 0)
    }

    private func isPurged(_ instant: UTCInstant) -> Bool { completeFrom.map { instant < $0 } ?? false }

    private mutating func compareUsers() throws {
        var known: Set<UserHash> = []
        try UserPages.forEach(in: session) { hash, kept in
            known.insert(hash)
            compare(kept.moments, hash: hash).fold(from: nil, into: &fold)
            compareAbsences(kept.absences, hash: hash)
            compareDays(kept.days, hash: hash)
        }
        result.userCount = known.count
        for hash in figures.users.keys where !known.contains(hash) {
            result.compare("user \(Self.name(of: hash))", kept: false, recomputed: true) { $0 ? "there" : "missing" }
        }
    }

    /// Returns the user as derived from the raw events; purged parts are taken from `kept`.
    private mutating func compare(_ kept: UserMoments, hash: UserHash) -> UserMoments {
        let user = figures.users[hash]
        let id = Self.name(of: hash)
        func words(_ instant: UTCInstant?) -> String { instant?.rfc3339 ?? "none" }
        var found = kept
        if isPurged(kept.firstSeenAt) { usersBeforePurge += 1 } else { found.firstSeenAt = user?.first ?? .latest }
        if !isPurged(kept.lastSeenAt) { found.lastSeenAt = user?.last ?? .earliest }
        for milestone in Milestone.allCases {
            let mark = kept[milestone]
            if let mark, isPurged(mark) { continue }
            found[milestone] = user?.marks[milestone.rawValue]
        }
        if !isPurged(kept.firstSeenAt) {
            found.segment = user?.segment ?? .unknown
            result.compare("user \(id): platform and app version", kept: kept.segment, recomputed: found.segment) {
                "\($0.platform) \($0.version)"
            }
        }
        result.compare("user \(id): first_seen_at", kept: kept.firstSeenAt, recomputed: found.firstSeenAt, words)
        result.compare("user \(id): last_seen_at", kept: kept.lastSeenAt, recomputed: found.lastSeenAt, words)
        for milestone in Milestone.allCases {
            result.compare(
                "user \(id): \(milestone)", kept: kept[milestone], recomputed: found[milestone], words)
        }
        return found
    }

    private mutating func compareAbsences(_ kept: [Absence], hash: UserHash) {
        for absence in kept where isPurged(absence.leftAt) { absence.fold(1, into: &fold) }
        let found = figures.users[hash]?.absences.filter { !isPurged($0.leftAt) } ?? []
        for absence in found { absence.fold(1, into: &fold) }
        func words(_ absences: [Absence]) -> String {
            absences.isEmpty ? "none" : absences.map { "\($0.leftAt)/\($0.returnedAt)" }.joined(separator: " ")
        }
        result.compare(
            "user \(Self.name(of: hash)): absences",
            kept: kept.filter { !isPurged($0.leftAt) && $0.returnedAt >= recent }.sorted { $0.leftAt < $1.leftAt },
            recomputed: found.filter { $0.returnedAt >= recent }, words)
    }

    /// The beginning of the hash, long enough to find the user.
    static func name(of hash: UserHash) -> String {
        Hexadecimal.text(hash.bytes.prefix(4)) + "…"
    }

    /// Changes by the moment. Those of subscriptions that were purged are not there to be compared.
    private mutating func compareMoments() throws {
        for (moment, change) in figures.subscriptions {
            fold.add(FigureSet(.subscriptions), change, at: UTCInstant(millisecondsSinceEpoch: moment))
        }
        let firstHour = MomentRun.hour(of: recent) + 1
        var kept: [UTCInstant: FigureCounts] = [:]
        var found: [UTCInstant: FigureCounts] = [:]
        for change in staged.changes { kept[change.at, default: FigureCounts()].add(change.figures, change.count) }
        try session.forEach(
            "SELECT hour_number, changes FROM figure_moments WHERE hour_number >= ?", [.integer(firstHour)]
        ) { row in
            try MomentRun.forEach(hour: try row.integer(0), try row.blob(1)) { change in
                kept[change.at, default: FigureCounts()].add(change.figures, change.count)
            }
        }
        for change in fold.changes { found[change.at, default: FigureCounts()].add(change.figures, change.count) }
        for moment in Set(kept.keys).union(found.keys) where MomentRun.hour(of: moment) >= firstHour {
            let (keptCounts, foundCounts) = (kept[moment] ?? FigureCounts(), found[moment] ?? FigureCounts())
            for figure in Figure.allCases where keptCounts[figure] != foundCounts[figure] {
                if figure == .subscriptions, isPurged(moment) { continue }
                result.compare(
                    "\(moment.rfc3339): \(figure.column)", kept: keptCounts[figure], recomputed: foundCounts[figure])
            }
        }
    }

    private mutating func compareTable(_ table: FigureTable) throws {
        var found = table == .days ? fold.days : fold.hours
        let calendar = figures.calendar
        func row(_ instant: UTCInstant) -> Int64 {
            table == .days ? calendar.number(of: instant) : MomentRun.hour(of: instant)
        }
        let (recentRow, firstRow) = (row(recent) + 1, table == .days ? .min : row(recent) + 1)
        let completeRow = completeFrom.map { row($0) + 1 } ?? .min
        let columns = Figure.allCases.map(\.column).joined(separator: ", ")
        var kept: [Int64: FigureCounts] = [:]
        try session.forEach(
            "SELECT \(table.key), \(columns) FROM \(table.name) WHERE \(table.key) >= ?", [.integer(firstRow)]
        ) { kept[try $0.integer(0)] = try FigureCounts.read($0, from: 1) }
        for (row, counts) in table == .days ? staged.days : staged.hours where row >= firstRow {
            kept[row, default: FigureCounts()] += counts
        }
        found = found.filter { $0.key >= firstRow }
        for row in Set(kept.keys).union(found.keys).sorted() {
            let (keptCounts, foundCounts) = (kept[row] ?? FigureCounts(), found[row] ?? FigureCounts())
            for figure in Figure.allCases where keptCounts[figure] != foundCounts[figure] {
                if row < recentRow, figure == .returns7d || figure == .returns30d { continue }
                if row < completeRow, figure == .subscriptions { continue }
                result.compare(
                    "\(table.name) \(row): \(figure.column)", kept: keptCounts[figure],
                    recomputed: foundCounts[figure])
            }
        }
    }

    /// Compares the totals with the days, which were compared with the events before.
    private mutating func compareTotals() throws {
        let totals = try UserTotals.load(in: session)
        let days = try FigureReader(session: session, calendar: figures.calendar).sums(.days, from: .min, through: .max)
        // What is staged is in neither.
        result.compare("total users", kept: totals.users, recomputed: days[.users])
        result.compare("total conversions", kept: totals.conversions, recomputed: days[.conversions])
        result.compare("total subscriptions", kept: totals.subscriptions, recomputed: days[.subscriptions])
    }

    private mutating func compareItems() throws {
        guard completeFrom == nil else { return }
        var found = figures.items
        var kept = staged.items
        try session.forEach("SELECT item_id, addition_count FROM item_additions", []) { row in
            kept[try row.uuid(0), default: 0] += try row.integer(1)
        }
        for (id, count) in kept {
            result.compare(
                "item \(id.lowercased): additions", kept: count, recomputed: found.removeValue(forKey: id) ?? 0)
        }
        for (id, count) in found {
            result.compare("item \(id.lowercased): additions", kept: 0, recomputed: count)
        }
    }
}
