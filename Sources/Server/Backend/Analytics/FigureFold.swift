import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// The changes of a transaction to the figures, collected in memory and written once by ``save(in:)``.
struct FigureFold {
    /// Times before it are counted by day only.
    let horizon: UTCInstant
    private(set) var days: [Int64: FigureCounts] = [:]
    private(set) var minutes: [Int64: FigureCounts] = [:]
    private var subscriptionMoments: [Int64: Int64] = [:]
    private var items: [UUID: Int64] = [:]
    private var totals = FigureCounts()

    init(now: UTCInstant) { horizon = FigureRetention.horizon(at: now) }

    mutating func add(_ figure: Figure, _ count: Int64, at instant: UTCInstant) {
        var counts = FigureCounts()
        counts[figure] = count
        add(counts, at: instant)
    }

    mutating func add(_ counts: FigureCounts, at instant: UTCInstant) {
        totals += counts
        days[FigureTable.days.row(of: instant), default: FigureCounts()] += counts
        guard instant >= horizon else { return }
        minutes[FigureTable.minutes.row(of: instant), default: FigureCounts()] += counts
    }

    /// Counts what an event of that name adds besides its user, `times` times; -1 removes it.
    mutating func count(_ name: String, item: UUID?, at instant: UTCInstant, times: Int64 = 1) {
        switch name {
        case "subscription_added":
            countSubscription(times, at: instant)
            if let item { items[item, default: 0] += times }
        case "subscription_removed": countSubscription(-times, at: instant)
        default: break
        }
    }

    private mutating func countSubscription(_ change: Int64, at instant: UTCInstant) {
        add(.subscriptions, change, at: instant)
        guard instant >= horizon else { return }
        subscriptionMoments[instant.millisecondsSinceEpoch, default: 0] += change
    }

    func save(in transaction: any SQLTransaction) throws {
        try save(days, in: .days, transaction)
        try save(minutes, in: .minutes, transaction)
        try transaction.execute(
            Self.momentAddition,
            rows: subscriptionMoments.sorted { $0.key < $1.key }.filter { $0.value != 0 }
                .map { [.integer($0.key), .integer($0.value)] })
        try transaction.execute(Self.itemAddition, rows: items.map { [.uuid($0.key), .integer($0.value)] })
        try UserTotals.add(totals, in: transaction)
    }

    /// Deletes rows that ``save(in:)`` has set to zero.
    func removeEmptyRows(in transaction: any SQLTransaction) throws {
        for (table, rows) in [(FigureTable.days, days), (.minutes, minutes)] {
            try transaction.execute(table.removal, rows: rows.keys.sorted().map { [.integer($0)] })
        }
        try transaction.execute(
            Self.momentRemoval, rows: subscriptionMoments.keys.sorted().map { [.integer($0)] })
        try transaction.execute(Self.itemRemoval, rows: items.keys.map { [.uuid($0)] })
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

    private static let momentAddition = SQLBatchStatement.insertion(
        into: "subscription_moments", [.integer("occurred_at"), .integer("change")],
        conflict: """
            ON CONFLICT (occurred_at) DO UPDATE SET change = subscription_moments.change + excluded.change
            """)

    private static let momentRemoval = SQLBatchStatement.removal(
        from: "subscription_moments", by: [.integer("occurred_at")], where: "change = 0")
    private static let itemRemoval = SQLBatchStatement.removal(
        from: "item_additions", by: [.blob("item_id")], where: "addition_count = 0")

    private static let itemAddition = SQLBatchStatement.insertion(
        into: "item_additions", [.blob("item_id"), .integer("addition_count")],
        conflict: """
            ON CONFLICT (item_id)
            DO UPDATE SET addition_count = item_additions.addition_count + excluded.addition_count
            """)
}
