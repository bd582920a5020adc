import Foundation
import JSONWire
import SQLDatabase
import ServerAccess
import SubGuardDomain
import SubGuardSQL

/// Gives stored groups the names of their functions, and makes groups one that are one function by these names.
///
/// A group keeps its key, made of images and offsets. When groups become one, the first of them shows the sums, and
/// each stays as a hidden part that goes on counting its own reports; so they can be parted again.
struct CrashRegrouping {
    /// Numbers of groups.
    struct Changes {
        let named: Int
        /// How many fewer are shown.
        let merged: Int
    }

    private let transaction: any SQLTransaction
    private let context: BackendContext

    init(_ transaction: any SQLTransaction, _ context: BackendContext) {
        self.transaction = transaction
        self.context = context
    }

    /// Reads the names of an image's functions again, for each group whose reports have frames of the image.
    func apply(to debugID: String) throws -> Changes {
        let before = try shownCount()
        var names = CrashNames(transaction)
        let changed = try groups(of: debugID).filter { group in
            guard let facts = try facts(of: group.id, &names) else { return false }
            let key = Self.key(facts)
            return key != group.symbolKey || key != nil && facts.culprit != group.culprit
        }
        guard !changed.isEmpty else { return Changes(named: 0, merged: 0) }
        for shown in Set(changed.compactMap(\.mergedInto)) { try part(shown) }
        // The groups that were parted have their own ids again.
        for group in try groups(of: debugID) {
            guard let facts = try facts(of: group.id, &names) else { continue }
            if facts.hasNames || group.symbolKey != nil { try write(facts, of: group.id) }
        }
        try join()
        return Changes(named: changed.count, merged: max(0, before - (try shownCount())))
    }

    /// Names a new group by its report, and makes it one with those of the same function.
    func name(_ group: [UInt8], by sample: [UInt8]) throws {
        guard let event = try? JSONValue.parse(sample).objectValue else { return }
        var names = CrashNames(transaction)
        let facts = try names.facts(of: event)
        guard facts.hasNames else { return }
        try write(facts, of: group)
        try join(Self.key(facts))
    }

    /// Parts what names made one, for good.
    func partForGood(_ shown: [UInt8]) throws {
        try transaction.execute("UPDATE crash_groups SET is_parted = 1 WHERE merged_into = ?", [.blob(shown)])
        try part(shown)
    }

    private func write(_ facts: CrashFacts, of group: [UInt8]) throws {
        let key = Self.key(facts)
        try transaction.execute(
            """
            UPDATE crash_groups SET title = ?, culprit = ?, symbol_key = ?,
                is_parted = CASE WHEN ? = 1 THEN is_parted ELSE 0 END WHERE id = ?
            """,
            [.text(facts.title), .text(orNull: facts.culprit), .blob(orNull: key), .flag(key != nil), .blob(group)])
    }

    private func shownCount() throws -> Int {
        let count = try transaction.integer("SELECT count(*) FROM crash_groups WHERE merged_into IS NULL")
        return Int(count ?? 0)
    }

    private static func key(_ facts: CrashFacts) -> [UInt8]? {
        facts.hasNames ? CrashStore.digest(facts.groupKey) : nil
    }

    private struct Group {
        let id: [UInt8]
        let mergedInto: [UInt8]?
        let culprit: String?
        let symbolKey: [UInt8]?
    }

    /// The groups whose first report has frames of the image, in their order.
    private func groups(of debugID: String) throws -> [Group] {
        try transaction.query(
            """
            SELECT g.id, g.merged_into, g.culprit, g.symbol_key FROM crash_groups g
            JOIN crash_samples s ON s.id = (SELECT min(id) FROM crash_samples WHERE group_id = g.id)
            WHERE g.rank < ? AND (s.body LIKE ? OR s.body LIKE ?) ORDER BY g.number, g.id
            """,
            [
                .integer(CrashStanding.reserved), .text("%\(debugID)%"),
                .text("%\(debugID.filter { $0 != "-" })%"),
            ]
        ) { row in
            Group(
                id: try row.blob(0), mergedInto: try row.optionalBlob(1), culprit: try row.optionalText(2),
                symbolKey: try row.optionalBlob(3))
        }
    }

