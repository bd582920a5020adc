import EventLog
import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL
import TextCoding

/// Recomputes the figures from the raw events and compares them with the stored ones.
///
/// Reads one snapshot, so it may run beside the server; the write-ahead log grows meanwhile.
package struct FigureVerifier: Sendable {
    private let context: BackendContext
    private let history: any EventHistory

    package init(context: BackendContext, history: any EventHistory = LoggedHistory()) {
        self.context = context
        self.history = history
    }

    package func verify() throws -> FigureVerification {
        let now = context.now()
        return try context.store.read { session in
            var figures = RecomputedFigures()
            try history.forEach(in: session) { figures.add($0) }
            var comparison = FigureComparison(
                figures: figures, now: now, completeFrom: try history.completeFrom(in: session), session: session)
            try comparison.run()
            try comparison.compareIDs()
            comparison.result.waitingCount = try history.count(in: session) - comparison.result.eventCount
            return comparison.result
        }
    }
}

/// One comparison: first each user against their raw events, then the sums against the users.
private struct FigureComparison {
    let figures: RecomputedFigures
    private let now: UTCInstant
    /// No window begins before it, so older rows may have been purged and are not compared.
    let recent: UTCInstant
    let completeFrom: UTCInstant?
    let session: any SQLSession
    var result = FigureVerification()
    private var fold: FigureFold
    private var usersBeforePurge = 0

    init(figures: RecomputedFigures, now: UTCInstant, completeFrom: UTCInstant?, session: any SQLSession) {
        self.figures = figures
        self.now = now
        recent = now.adding(days: -31)
        self.completeFrom = completeFrom
        self.session = session
        fold = FigureFold(now: now)
        result.eventCount = figures.eventCount
    }

