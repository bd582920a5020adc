import SQLDatabase
import SubGuardDomain

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