    /// What a group's first report says with names. Reports are read one by one: each may have 32 KiB.
    private func facts(of group: [UInt8], _ names: inout CrashNames) throws -> CrashFacts? {
        let body = try transaction.first(
            "SELECT body FROM crash_samples WHERE group_id = ? ORDER BY id LIMIT 1", [.blob(group)]
        ) { try $0.text(0) }
        guard let body, let event = try? JSONValue.parse(Array(body.utf8)).objectValue else { return nil }
        return try names.facts(of: event)
    }
}

// MARK: One of several

extension CrashRegrouping {
    /// Makes shown groups of the same function one, with the first of them. A group that a device named itself has that
    /// name as its key. Takes time in proportion to the groups, because who sends crashes chooses how many are one.
    ///
    /// - Parameter key: only groups of this function.
    private func join(_ key: [UInt8]? = nil) throws {
        var functions = try severalOfAFunction(key)
        // What comes out of a later group is shown again, and may be of the function too.
        let later = try functions.flatMap { $0.dropFirst() }.filter(hasParts)
        if !later.isEmpty {
            for group in later { try part(group) }
            functions = try severalOfAFunction(key)
        }
        for groups in functions {
            guard let shown = groups.first else { continue }
            if try !hasParts(shown) { try hide(shown) }
            for group in groups.dropFirst() {
                try transaction.execute(
                    "UPDATE crash_groups SET merged_into = ? WHERE id = ?", [.blob(shown), .blob(group)])
            }
            try addUp(shown)
        }
    }

    /// Shown groups of each function that has several, in their order.
    private func severalOfAFunction(_ key: [UInt8]?) throws -> [[[UInt8]]] {
        var functions: [(key: [UInt8], groups: [[UInt8]])] = []
        try transaction.forEach(
            """
            SELECT id, symbol_key AS shared_key, number FROM crash_groups
            WHERE symbol_key IS NOT NULL AND (? = 1 OR symbol_key = ?) AND merged_into IS NULL AND is_parted = 0
            UNION ALL
            SELECT id, group_key, number FROM crash_groups
            WHERE symbol_key IS NULL AND merged_into IS NULL AND is_parted = 0 AND group_key IN (
                SELECT symbol_key FROM crash_groups
                WHERE symbol_key IS NOT NULL AND (? = 1 OR symbol_key = ?) AND merged_into IS NULL AND is_parted = 0)
            ORDER BY shared_key, number, id
            """,
            [.flag(key == nil), .blob(key ?? []), .flag(key == nil), .blob(key ?? [])]
        ) { row in
            let (id, function) = (try row.blob(0), try row.blob(1))
            if functions.last?.key != function { functions.append((function, [])) }
            functions[functions.count - 1].groups.append(id)
        }
        return functions.map(\.groups).filter { $0.count > 1 }
    }

    private func hasParts(_ group: [UInt8]) throws -> Bool {
        try transaction.first("SELECT 1 FROM crash_groups WHERE merged_into = ? LIMIT 1", [.blob(group)]) { _ in true }
            ?? false
    }

    private static let copied = """
        title, culprit, platform, level, status, event_count, first_seen_at, last_seen_at, number, rank, marks,
        marked_day, decided_at, regressed_at, revision, symbol_key, is_parted
        """

    /// Moves all that a group has into a hidden part of it.
    private func hide(_ shown: [UInt8]) throws {
        let key = try key(of: shown)
        let part = context.makeID().rawBytes
        try transaction.execute(
            "UPDATE crash_groups SET group_key = ? WHERE id = ?",
            [.blob(CrashStore.digest("parts of \(shown)")), .blob(shown)])
        try transaction.execute(
            """
            INSERT INTO crash_groups (id, group_key, merged_into, \(Self.copied))
            SELECT ?, ?, id, \(Self.copied) FROM crash_groups WHERE id = ?
            """, [.blob(part), .blob(key), .blob(shown)])
        try move(from: shown, to: part)
    }

