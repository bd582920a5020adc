public import Foundation
package import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

extension DeviceStore.Sharing {
    /// Everything that one person owes another, or gave another: charges of shared subscriptions until today, expenses
    /// that are not settled, and repayments. Sorted by day.
    public func debts(at moment: Moment) throws -> [Debt] {
        try store.read(at: moment) { try DebtReader(session: $0, today: moment.today).all() }
    }

    /// What is open between the owner and everybody else, per currency; sorted by name and currency.
    public func balances(at moment: Moment) throws -> [PersonBalance] { try balances(of: debts(at: moment)) }

    /// The balances of what ``debts(at:)`` gave, in the order of ``balances(at:)``.
    public func balances(of debts: [Debt]) throws -> [PersonBalance] {
        let names = try names()
        return debts.balances(of: Person.me).sorted {
            (names[$0.personID] ?? "", $0.personID, $0.amount.currency.code)
                < (names[$1.personID] ?? "", $1.personID, $1.amount.currency.code)
        }
    }

    /// Names by id, those of deleted people included.
    public func names() throws -> [UUID: String] { try store.read { try SharingReader($0).names() } }

    /// Makes the owner of the store a person, once, with a name that holds until the owner edits it; a later call
    /// changes nothing.
    public func makeMe(named name: String, at moment: Moment) throws {
        guard try store.read({ try Person.find(Person.me, in: $0) }) == nil else { return }
        // Not in the journal: it comes with the first use of it, which can be undone by itself.
        try store.write(at: moment) { unit in
            guard try Person.find(Person.me, in: unit.session) == nil else { return }
            try unit.save(Person(id: Person.me, name: name, createdAt: moment.now))
        }
    }

    /// Who bears a subscription, from which day on; sorted by day.
    public func periods(of subscription: UUID) throws -> [SharePeriod] {
        try store.read { session in
            guard let number = try SubscriptionTable(session).number(of: subscription) else { return [] }
            return try DebtReader.periods(session, of: number)
        }
    }

    // MARK: Repayments

    /// Adds a repayment, and returns it. Both people and the group must exist. Throws
    /// ``DeviceStoreError/duplicate(_:id:)`` for an id that is there.
    ///
    /// With `findsGroup`, one without a group settles the only group in which the first person owes the second, or in
    /// which the fewest payments go from one to the other; not when they owe something outside of groups.
    @discardableResult
    public func add(_ repayment: Repayment, findsGroup: Bool = false, at moment: Moment) throws -> Repayment {
        try store.write(at: moment, as: .repaymentSaved) { unit in
            var repayment = repayment
            if findsGroup, repayment.groupID == nil {
                repayment.groupID = try SharingReader(unit.session).groupSettled(
                    from: repayment.from, to: repayment.to, in: repayment.amount.currency, today: moment.today)
            }
            try repayment.add(in: unit)
            return repayment
        }
    }

    /// Newest first.
    public func repayments() throws -> [Repayment] { try store.read { try SharingReader($0).repayments() } }
}

extension UnitOfWork {
    /// Writes a validated repayment.
    func write(_ repayment: Repayment) throws {
        try EntityTables.repayments.save(
            [.uuid(repayment.id)],
            [
                .uuid(repayment.from), .uuid(repayment.to), .integer(repayment.amount.minorUnits),
                .text(repayment.amount.currency.code), .day(repayment.paidOn), .uuid(orNull: repayment.groupID),
                .instant(repayment.createdAt),
            ], in: self)
    }

    /// Writes who bears a subscription from a day on.
    func write(_ period: SharePeriod, of number: Int64) throws {
        let split = period.split ?? .unshared
        try EntityTables.sharePeriods.save(
            [.integer(number), .day(period.from)],
            [
                .text(split.kind.rawValue), .text(PersonAmountText.text(split.people, split.weights)), .flag(false),
            ], in: self)
    }
}

/// Reads what people owe each other.
struct DebtReader {
    let session: any SQLSession
    let today: CalendarDay

    func all() throws -> [Debt] {
        var debts = try ofShares()
        for expense in try GroupExpense.all(in: session) { debts += try expense.debts() }
        debts += try Repayment.all(in: session).map(\.debt)
        let names = try session.query("SELECT id, name FROM groups", []) { (try $0.uuid(0), try $0.text(1)) }
        debts = debts.settledAcross(names: Dictionary(names) { one, _ in one })
        return debts.sorted { ($0.on, $0.title, $0.debtor) < ($1.on, $1.title, $1.debtor) }
    }

    private func ofShares() throws -> [Debt] {
        let shared = try session.query(
            """
            SELECT num, id, name FROM subscriptions \
            WHERE num IN (SELECT subscription FROM share_periods WHERE is_removed = 0) ORDER BY num
            """, []
        ) { (number: try $0.integer(0), id: try $0.uuid(1), name: try $0.text(2)) }
        let left = try Self.left(session)
        return try shared.flatMap { subscription -> [Debt] in
            let periods = try Self.periods(session, of: subscription.number)
            guard let first = periods.first?.from else { return [] }
            let charges = try charges(of: subscription.number, from: first)
            let ledger = ShareLedger(subscriptionID: subscription.id, name: subscription.name, periods: periods)
            return ledger.debts(of: charges, owner: Person.me, left: left)
        }
    }

