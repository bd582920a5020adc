import Crypto
import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// The id of the budget of a category, currency and period: made from them, so that two devices that set the same budget
/// have the same row, and merging leaves one.
enum BudgetID {
    static func of(_ category: SubscriptionCategory?, _ currency: Currency, _ period: Budget.Period) -> UUID {
        of(category: category?.wire ?? "", currency: currency.code, period: period.rawValue)
    }

    /// From the words of its row. A UUID of version 8 (RFC 9562), which is for such ids.
    static func of(category: String, currency: String, period: String) -> UUID {
        let name = "budget\u{0}\(category)\u{0}\(currency)\u{0}\(period)"
        var high: UInt64 = 0
        var low: UInt64 = 0
        for (index, byte) in SHA256.hash(data: Array(name.utf8)).prefix(16).enumerated() {
            if index < 8 { high = high << 8 | UInt64(byte) } else { low = low << 8 | UInt64(byte) }
        }
        return UUID(high: high & ~0xF000 | 0x8000, low: low & ~(3 << 62) | 1 << 63)
    }
}

extension EntityTable {
    /// The key under which a row is merged. Budgets are the same when they are for the same, whatever id an older version
    /// gave them.
    func mergedKey(_ row: EntityRow) throws -> [SQLValue] {
        guard name == EntityTables.budgets.name else { return row.key }
        var values = ValueReader(row.values)
        let category = try values.text()
        _ = try values.integer()
        return [.uuid(BudgetID.of(category: category, currency: try values.text(), period: try values.text()))]
    }
}
