import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Reads backups of version 1, as the migration `dated-facts` reads databases of that time.
///
/// - A price in another currency than its subscription's had been overtaken by a change of the currency.
/// - Recorded payments had the currency of their subscription.
/// - Posted charges before the subscription's schedule cannot be derived from it.
enum BackupVersion1 {
    static func convert(_ tables: inout [String: [EntityRow]]) throws {
        var known: [SQLValue: (code: SQLValue, trackedFrom: Int64)] = [:]
        let (code, tracked) = (
            EntityTables.subscriptions.place(of: "currency"), EntityTables.subscriptions.place(of: "tracked_from")
        )
        for row in tables[EntityTables.subscriptions.name] ?? [] {
            guard case .integer(let day) = row.values[tracked] else { continue }
            known[row.key[0]] = (row.values[code], day)
        }
        let priceCode = EntityTables.prices.place(of: "currency")
        tables[EntityTables.prices.name]?.removeAll { row in
            known[row.key[0]].map { $0.code != row.values[priceCode] } ?? false
        }
        let (paid, paidCode) = (
            EntityTables.ledger.place(of: "paid"), EntityTables.ledger.place(of: "paid_currency")
        )
        var rows = tables[EntityTables.ledger.name] ?? []
        for index in rows.indices {
            guard let subscription = known[rows[index].key[0]] else { continue }
            if rows[index].values[paid] != .null {
                rows[index].values[paidCode] = subscription.code
            } else if rows[index].stamps == Stamps(base: "", wire: ""), case .integer(let day) = rows[index].key[1],
                day < subscription.trackedFrom
            {
                rows[index].stamps.base = SubscriptionProjection.keptStamp
            }
        }
        tables[EntityTables.ledger.name] = rows
    }
}

extension EntityTable {
    /// The place of a column among the values of a row.
    func place(of column: String) -> Int { columns.firstIndex { $0.name == column } ?? 0 }
}

/// Reads backups of version 2, as the migration `scopes` reads databases of that time: `pro` and `personal` were
/// categories.
enum BackupVersion2 {
    static func convert(_ tables: inout [String: [EntityRow]]) {
        convert(EntityTables.subscriptions, &tables, without: .text(SubscriptionCategory.other.wire))
        convert(EntityTables.budgets, &tables, without: .text(""))
    }

    /// - Parameter without: what stands for no category.
    private static func convert(
        _ table: EntityTable, _ tables: inout [String: [EntityRow]], without: SQLValue
    ) {
        let (scope, category) = (table.place(of: "scope"), table.place(of: "category"))
        var rows = tables[table.name] ?? []
        for index in rows.indices {
            // The scope was set when the category was.
            if table.registers.contains(where: { $0.name == "scope" }) {
                rows[index].stamps["scope"] = rows[index].stamps["category"]
            }
            guard case .text(let text) = rows[index].values[category], !text.isEmpty else { continue }
            if let named = SubscriptionScope(named: text) {
                rows[index].values[scope] = .text(named.rawValue)
                rows[index].values[category] = without
            } else if let known = try? SubscriptionCategory(text) {
                rows[index].values[category] = .text(known.wire)
            }
        }
        tables[table.name] = rows
    }
}

/// Reads backups of before the migration `cancellations`, as it reads databases of that time: cancellations were among
/// the other states.
enum MixedStates {
    static func convert(_ tables: inout [String: [EntityRow]]) {
        let cancellations = EntityTables.cancellations.name
        let rows = (tables[EntityTables.states.name] ?? []).map { present($0, in: EntityTables.states) }
        let moved = rows.filter { $0.table.name == cancellations }.map(\.row)
        guard !moved.isEmpty else { return }
        tables[EntityTables.states.name] = rows.filter { $0.table.name != cancellations }.map(\.row)
        let known = Set((tables[cancellations] ?? []).map(\.key))
        tables[cancellations, default: []] += moved.filter { !known.contains($0.key) }
    }

    /// A row in the table that has such rows now. A cancellation without a time of its own gets that of its stamp.
    static func present(_ row: EntityRow, in table: EntityTable) -> (table: EntityTable, row: EntityRow) {
        guard table.name == EntityTables.states.name,
            row.values.first == .count(SubscriptionState.cancelled.rawValue)
        else { return (table, row) }
        var row = row
        let decided = table.place(of: "decided")
        if row.values[decided] == .null { row.values[decided] = .text(row.stamps["state"]) }
        return (EntityTables.cancellations, row)
    }
}