    /// The charges of a subscription until today, in order. Of today, only what was confirmed: an assumed charge is one
    /// that has passed.
    func charges(of number: Int64, from first: CalendarDay) throws -> [(on: CalendarDay, amount: Money)] {
        let sql = """
            SELECT due_day, confirmed + assumed, currency FROM charges \
            WHERE subscription = ? AND due_day >= ? AND due_day <= ? AND (due_day < ? OR fate IN (1, 2)) \
            ORDER BY due_day
            """
        return try session.query(sql, [.integer(number), .day(first), .day(today), .day(today)]) { row in
            (on: try row.day(0), amount: try row.money(1, in: 2))
        }
    }

    /// People who were deleted, with the day from which on they bear nothing.
    static func left(_ session: any SQLSession) throws -> [UUID: CalendarDay] {
        Dictionary(try SharingReader(session).formerPeople().map { ($0.id, $0.leftOn) }) { $1 }
    }

    static func periods(_ session: any SQLSession, of number: Int64) throws -> [SharePeriod] {
        let sql = """
            SELECT from_day, split, parts FROM share_periods WHERE subscription = ? AND is_removed = 0 ORDER BY from_day
            """
        return try session.query(sql, [.integer(number)]) { row in
            let split = try PersonAmountText.split(try row.text(1), try row.text(2))
            return SharePeriod(from: try row.day(0), split: split.people.isEmpty ? nil : split)
        }
    }
}

extension Repayment: StoredRecord {
    package static var entity: DeviceStoreError.Entity { .repayment }
    package static var saving: JournalKind { .repaymentSaved }
    package static var table: EntityTable { EntityTables.repayments }

    package func save(in unit: UnitOfWork) throws {
        let repayment = try validated()
        try unit.requirePeople([from, to].filter { $0 != Person.me })
        if let groupID { _ = try PersonGroup.load(groupID, in: unit.session) }
        try unit.write(repayment)
    }

    package init(_ row: EntityRow, in session: any SQLSession) throws {
        var key = ValueReader(row.key)
        var values = ValueReader(row.values)
        self.init(
            id: try key.uuid(), from: try values.uuid(), to: try values.uuid(), amount: try values.money(),
            paidOn: try values.day(), groupID: try values.optionalUUID(), createdAt: try values.instant())
    }
}

/// What is open between two people in one currency: in a group, or outside of all groups.
public struct OpenPart: Sendable, Hashable {
    /// Nil outside of groups.
    public var groupID: UUID?
    /// Positive when the first person owes the second; never 0.
    public var amount: Money
}

private struct OpenPlace: Hashable {
    let group: UUID?
    let currency: Currency
}

extension Sequence<Debt> {
    /// What of these debts is open between two people, outside of groups first, then by group and currency; the parts
    /// add up to their balance.
    public func openParts(from one: UUID, to other: UUID) -> [OpenPart] {
        var sums: [OpenPlace: Int64] = [:]
        for debt in self
        where debt.debtor == one && debt.creditor == other || debt.debtor == other && debt.creditor == one {
            let place = OpenPlace(group: debt.groupID, currency: debt.amount.currency)
            sums[place, default: 0] += debt.debtor == one ? debt.amount.minorUnits : -debt.amount.minorUnits
        }
        return sums.filter { $0.value != 0 }.map { place, units in
            OpenPart(groupID: place.group, amount: Money(minorUnits: units, currency: place.currency))
        }.sorted {
            ($0.groupID?.lowercased ?? "", $0.amount.currency.code)
                < ($1.groupID?.lowercased ?? "", $1.amount.currency.code)
        }
    }

    /// What is open between two people outside of a group, in one currency; positive when the first owes the second.
    public func open(from one: UUID, to other: UUID, besides group: UUID, in currency: Currency) -> Money {
        let units = openParts(from: one, to: other).filter { $0.groupID != group && $0.amount.currency == currency }
            .reduce(0) { $0 + $1.amount.minorUnits }
        return Money(minorUnits: units, currency: currency)
    }
}

/// What an expense or a repayment of a group means for one person.
public struct GroupItem: Sendable, Hashable {
    /// The day of the expense or repayment.
    public var on: CalendarDay
    /// Empty for a repayment.
    public var title: String
    /// Positive when the group owes the person.
    public var amount: Money
}

extension DeviceStore.Sharing {
    /// What makes a person's balance in a group, in one currency: expenses that are not settled and repayments, by day.
    public func items(of person: UUID, in group: UUID, _ currency: Currency) throws -> [GroupItem] {
        var items: [GroupItem] = []
        func add(_ day: CalendarDay, _ title: String, _ units: Int64) {
            guard units != 0 else { return }
            items.append(GroupItem(on: day, title: title, amount: Money(minorUnits: units, currency: currency)))
        }
        for expense in try expenses(of: group) where !expense.isSettled && expense.amount.currency == currency {
            let parts = try DeviceStore.mapping { try expense.split.parts(of: expense.amount) }
            let own = { (amounts: [PersonAmount]) in
                amounts.filter { $0.personID == person }.reduce(0) { $0 + $1.minorUnits }
            }
            add(expense.spentOn, expense.title, own(expense.payers) - own(parts))
        }
        for repayment in try repayments() where repayment.groupID == group && repayment.amount.currency == currency {
            if repayment.from == person { add(repayment.paidOn, "", repayment.amount.minorUnits) }
            if repayment.to == person { add(repayment.paidOn, "", -repayment.amount.minorUnits) }
        }
        return items.sorted { ($0.on, $0.title) < ($1.on, $1.title) }
    }
}
