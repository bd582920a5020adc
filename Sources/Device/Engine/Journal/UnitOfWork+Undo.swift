import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Takes changes of the journal back, or makes them again.
///
/// For other devices both are edits like any other: a value gets the present time. Only values that still hold what the
/// change wrote are touched. A dated row that is taken back is marked, so that it does not return from another device.
/// Another row is deleted, and withdrawn when it was added here. When it comes back it keeps its timestamps, because a
/// missing row says nothing to others.
///
/// A merge or a restore brought what others entered: taken back, the values have their former timestamps again, and
/// what came is deleted, as if it had never come. Nothing is taken from the others, and the next merge brings it again.
struct JournalReplay {
    enum Direction { case undo, redo }

    let unit: UnitOfWork
    let direction: Direction
    private let stamp: String
    private(set) var left: [JournalRest] = []
    /// Whether the rows came from a merge or a restore, so that timestamps are part of the state to come to.
    private var isOfOthers = false
    private var touched: Set<UUID> = []
    /// The subscriptions that include others.
    private var bundles: Set<UUID> = []
    /// The subscriptions that the change added, or adds again no longer.
    private var leaving: Set<UUID> = []
    /// From when the schedules held until now, by subscription.
    private var heldFrom: [UUID: CalendarDay] = [:]

    init(_ unit: UnitOfWork, _ direction: Direction) throws {
        self.unit = unit
        self.direction = direction
        stamp = try unit.stamp().wire
    }

    private var session: any SQLTransaction { unit.session }

    /// The change from the present to the wanted state.
    private struct Step {
        let table: EntityTable
        let key: [SQLValue]
        /// What the row holds if nothing else changed it.
        let expected: JournalImage?
        let target: JournalImage?

        var subscription: UUID? {
            guard table.isOfSubscription, case .blob(let bytes)? = key.first else { return nil }
            return UUID(rawBytes: bytes)
        }
    }

    mutating func replay(_ entry: JournalEntry) throws {
        isOfOthers = [.merged, .restored].contains(entry.kind)
        var steps: [Step] = []
        let sql = "SELECT name, before, after FROM journal_records WHERE entry = ? ORDER BY position"
        let records = try session.query(sql, [.integer(entry.id)]) { row in
            (name: try row.text(0), before: try row.optionalText(1), after: try row.optionalText(2))
        }
        for record in records {
            let (old, new) = direction == .undo ? (record.after, record.before) : (record.before, record.after)
            if record.name == ChangedSetting.table {
                try set(old, new)
                continue
            }
            guard let table = EntityTables.named(record.name) else { throw SQLError.malformed("journal") }
            // An undo withdraws what it takes back.
            guard isOfOthers || !table.isOfWithdrawals else { continue }
            let (expected, target) = (try old.map { try table.image($0) }, try new.map { try table.image($0) })
            let key = (expected ?? target)?.row.key ?? []
            steps.append(Step(table: table, key: key, expected: expected, target: target))
        }
        leaving = Set(
            steps.filter { $0.target == nil && $0.table.name == EntityTables.subscriptions.name }
                .compactMap(\.subscription))
        // Parents before children; deletions last and the other way round.
        let grouped = Dictionary(grouping: steps) { $0.table.name }
        for table in EntityTables.all {
            for step in grouped[table.name] ?? [] where step.target != nil { try write(step) }
        }
        try readBundles()
        // Before any of them goes: what refers to it changes with it.
        var removals: [(step: Step, row: EntityRow)] = []
        for table in EntityTables.all.reversed() {
            for step in grouped[table.name] ?? [] where step.target == nil {
                if let row = try removable(step) { removals.append((step, row)) }
            }
        }
        for (step, row) in removals { try remove(step, row) }
        try rebuild()
    }

    private mutating func write(_ step: Step) throws {
        guard let target = step.target else { return }
        touch(step)
        guard var row = try step.table.presentRow(step.key, in: session) else {
            // Gone, or never there: with its subscription, the row has nowhere to be.
            guard step.expected == nil, let key = try step.table.presentKey(step.key, in: session) else {
                return try leave(step)
            }
            return try insert(target, key, step.table)
        }
        if step.table.name == EntityTables.subscriptions.name, let id = step.subscription {
            heldFrom[id] = try Subscription(row).trackedFrom
        }
        guard let expected = step.expected else {
            if step.table.isAbsence(row.values) {
                guard isOfOthers else {
                    try step.table.save(row.key, target.row.values, in: unit)
                    return
                }
                let stamps = honest(target.row.stamps, step.table)
                try step.table.update(
                    EntityRow(key: row.key, values: target.row.values, stamps: stamps), in: session)
                return
            }
            if row.values != target.row.values { try leave(step) }
            return
        }
        var isChanged = false
        let stamps = honest(target.row.stamps, step.table)
        for register in step.table.registers {
            let wanted = target.row.values[register.columns]
            guard
                wanted != expected.row.values[register.columns]
                    || isOfOthers && stamps[register.name] != expected.row.stamps[register.name]
            else { continue }
            guard row.values[register.columns] == expected.row.values[register.columns] else {
                if row.values[register.columns] != wanted { try leave(step, field: register.name) }
                continue
            }
            row.values.replaceSubrange(register.columns, with: wanted)
            row.stamps[register.name] = isOfOthers ? stamps[register.name] : stamp
            isChanged = true
        }
        guard isChanged else { return }
        // A register without a timestamp, which the program set, can stand beside one of a person.
        row.stamps.normalise(step.table.registers.map(\.name))
        try step.table.update(row, in: session)
    }

