import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

extension StoreDifferences.Kind {
    /// Nil for a table whose rows belong to others.
    init?(_ table: EntityTable) {
        guard let kind = Self.allCases.first(where: { $0.table.name == table.name }) else { return nil }
        self = kind
    }

    var table: EntityTable {
        switch self {
        case .subscription: EntityTables.subscriptions
        case .person: EntityTables.people
        case .group: EntityTables.groups
        case .expense: EntityTables.expenses
        case .transaction: EntityTables.transactions
        case .repayment: EntityTables.repayments
        case .budget: EntityTables.budgets
        case .rate: EntityTables.ownRates
        case .receipt: EntityTables.receipts
        }
    }

    /// A description of a row for people.
    func side(_ row: EntityRow, _ unit: UnitOfWork) throws -> StoreDifferences.Side {
        let value = { (name: String) in row.values[table.place(of: name)] }
        let text = { (name: String) -> MergeChange.Value in
            if case .text(let text) = value(name), !text.isEmpty { .text(text) } else { .none }
        }
        switch self {
        case .subscription:
            guard case .blob(let bytes) = row.key[0], let id = UUID(rawBytes: bytes) else { break }
            let subscription = try unit.subscriptions.load(id)
            return StoreDifferences.Side(
                name: .text(subscription.name),
                facts: [
                    .money(subscription.price(on: unit.today)), .cycle(subscription.cycle),
                    .status(subscription.status(on: unit.today)),
                ])
        case .person, .group, .receipt: return StoreDifferences.Side(name: text("name"), facts: [])
        case .expense: return StoreDifferences.Side(name: text("title"), facts: [money(row), day(value("spent_on"))])
        case .transaction:
            return StoreDifferences.Side(name: text("title"), facts: [money(row), day(value("booked_on"))])
        case .repayment:
            let (from, to) = (try name(value("from_id"), unit), try name(value("to_id"), unit))
            return StoreDifferences.Side(name: .text(.arrow(from, to)), facts: [money(row), day(value("paid_on"))])
        case .budget:
            var facts = [money(row)]
            if case .text(let period) = value("period"), let period = Budget.Period(rawValue: period) {
                facts.append(.period(period))
            }
            return StoreDifferences.Side(name: try target(value("scope"), value("category")), facts: facts)
        case .rate:
            if case .text(let code) = row.key[0] {
                return StoreDifferences.Side(name: .text(code), facts: [text("rate"), day(row.key[1])])
            }
        }
        return StoreDifferences.Side(name: .none, facts: [])
    }

    private func money(_ row: EntityRow) -> MergeChange.Value {
        guard case .integer(let units) = row.values[table.place(of: "amount")],
            case .text(let code) = row.values[table.place(of: "currency")], let currency = Currency(code: code)
        else { return .none }
        return .money(Money(minorUnits: units, currency: currency))
    }

    private func day(_ value: SQLValue) -> MergeChange.Value {
        guard case .integer(let days) = value, let day = CalendarDay(daysSinceEpoch: Int(days)) else { return .none }
        return .day(day)
    }

    private func name(_ person: SQLValue, _ unit: UnitOfWork) throws -> String {
        let sql = "SELECT name FROM people WHERE id = ?1 UNION ALL SELECT name FROM former_people WHERE id = ?1 LIMIT 1"
        return try unit.session.first(sql, [person]) { try $0.text(0) } ?? "–"
    }

    private func target(_ scope: SQLValue, _ category: SQLValue) throws -> MergeChange.Value {
        if case .text(let text) = scope, let scope = SubscriptionScope(rawValue: text) { return .scope(scope) }
        if case .text(let text) = category, !text.isEmpty { return .category(try SubscriptionCategory(text)) }
        return .none
    }
}
