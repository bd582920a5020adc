import Foundation
import SQLDatabase
public import SubGuardDomain

/// What a restore or an import would change, for people to look at before.
public struct StoreDifferences: Sendable, Hashable {
    /// What is compared, in the order of lists.
    public enum Kind: Int, Sendable, Hashable, CaseIterable {
        /// A subscription with its prices, states and share.
        case subscription
        /// A person with their photo.
        case person
        /// A group with its members.
        case group
        /// A group expense.
        case expense
        /// A single payment or income.
        case transaction
        /// A repayment between two people.
        case repayment
        /// A spending limit.
        case budget
        /// An exchange rate that the user set.
        case rate
        /// The file of a receipt.
        case receipt
    }

    /// One thing as it is on one side.
    public struct Side: Sendable, Hashable {
        /// Its name or title; both people of a repayment, the scope or category of a budget, the currency of a rate.
        public var name: MergeChange.Value
        /// Of a subscription the price of today, the cycle and the status; of a payment the amount and the day.
        public var facts: [MergeChange.Value]
    }

    /// One value that would change back.
    public struct Change: Sendable, Hashable {
        /// The table, such as `prices`.
        public var table: String
        /// The day of a dated price or state.
        public var day: CalendarDay?
        /// The column with its values before and after.
        public var value: MergeChange
    }

    /// A row that differs.
    public struct Difference: Sendable, Hashable {
        /// What differs: a subscription, a person and so on.
        public var kind: Kind
        /// Nil for what would come back, or is new.
        public var before: Side?
        /// Nil for what would disappear.
        public var after: Side?
        /// What would change back, when it is on both sides.
        public var changes: [Change] = []
    }

    /// Differences of one effect: the first ones, by kind and name, and how many there are.
    public struct Group: Sendable, Hashable {
        /// The first ones, by kind and then by name; as many as the preview lists at most.
        public var differences: [Difference] = []
        /// How many there are, listed or not.
        public var count = 0
        /// How many are not listed.
        public var rest: Int { count - differences.count }
    }

    /// How many rows differ.
    public struct Counts: Sendable, Hashable {
        /// Rows that would be added.
        public var appearing = 0
        /// Rows that would be removed.
        public var disappearing = 0
        /// Rows that would get other values.
        public var changing = 0
        /// Whether no row differs.
        public var isEmpty: Bool { appearing == 0 && disappearing == 0 && changing == 0 }
    }

    /// When the backup was made; nil when it does not say so.
    public var madeAt: UTCInstant?
    /// The number of subscriptions now.
    public var subscriptionsBefore = 0
    /// The number of subscriptions after the restore or import.
    public var subscriptionsAfter = 0
    /// What would be added.
    public var appearing = Group()
    /// What would be removed.
    public var disappearing = Group()
    /// What would get other values.
    public var changing = Group()
    /// Charges that the user confirmed, skipped or paid differently.
    public var charges = Counts()
    /// Rows of which people see no difference, such as the place of a member in a list.
    public var others = 0

    /// Whether nothing would change.
    public var isEmpty: Bool {
        appearing.count == 0 && disappearing.count == 0 && changing.count == 0 && charges.isEmpty && others == 0
    }

    init() {}
}

extension BackupDocument {
    /// Every row of the database, with the row numbers of subscriptions.
    static func images(_ session: any SQLSession) throws -> [(table: EntityTable, images: [JournalImage])] {
        let numbers = Dictionary(
            uniqueKeysWithValues: try session.query("SELECT id, num FROM subscriptions") {
                (SQLValue.blob(try $0.blob(0)), try $0.integer(1))
            })
        return try read(session) { _, _ in }.tables.map { table, rows in
            let isNumbered = table.name == EntityTables.subscriptions.name
            return (table, rows.map { JournalImage(number: isNumbered ? numbers[$0.key[0]] : nil, row: $0) })
        }
    }

    /// What a restore changed, for the journal.
    static func changes(
        from before: [(table: EntityTable, images: [JournalImage])],
        to after: [(table: EntityTable, images: [JournalImage])]
    ) -> [JournalChange] {
        zip(before, after).flatMap { old, new in
            var olds = Dictionary(old.images.map { ($0.row.key, $0) }) { first, _ in first }
            var changes = new.images.map { image in
                JournalChange(table: new.table, before: olds.removeValue(forKey: image.row.key), after: image)
            }
            // In the order in which they were.
            changes += old.images.filter { olds[$0.row.key] != nil }
                .map { JournalChange(table: old.table, before: $0, after: nil) }
            return changes.filter(\.isReal)
        }
    }
}

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
            let (from, to) = (try unit.personName(value("from_id")), try unit.personName(value("to_id")))
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

    private func target(_ scope: SQLValue, _ category: SQLValue) throws -> MergeChange.Value {
        if case .text(let text) = scope, let scope = SubscriptionScope(rawValue: text) { return .scope(scope) }
        if case .text(let text) = category, !text.isEmpty { return .category(try SubscriptionCategory(text)) }
        return .none
    }
}

extension UnitOfWork {
    /// The name of a person who is here, or was.
    func personName(_ id: SQLValue) throws -> String {
        let sql = "SELECT name FROM people WHERE id = ?1 UNION ALL SELECT name FROM former_people WHERE id = ?1 LIMIT 1"
        return try session.first(sql, [id]) { try $0.text(0) } ?? "–"
    }
}