    /// Removes the hidden part that has the lowest rank: the first part of its group has its counts from then on, and
    /// it cannot be parted from that again. Returns false if there is none.
    ///
    /// - Parameter samples: so many of both are kept.
    func foldPart(keeping samples: Int64) throws -> Bool {
        let parts = try transaction.first(
            """
            SELECT p.id, p.merged_into, f.id FROM crash_groups p JOIN crash_groups g ON g.id = p.merged_into
            JOIN crash_groups f ON f.merged_into = g.id AND f.number = g.number
            WHERE p.number <> g.number ORDER BY p.rank, p.id LIMIT 1
            """
        ) { (part: try $0.blob(0), shown: try $0.blob(1), first: try $0.blob(2)) }
        guard let (part, shown, first) = parts else { return false }
        try transaction.execute(
            """
            INSERT INTO crash_group_releases (group_id, release_id, event_count, last_seen_at)
            SELECT ?, release_id, event_count, last_seen_at FROM crash_group_releases WHERE group_id = ?
            ON CONFLICT (group_id, release_id) DO UPDATE SET
                event_count = crash_group_releases.event_count + excluded.event_count,
                last_seen_at = CASE WHEN crash_group_releases.last_seen_at < excluded.last_seen_at
                    THEN excluded.last_seen_at ELSE crash_group_releases.last_seen_at END
            """, [.blob(first), .blob(part)])
        try CrashStore.addDays(of: part, to: first, in: transaction)
        try transaction.execute(
            """
            UPDATE crash_groups SET event_count = crash_groups.event_count + p.event_count,
                first_seen_at = CASE WHEN p.first_seen_at < crash_groups.first_seen_at
                    THEN p.first_seen_at ELSE crash_groups.first_seen_at END,
                last_seen_at = CASE WHEN p.last_seen_at > crash_groups.last_seen_at
                    THEN p.last_seen_at ELSE crash_groups.last_seen_at END,
                status = CASE WHEN p.status = 'open' THEN p.status ELSE crash_groups.status END,
                decided_at = CASE WHEN p.decided_at > coalesce(crash_groups.decided_at, p.decided_at - 1)
                    THEN p.decided_at ELSE crash_groups.decided_at END,
                regressed_at = CASE WHEN p.regressed_at > coalesce(crash_groups.regressed_at, p.regressed_at - 1)
                    THEN p.regressed_at ELSE crash_groups.regressed_at END,
                marks = CASE WHEN p.rank > crash_groups.rank THEN p.marks ELSE crash_groups.marks END,
                marked_day = CASE WHEN p.rank > crash_groups.rank THEN p.marked_day ELSE crash_groups.marked_day END,
                rank = CASE WHEN p.rank > crash_groups.rank THEN p.rank ELSE crash_groups.rank END
            FROM crash_groups p WHERE crash_groups.id = ? AND p.id = ?
            """, [.blob(first), .blob(part)])
        try transaction.execute(
            "UPDATE crash_samples SET group_id = ? WHERE group_id = ?", [.blob(first), .blob(part)])
        try CrashStore.trimSamples(of: first, to: samples, in: transaction)
        try transaction.execute("DELETE FROM crash_groups WHERE id = ?", [.blob(part)])
        try transaction.execute("UPDATE crash_groups SET revision = revision + 1 WHERE id = ?", [.blob(shown)])
        let rest = try transaction.integer("SELECT count(*) FROM crash_groups WHERE merged_into = ?", [.blob(shown)])
        if rest == 1 { try self.part(shown) }
        return true
    }

