public import Foundation
import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

/// What was a deleted person's.
public struct DepartedPerson: Sendable, Hashable {
    /// A part of a subscription, at today's price.
    public struct Part: Sendable, Hashable {
        /// The subscription that is shared with them.
        public var subscriptionID: UUID
        /// The name of the subscription.
        public var name: String
        /// Their part of the price of one charge; never 0.
        public var amount: Money
    }

    /// An open balance in a group.
    public struct Balance: Sendable, Hashable {
        /// The group with the open balance.
        public var groupID: UUID
        /// The name of the group.
        public var name: String
        /// Positive when the group owes them, negative when they owe.
        public var amount: Money
        /// What of the group is open between them and the owner, positive when the owner owes; nil when nothing is.
        public var withOwner: Money?
    }

    /// What is open between them and one other person, outside of groups.
    public struct Open: Sendable, Hashable {
        /// The person who owes.
        public var from: UUID
        /// The person who is owed.
        public var to: UUID
        /// How much is owed; positive.
        public var amount: Money
        /// The day since which it has been open in this direction.
        public var since: CalendarDay
    }

    /// Sorted by name.
    public var parts: [Part] = []
    /// Who still has to give money to whom; sorted by person and currency.
    public var open: [Open] = []
    /// Sorted by name and currency.
    public var balances: [Balance] = []

    init(_ person: UUID, _ session: any SQLSession, today: CalendarDay) throws {
        let shared = try session.query(
            """
            SELECT id FROM subscriptions WHERE num IN (SELECT subscription FROM shares WHERE parts LIKE ?1 \
            UNION SELECT subscription FROM share_periods WHERE parts LIKE ?1 AND is_removed = 0)
            """,
            [.text("%\(person.lowercased)%")]
        ) { try $0.uuid(0) }
        for id in shared {
            guard let share = try SharePlan(id, session, today: today).current else { continue }
            let subscription = try SubscriptionTable(session).load(id)
            let price = subscription.price(on: today)
            // Fixed parts that exceed the price are undefined.
            guard !share.exceeds(price),
                let part = try share.parts(of: price).others.first(where: { $0.personID == person }),
                part.minorUnits != 0
            else { continue }
            parts.append(
                Part(
                    subscriptionID: id, name: subscription.name,
                    amount: Money(minorUnits: part.minorUnits, currency: price.currency)))
        }
        parts.sort { ($0.name, $0.subscriptionID.lowercased) < ($1.name, $1.subscriptionID.lowercased) }
        let debts = try DebtReader(session: session, today: today).all()
        let mine = debts.openParts(from: Person.me, to: person)
        let direct = debts.filter { $0.groupID == nil }
        open = direct.balances(of: person).map { balance in
            let units = balance.amount.minorUnits
            // Positive when the other one owes.
            let (from, to) = units > 0 ? (balance.personID, person) : (person, balance.personID)
            let amount = Money(minorUnits: abs(units), currency: balance.amount.currency)
            return Open(from: from, to: to, amount: amount, since: balance.since)
        }
        var groups: [UUID: [Currency: Balances]] = [:]
        for row in try session.query(EntityTables.expenses.selectAll, [], EntityTables.expenses.read) {
            let expense = try GroupExpense(row)
            guard !expense.isSettled else { continue }
            groups[expense.groupID, default: [:]][expense.amount.currency, default: Balances()]
                .add(paid: expense.payers, parts: try expense.split.parts(of: expense.amount))
        }
        for repayment in try DebtReader.repayments(session) {
            guard let group = repayment.groupID else { continue }
            groups[group, default: [:]][repayment.amount.currency, default: Balances()].add(
                Transfer(from: repayment.from, to: repayment.to, minorUnits: repayment.amount.minorUnits))
        }
        for (group, currencies) in groups {
            let name = try PersonGroup.load(group, in: session).name
            for (currency, balance) in currencies {
                guard let minorUnits = balance.minorUnits[person], minorUnits != 0 else { continue }
                balances.append(
                    Balance(
                        groupID: group, name: name, amount: Money(minorUnits: minorUnits, currency: currency),
                        withOwner: mine.first { $0.groupID == group && $0.amount.currency == currency }?.amount))
            }
        }
        balances.sort {
            ($0.name, $0.groupID.lowercased, $0.amount.currency.code)
                < ($1.name, $1.groupID.lowercased, $1.amount.currency.code)
        }
    }
}
