import EventLog
import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Changes to the figures, collected in memory and written together.
struct FigureFold {
    /// Moments before it are counted by the day only.
    let horizon: UTCInstant
    let calendar: ReportCalendar
    private(set) var days: [Int64: FigureCounts] = [:]
    private(set) var changes: [MomentChange] = []
    /// The hours of changes that were taken out.
    private var takenHours: [Int64: FigureCounts] = [:]
    private(set) var items: [UUID: Int64] = [:]
    private(set) var eventDays: [EventDay: Int64] = [:]
    var activity = ActivityChanges()
    var funnels: FunnelChanges

    /// The events of a name on a day.
    struct EventDay: Hashable {
        let nameID: Int64
        let dayNumber: Int64
    }

    init(now: UTCInstant, _ calendar: ReportCalendar) {
        horizon = FigureRetention.horizon(at: now)
        self.calendar = calendar
        funnels = FunnelChanges(calendar)
    }

    /// Counts by the day only, for figures of hours and moments that stay as they are.
    init(daysOf calendar: ReportCalendar) {
        horizon = .latest
        self.calendar = calendar
        funnels = FunnelChanges(calendar)
    }

    mutating func add(_ figures: FigureSet, _ count: Int64, at instant: UTCInstant) {
        guard !figures.isEmpty, count != 0 else { return }
        days[calendar.number(of: instant), default: FigureCounts()].add(figures, count)
        if instant >= horizon { changes.append(MomentChange(at: instant, figures: figures, count: count)) }
    }

    /// Counts what an event adds besides its user, `times` times; -1 removes it.
    mutating func count(_ name: String, nameID: Int64, item: UUID?, at instant: UTCInstant, times: Int64 = 1) {
        switch name {
        case "subscription_added":
            add(FigureSet(.subscriptions), times, at: instant)
            if let item { items[item, default: 0] += times }
        case "subscription_removed": add(FigureSet(.subscriptions), -times, at: instant)
        default: break
        }
        eventDays[EventDay(nameID: nameID, dayNumber: calendar.number(of: instant)), default: 0] += times
    }

    /// Takes out the changes, which the caller stores by the moment. By the hour they stay.
    mutating func takeChanges() -> [MomentChange] {
        takenHours = hours
        defer { changes = [] }
        return changes
    }

    /// Adds everything of another one.
    mutating func add(_ other: FigureFold) throws {
        try add(packed: other.packed)
        takenHours.merge(other.takenHours) { $0 + $1 }
    }

    /// The changes by the hour.
    var hours: [Int64: FigureCounts] {
        var hours = takenHours
        for change in changes {
            hours[MomentRun.hour(of: change.at), default: FigureCounts()].add(change.figures, change.count)
        }
        return hours
    }

    /// Empties the tables of the figures that ``save(in:)`` adds to, but for the changes by the moment.
    static func clear(in transaction: any SQLTransaction) throws {
        for table in FigureTable.allCases { try transaction.execute(table.clearing) }
        try transaction.execute("DELETE FROM item_additions")
        try transaction.execute("DELETE FROM event_days")
        try transaction.execute("DELETE FROM funnel_days")
        try transaction.execute("DELETE FROM activity_days")
        try transaction.execute("DELETE FROM figure_totals")
        try transaction.execute("INSERT INTO figure_totals (id, users, conversions, subscriptions) VALUES (1, 0, 0, 0)")
    }

    func save(in transaction: any SQLTransaction) throws {
        try save(days, in: .days, transaction)
        try save(hours, in: .hours, transaction)
        try MomentTable.add(changes, in: transaction)
        try transaction.execute(
            Self.itemAddition, rows: items.filter { $0.value != 0 }.map { [.uuid($0.key), .integer($0.value)] })
        try transaction.execute(
            Self.eventAddition,
            rows: eventDays.filter { $0.value != 0 }
                .map { [.integer($0.key.nameID), .integer($0.key.dayNumber), .integer($0.value)] })
        try activity.save(in: transaction)
        try funnels.save(in: transaction)
        try UserTotals.add(days.values.reduce(into: FigureCounts()) { $0 += $1 }, in: transaction)
    }

    /// Removes rows that ``save(in:)`` has set to zero.
    func removeEmptyRows(in transaction: any SQLTransaction) throws {
        for (table, rows) in [(FigureTable.days, days), (.hours, hours)] {
            try transaction.execute(table.removal, rows: rows.keys.sorted().map { [.integer($0)] })
        }
        try activity.removeEmptyRows(in: transaction)
        try transaction.execute(Self.itemRemoval, rows: items.keys.map { [.uuid($0)] })
        try transaction.execute(
            Self.eventRemoval, rows: eventDays.keys.map { [.integer($0.nameID), .integer($0.dayNumber)] })
    }