    /// Gives the parts back to the groups that they were.
    private func part(_ shown: [UInt8]) throws {
        // The part that the shown group was has its number.
        let first = try transaction.first(
            """
            SELECT p.id FROM crash_groups p JOIN crash_groups g ON g.id = p.merged_into
            WHERE p.merged_into = ? ORDER BY CASE WHEN p.number = g.number THEN 0 ELSE 1 END, p.number, p.id LIMIT 1
            """, [.blob(shown)]
        ) { try $0.blob(0) }
        guard let first else { return }
        let key = try key(of: first)
        for table in ["crash_group_releases", "crash_group_days"] {
            try transaction.execute("DELETE FROM \(table) WHERE group_id = ?", [.blob(shown)])
        }
        try move(from: first, to: shown)
        try transaction.execute(
            """
            UPDATE crash_groups SET title = p.title, culprit = p.culprit, platform = p.platform, level = p.level,
                status = p.status, event_count = p.event_count, first_seen_at = p.first_seen_at,
                last_seen_at = p.last_seen_at, rank = p.rank, marks = p.marks, marked_day = p.marked_day,
                decided_at = p.decided_at, regressed_at = p.regressed_at, revision = crash_groups.revision + 1,
                symbol_key = p.symbol_key, is_parted = p.is_parted
            FROM crash_groups p WHERE crash_groups.id = ? AND p.id = ?
            """, [.blob(shown), .blob(first)])
        try transaction.execute("DELETE FROM crash_groups WHERE id = ?", [.blob(first)])
        try transaction.execute("UPDATE crash_groups SET group_key = ? WHERE id = ?", [.blob(key), .blob(shown)])
        try transaction.execute(
            "UPDATE crash_groups SET merged_into = NULL, revision = revision + 1 WHERE merged_into = ?",
            [.blob(shown)])
    }

    private func key(of group: [UInt8]) throws -> [UInt8] {
        let key = try transaction.first("SELECT group_key FROM crash_groups WHERE id = ?", [.blob(group)]) {
            try $0.blob(0)
        }
        guard let key else { throw SQLError(code: .corrupt, number: 0, context: "crash group of a part is missing") }
        return key
    }

    private func move(from group: [UInt8], to other: [UInt8]) throws {
        for table in ["crash_group_releases", "crash_group_days", "crash_samples"] {
            try transaction.execute(
                "UPDATE \(table) SET group_id = ? WHERE group_id = ?", [.blob(other), .blob(group)])
        }
    }

    /// Writes the sums of the parts. It is open while one of them is, and ignored if all are.
    private func addUp(_ shown: [UInt8]) throws {
        let parts = "FROM crash_groups p WHERE p.merged_into = crash_groups.id"
        try transaction.execute(
            """
            UPDATE crash_groups SET event_count = (SELECT sum(p.event_count) \(parts)),
                first_seen_at = (SELECT min(p.first_seen_at) \(parts)),
                last_seen_at = (SELECT max(p.last_seen_at) \(parts)),
                rank = (SELECT max(p.rank) \(parts)),
                decided_at = (SELECT max(p.decided_at) \(parts)),
                regressed_at = (SELECT max(p.regressed_at) \(parts)),
                symbol_key = (SELECT p.symbol_key \(parts) AND p.symbol_key IS NOT NULL LIMIT 1),
                status = CASE WHEN EXISTS (SELECT 1 \(parts) AND p.status = 'open') THEN 'open'
                    WHEN EXISTS (SELECT 1 \(parts) AND p.status = 'resolved') THEN 'resolved' ELSE 'ignored' END,
                revision = revision + 1
            WHERE id = ?
            """, [.blob(shown)])
        try transaction.execute("DELETE FROM crash_group_releases WHERE group_id = ?", [.blob(shown)])
        try transaction.execute("DELETE FROM crash_group_days WHERE group_id = ?", [.blob(shown)])
        try transaction.execute(
            """
            INSERT INTO crash_group_releases (group_id, release_id, event_count, last_seen_at)
            SELECT p.merged_into, r.release_id, sum(r.event_count), max(r.last_seen_at)
            FROM crash_group_releases r JOIN crash_groups p ON p.id = r.group_id
            WHERE p.merged_into = ? GROUP BY p.merged_into, r.release_id
            """, [.blob(shown)])
        try transaction.execute(
            """
            INSERT INTO crash_group_days (group_id, day_number, event_count)
            SELECT p.merged_into, d.day_number, sum(d.event_count)
            FROM crash_group_days d JOIN crash_groups p ON p.id = d.group_id
            WHERE p.merged_into = ? GROUP BY p.merged_into, d.day_number
            """, [.blob(shown)])
    }
}