    mutating func run() throws {
        try compareUsers()
        try compareSubscriptions()
        try compareTable(.days)
        try compareTable(.minutes)
        try compareTotals()
        try compareItems()
        if let completeFrom {
            result.unverified.append(
                "Raw events before \(completeFrom.rfc3339) have been purged: earlier subscriptions and item additions, "
                    + "and the earlier activity of \(usersBeforePurge) users, are not verified.")
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
        let sql = """
            SELECT id, first_seen_at, last_seen_at, seen_minute, app_downloaded_at, first_subscription_added_at,
                five_subscriptions_reached_at, retention_d1_at, retention_d7_at, retention_d30_at, premium_conversion_at,
                user_hash
            FROM users
            """
        try session.forEach(sql, []) { row in
            let id = try row.integer(0)
            guard let hash = UserHash(bytes: try row.blob(4 + Milestone.allCases.count)) else {
                throw SQLError.malformed("user_hash")
            }
            known.insert(hash)
            let kept = UserMoments(
                firstSeenAt: try row.instant(1), lastSeenAt: try row.instant(2),
                marks: try Milestone.allCases.map { try row.optionalInstant(4 + $0.rawValue) }, returnedAt: nil)
            result.compare(
                "user \(id): seen_minute", kept: try row.integer(3), recomputed: kept.lastSeenAt.minuteNumber)
            let found = compare(kept, id: id, hash: hash)
            found.fold(from: nil, into: &fold)
        }
        result.userCount = known.count
        for hash in figures.users.keys where !known.contains(hash) {
            result.compare("user \(Self.name(of: hash))", kept: false, recomputed: true) { $0 ? "there" : "missing" }
        }
        try compareAbsences()
    }

    /// Returns the user as derived from the raw events; purged parts are taken from `kept`.
    private mutating func compare(_ kept: UserMoments, id: Int64, hash: UserHash) -> UserMoments {
        let user = figures.users[hash]
        func words(_ instant: UTCInstant?) -> String { instant?.rfc3339 ?? "none" }
        var found = kept
        if isPurged(kept.firstSeenAt) { usersBeforePurge += 1 } else { found.firstSeenAt = user?.first ?? .latest }
        if !isPurged(kept.lastSeenAt) { found.lastSeenAt = user?.last ?? .earliest }
        for milestone in Milestone.allCases {
            let mark = kept[milestone]
            if let mark, isPurged(mark) { continue }
            found.marks[milestone.rawValue] = user?.marks[milestone.rawValue]
        }
        result.compare("user \(id): first_seen_at", kept: kept.firstSeenAt, recomputed: found.firstSeenAt, words)
        result.compare("user \(id): last_seen_at", kept: kept.lastSeenAt, recomputed: found.lastSeenAt, words)
        for milestone in Milestone.allCases {
            result.compare(
                "user \(id): \(milestone)", kept: kept[milestone], recomputed: found[milestone], words)
        }
        return found
    }

    private mutating func compareAbsences() throws {
        var kept: [UserHash: Set<Absence>] = [:]
        let sql =
            "SELECT u.user_hash, a.left_at, a.returned_at FROM user_absences a JOIN users u ON u.id = a.user_id"
        try session.forEach(sql, []) { row in
            guard let hash = UserHash(bytes: try row.blob(0)) else { throw SQLError.malformed("user_hash") }
            guard let absence = Absence(from: try row.instant(1), until: try row.instant(2)) else { return }
            if isPurged(absence.leftAt) {
                absence.fold(1, into: &fold)
            } else if absence.returnedAt >= recent {
                kept[hash, default: []].insert(absence)
            }
        }
        func words(_ absences: [Absence]) -> String {
            absences.isEmpty ? "none" : absences.map { "\($0.leftAt)/\($0.returnedAt)" }.joined(separator: " ")
        }
        for (hash, user) in figures.users {
            let found = user.absences.filter { !isPurged($0.leftAt) }
            for absence in found { absence.fold(1, into: &fold) }
            result.compare(
                "user \(Self.name(of: hash)): absences", kept: sorted(kept.removeValue(forKey: hash) ?? []),
                recomputed: found.filter { $0.returnedAt >= recent }, words)
        }
        for (hash, absences) in kept {
            result.compare("user \(Self.name(of: hash)): absences", kept: sorted(absences), recomputed: [], words)
        }
    }

    /// The beginning of the hash, long enough to find the user.
    private static func name(of hash: UserHash) -> String {
        Hexadecimal.text(hash.bytes.prefix(4)) + "…"
    }

    private func sorted(_ absences: Set<Absence>) -> [Absence] { absences.sorted { $0.leftAt < $1.leftAt } }

    private mutating func compareSubscriptions() throws {
        for (moment, change) in figures.subscriptions {
            fold.add(.subscriptions, change, at: UTCInstant(millisecondsSinceEpoch: moment))
        }
        let start = max(recent, completeFrom ?? recent)
        var kept: [Int64: Int64] = [:]
        try session.forEach(
            "SELECT occurred_at, change FROM subscription_moments WHERE occurred_at >= ?", [.instant(start)]
        ) { kept[try $0.integer(0)] = try $0.integer(1) }
        let found = figures.subscriptions.filter { $0.key >= start.millisecondsSinceEpoch }
        for moment in Set(kept.keys).union(found.keys) {
            result.compare(
                "\(UTCInstant(millisecondsSinceEpoch: moment)): subscriptions", kept: kept[moment] ?? 0,
                recomputed: found[moment] ?? 0)
        }
    }

    private mutating func compareTable(_ table: FigureTable) throws {
        var found = table == .days ? fold.days : fold.minutes
        let (recentRow, firstRow) = (table.row(of: recent) + 1, table == .days ? .min : table.row(of: recent) + 1)
        let completeRow = completeFrom.map { table.row(of: $0) + 1 } ?? .min
        let columns = Figure.allCases.map(\.column).joined(separator: ", ")
        var kept: [Int64: FigureCounts] = [:]
        try session.forEach(
            "SELECT \(table.key), \(columns) FROM \(table.name) WHERE \(table.key) >= ?", [.integer(firstRow)]
        ) { kept[try $0.integer(0)] = try FigureCounts.read($0, from: 1) }
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
        let days = try FigureReader(session: session).sums(.days, from: .min, through: .max)
        result.compare("total users", kept: totals.users, recomputed: days[.users])
        result.compare("total conversions", kept: totals.conversions, recomputed: days[.conversions])
        result.compare("total subscriptions", kept: totals.subscriptions, recomputed: days[.subscriptions])
    }

    private mutating func compareItems() throws {
        guard completeFrom == nil else { return }
        var found = figures.items
        try session.forEach("SELECT item_id, addition_count FROM item_additions", []) { row in
            let id = try row.uuid(0)
            result.compare(
                "item \(id.lowercased): additions", kept: try row.integer(1),
                recomputed: found.removeValue(forKey: id) ?? 0)
        }
        for (id, count) in found {
            result.compare("item \(id.lowercased): additions", kept: 0, recomputed: count)
        }
    }
}