    private func insert(_ image: JournalImage, _ key: [SQLValue], _ table: EntityTable) throws {
        let row = EntityRow(key: key, values: image.row.values, stamps: honest(image.row.stamps, table))
        try table.insert(row, in: session)
        if table.isWithdrawable, !isOfOthers { try unit.readmit(table, row) }
        guard table.name == EntityTables.subscriptions.name else { return }
        // Events of what a merge or a restore brought are those of the device that added it.
        if !isOfOthers { try unit.noteAdded(try Subscription(row)) }
        guard let number = image.number else { return }
        // Back to its place, if that is still free.
        let place = """
            UPDATE subscriptions SET num = ?1 WHERE id = ?2 AND NOT EXISTS (SELECT 1 FROM subscriptions WHERE num = ?1)
            """
        try session.execute(place, [.integer(number)] + key)
    }

    /// The timestamps of an image. What the clock of then wrote ahead has the present time, as after a repair.
    private func honest(_ stamps: Stamps, _ table: EntityTable) -> Stamps {
        var stamps = stamps
        for register in table.registers {
            guard let at = HybridTimestamp(wire: stamps[register.name]), at > unit.bound else { continue }
            stamps[register.name] = stamp
        }
        stamps.normalise(table.registers.map(\.name))
        return stamps
    }

    /// The row that a step removes; nil when there is none, or something else changed it.
    private mutating func removable(_ step: Step) throws -> EntityRow? {
        touch(step)
        guard let expected = step.expected, let row = try step.table.presentRow(step.key, in: session),
            !step.table.isAbsence(row.values)
                || (isOfOthers || row.isPosted(in: step.table)) && row.stamps == expected.row.stamps
        else { return nil }
        let changed = step.table.registers.filter { register in
            // The program itself follows merged items of the catalogue.
            register.name != "catalogue_item_id"
                && row.values[register.columns] != expected.row.values[register.columns]
        }
        guard changed.isEmpty else {
            try leave(step)
            return nil
        }
        return row
    }

    private mutating func remove(_ step: Step, _ row: EntityRow) throws {
        guard let key = try step.table.presentKey(step.key, in: session) else { return }
        if step.table.name == EntityTables.subscriptions.name, let id = step.subscription {
            try touchParts(of: id)
        }
        // What goes with its subscription needs no mark.
        let isMarked = !isOfOthers && step.subscription.map { !leaving.contains($0) } ?? true
        if isMarked, !row.isPosted(in: step.table), let values = try step.table.absence(row.values, key, in: session) {
            try step.table.save(key, values, in: unit)
        } else {
            try session.execute(step.table.deleteSQL, key)
            guard !isOfOthers else { return }
            if step.table.name == EntityTables.subscriptions.name { try unit.noteRemoved(try Subscription(row)) }
            if direction == .undo, step.table.isWithdrawable { try unit.withdraw(step.table, step.key[0]) }
        }
    }

    /// The setting goes back to the value that it had, if it still has the one of the change.
    private mutating func set(_ old: String?, _ new: String?) throws {
        let (old, new) = (old.map(JournalDetails.init(wire:)), new.map(JournalDetails.init(wire:)))
        guard let name = new?.name else { return }
        guard try Settings(session).value(name) == old?.value else {
            left.append(JournalRest(table: ChangedSetting.table, name: name, field: nil))
            return
        }
        try Settings.set(new?.value, for: name, in: session)
    }

    private mutating func leave(_ step: Step, field: String? = nil) throws {
        let name = try step.subscription.flatMap { id in
            try session.first("SELECT name FROM subscriptions WHERE id = ?", [.uuid(id)]) { try $0.text(0) }
        }
        let image = step.target ?? step.expected
        let own = ["name", "title"].lazy.compactMap { column -> String? in
            guard let place = step.table.columns.firstIndex(where: { $0.name == column }),
                case .text(let text)? = image?.row.values[place]
            else { return nil }
            return text
        }.first
        left.append(JournalRest(table: step.table.name, name: name ?? own, field: field))
    }

    // MARK: Projection

    private mutating func touch(_ step: Step) {
        if let id = step.subscription { touched.insert(id) }
    }

    private mutating func readBundles() throws {
        let sql = "SELECT DISTINCT bundled_in FROM subscriptions WHERE bundled_in IS NOT NULL"
        bundles = Set(try session.query(sql) { try $0.uuid(0) })
    }

    /// What is paid through a bundle depends on it.
    private mutating func touchParts(of id: UUID) throws {
        guard bundles.contains(id) else { return }
        let sql = "SELECT id FROM subscriptions WHERE bundled_in = ?"
        touched.formUnion(try session.query(sql, [.uuid(id)]) { try $0.uuid(0) })
    }

    private mutating func rebuild() throws {
        try readBundles()
        for id in touched { try touchParts(of: id) }
        let projection = SubscriptionProjection(session: session, today: unit.today)
        for id in touched {
            guard let number = try unit.subscriptions.number(of: id) else { continue }
            let subscription = try unit.subscriptions.load(id)
            // What was true before needs no check; a mixture with later values does.
            if !left.isEmpty { _ = try subscription.validated() }
            // The schedule that ends is kept, the earlier one is derived again.
            if let day = heldFrom[id] { try projection.releaseKept(of: subscription, number: number, before: day) }
            try projection.keepPosted(of: subscription, number: number)
            try projection.rebuild(subscription, number: number)
        }
        touched = []
        heldFrom = [:]
    }
}

extension EntityRow {
    /// Whether the program posted this charge, and no person acted upon it. It is deleted with its schedule: kept, it
    /// would be a missed charge that there never was.
    fileprivate func isPosted(in table: EntityTable) -> Bool {
        table.name == EntityTables.ledger.name && values.dropFirst().allSatisfy { $0 == .null }
            && [Stamps(base: "", wire: ""), Stamps(base: SubscriptionProjection.keptStamp, wire: "")].contains(stamps)
    }
}