    private func save(
        _ rows: [Int64: FigureCounts], in table: FigureTable, _ transaction: any SQLTransaction
    ) throws {
        // In the order of the table, so that neighbouring rows share a page.
        try transaction.execute(
            table.addition,
            rows: rows.sorted { $0.key < $1.key }.filter { !$0.value.isZero }
                .map { [.integer($0.key)] + $0.value.values })
    }

    private static let itemRemoval = SQLBatchStatement.removal(
        from: "item_additions", by: [.blob("item_id")], where: "addition_count = 0")

    private static let itemAddition = SQLBatchStatement.insertion(
        into: "item_additions", [.blob("item_id"), .integer("addition_count")],
        conflict: """
            ON CONFLICT (item_id)
            DO UPDATE SET addition_count = item_additions.addition_count + excluded.addition_count
            """)

    private static let eventAddition = SQLBatchStatement.insertion(
        into: "event_days", [.integer("event_name_id"), .integer("day_number"), .integer("event_count")],
        conflict: """
            ON CONFLICT (event_name_id, day_number)
            DO UPDATE SET event_count = event_days.event_count + excluded.event_count
            """)

    private static let eventRemoval = SQLBatchStatement.removal(
        from: "event_days", by: [.integer("event_name_id"), .integer("day_number")], where: "event_count = 0")
}

/// What the steps of a fold have counted, until its last one publishes it: rows of `fold_changes`.
extension FigureFold {
    /// Keeps the changes of a step.
    func stage(in transaction: any SQLTransaction) throws {
        try transaction.execute(
            "INSERT INTO fold_changes (number, changes) SELECT coalesce(max(number), 0) + 1, ? FROM fold_changes",
            [.blob(packed)])
    }

    /// Adds what was staged.
    mutating func addStaged(in session: any SQLSession) throws {
        try session.forEach("SELECT changes FROM fold_changes ORDER BY number", []) { row in
            try add(packed: try row.blob(0))
        }
    }

    static func removeStaged(in transaction: any SQLTransaction) throws {
        try transaction.execute("DELETE FROM fold_changes")
    }

    private var packed: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(packed: days.count)
        for (day, counts) in days {
            bytes.append(packedSigned: day)
            for figure in Figure.allCases { bytes.append(packedSigned: counts[figure]) }
        }
        bytes.append(packed: changes.count)
        for change in changes {
            bytes.append(packedSigned: change.at.millisecondsSinceEpoch)
            bytes.append(packed: UInt64(change.figures.rawValue))
            bytes.append(packedSigned: change.count)
        }
        bytes.append(packed: items.count)
        for (item, count) in items {
            bytes += item.rawBytes
            bytes.append(packedSigned: count)
        }
        bytes.append(packed: eventDays.count)
        for (day, count) in eventDays {
            bytes.append(packedSigned: day.nameID)
            bytes.append(packedSigned: day.dayNumber)
            bytes.append(packedSigned: count)
        }
        let activity = activity.rows
        bytes.append(packed: activity.count)
        for (day, row) in activity {
            bytes.append(packedSigned: day)
            for index in ActivityChanges.lengths.indices { bytes.append(packedSigned: row[index]) }
        }
        funnels.pack(into: &bytes)
        return bytes
    }

    private mutating func add(packed bytes: [UInt8]) throws {
        do {
            try bytes.withUnsafeBytes { bytes in
                var reader = PackedReader(bytes)
                for _ in 0..<(try reader.count(of: 1)) {
                    let day = try reader.signedNumber()
                    var counts = FigureCounts()
                    for figure in Figure.allCases { counts[figure] = try reader.signedNumber() }
                    days[day, default: FigureCounts()] += counts
                }
                for _ in 0..<(try reader.count(of: 3)) {
                    let at = UTCInstant(millisecondsSinceEpoch: try reader.signedNumber())
                    let figures = FigureSet(rawValue: UInt16(truncatingIfNeeded: try reader.number()))
                    changes.append(MomentChange(at: at, figures: figures, count: try reader.signedNumber()))
                }
                for _ in 0..<(try reader.count(of: 17)) {
                    guard let item = UUID(rawBytes: Array(try reader.take(16))) else { throw PackedReader.malformed }
                    items[item, default: 0] &+= try reader.signedNumber()
                }
                for _ in 0..<(try reader.count(of: 3)) {
                    let day = EventDay(nameID: try reader.signedNumber(), dayNumber: try reader.signedNumber())
                    eventDays[day, default: 0] &+= try reader.signedNumber()
                }
                for _ in 0..<(try reader.count(of: 5)) {
                    let day = try reader.signedNumber()
                    var row = ActivityChanges.Row()
                    for index in ActivityChanges.lengths.indices { row[index] = try reader.signedNumber() }
                    activity.add(row, on: day)
                }
                try funnels.add(from: &reader)
            }
        } catch is EventBlockError {
            throw SQLError.malformed("fold_changes")
        }
    }
}
