public import Foundation
package import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

extension DeviceStore.Sharing {
    /// Adds a group, or replaces one as a whole. People who are no longer listed leave the group.
    public func save(_ group: PersonGroup, at moment: Moment) throws {
        try store.write(at: moment, as: .groupSaved) { try $0.save(group) }
    }

    /// Changes a group as it is at that time: what others changed meanwhile stays. Returns what is stored. Throws
    /// ``DeviceStoreError/notFound(_:id:)``.
    @discardableResult
    public func changeGroup(
        _ id: UUID, at moment: Moment, _ body: (inout PersonGroup) throws -> Void
    ) throws -> PersonGroup {
        try store.change(id, at: moment) { group, _ in try body(&group) }
    }

    /// Sorted by name.
    public func groups() throws -> [PersonGroup] { try store.read { try SharingReader($0).groups() } }

    /// Throws ``DeviceStoreError/notFound(_:id:)``.
    public func group(_ id: UUID) throws -> PersonGroup { try store.read { try PersonGroup.load(id, in: $0) } }

    /// Deletes a group and its expenses.
    public func deleteGroup(_ id: UUID, at moment: Moment) throws {
        try store.delete(id, from: EntityTables.groups, .group, at: moment, as: .groupDeleted)
    }

    /// Adds an expense, or replaces one as a whole. Everyone involved must be a member of its group on that day, or
    /// involved in it already.
    public func save(_ expense: GroupExpense, at moment: Moment) throws {
        try store.write(at: moment, as: .expenseSaved) { try $0.save(expense) }
    }

    /// Changes an expense as it is at that time: what others changed meanwhile stays. Returns what is stored. Throws
    /// ``DeviceStoreError/notFound(_:id:)``.
    @discardableResult
    public func changeExpense(
        _ id: UUID, at moment: Moment, _ body: (inout GroupExpense) throws -> Void
    ) throws -> GroupExpense {
        try store.change(id, at: moment) { expense, _ in try body(&expense) }
    }

    /// Throws ``DeviceStoreError/notFound(_:id:)``.
    public func expense(_ id: UUID) throws -> GroupExpense { try store.read { try GroupExpense.load(id, in: $0) } }

    /// Expenses of a group, or of all groups, newest first.
    public func expenses(of group: UUID? = nil) throws -> [GroupExpense] {
        try store.read { try SharingReader($0).expenses(of: group) }
    }

    /// Deletes an expense. Throws ``DeviceStoreError/notFound(_:id:)``.
    public func deleteExpense(_ id: UUID, at moment: Moment) throws {
        try store.delete(id, from: EntityTables.expenses, .expense, at: moment, as: .expenseDeleted)
    }

    /// How much more each person paid than their part, per currency.
    public func balances(of group: UUID) throws -> [(currency: Currency, balances: Balances)] {
        try store.read { try SharingReader($0).balances(of: group) }
    }

    /// The payments that settle a group, per currency; the minimum number for up to 14 open balances.
    public func settlement(of group: UUID) throws -> [(currency: Currency, transfers: [Transfer])] {
        try store.read { try SharingReader($0).settlement(of: group) }
    }

    /// Records one of the payments of ``settlement(of:)`` as a repayment of today. Returns nil, and records nothing,
    /// when none of those that are still to be made is the one that is meant.
    public func settle(
        _ group: UUID, at moment: Moment, where isMeant: (Transfer, Currency) -> Bool
    ) throws -> Repayment? {
        try store.write(at: moment, as: .repaymentSaved) { unit in
            for (currency, transfers) in try SharingReader(unit.session).settlement(of: group) {
                guard let transfer = transfers.first(where: { isMeant($0, currency) }) else { continue }
                let repayment = Repayment(
                    id: unit.makeID(), from: transfer.from, to: transfer.to,
                    amount: Money(minorUnits: transfer.minorUnits, currency: currency), paidOn: moment.today,
                    groupID: group, createdAt: moment.now)
                try unit.write(repayment.validated())
                return repayment
            }
            return nil
        }
    }
}

extension PersonGroup {
    /// Makes people come and go from a day on. Expenses of earlier days keep their people.
    ///
    /// Joining is nothing new for those who are members on that day; leaving is refused for those who are not.
    ///
    /// - Parameters:
    ///   - joining: people who belong to the group from `day` on, until a later change.
    ///   - leaving: people who no longer do.
    ///   - day: the first day of the change.
    public mutating func change(joining: [UUID], leaving: [UUID], from day: CalendarDay) throws(Fault) {
        let members = Set(members(on: day))
        guard members.isSuperset(of: leaving) else {
            throw Fault("remove", .notFound, "Must be members of the group on that day.")
        }
        let changes =
            leaving.map { MembershipChange(personID: $0, from: day, isMember: false) }
            + joining.filter { !members.contains($0) || leaving.contains($0) }
            .map { MembershipChange(personID: $0, from: day, isMember: true) }
        memberIDs += joining.filter { !memberIDs.contains($0) }
        self.changes.removeAll { old in changes.contains { $0.personID == old.personID && $0.from == old.from } }
        self.changes += changes
        guard !self.members(on: day).isEmpty else {
            throw Fault("remove", .outOfRange, "At least one person must remain in the group; to end it, delete it.")
        }
    }
}

extension UnitOfWork {
    func save(_ group: PersonGroup, mayBeEmpty: Bool = false) throws {
        let group = try group.validated(mayBeEmpty: mayBeEmpty)
        try requirePeople(group.memberIDs + group.changes.map(\.personID))
        try EntityTables.groups.save(
            [.uuid(group.id)],
            [.text(group.name), .text(group.details), .text(group.emoji), .instant(group.createdAt)], in: self)
        let present = try session.query(
            "SELECT person_id FROM group_members WHERE group_id = ?", [.uuid(group.id)]
        ) { try $0.uuid(0) }
        for (position, id) in group.memberIDs.enumerated() {
            try EntityTables.groupMembers.save(
                [.uuid(group.id), .uuid(id)], [.flag(true), .count(position)], in: self)
        }
        for id in Set(present).subtracting(group.memberIDs).sorted() {
            let key: [SQLValue] = [.uuid(group.id), .uuid(id)]
            guard let row = try EntityTables.groupMembers.row(key, in: session) else { continue }
            try EntityTables.groupMembers.save(key, [.flag(false), row.values[1]], in: self)
        }
        for change in group.changes {
            try EntityTables.memberships.save(
                [.uuid(group.id), .uuid(change.personID), .day(change.from)], [.flag(change.isMember), .flag(false)],
                in: self)
        }
    }

    func save(_ expense: GroupExpense) throws {
        let group = try PersonGroup.load(expense.groupID, in: session)
        let present = try GroupExpense.find(expense.id, in: session)
        let involved = present.map { $0.payers.map(\.personID) + $0.split.people } ?? []
        try write(expense.validated(members: Set(group.members(on: expense.spentOn) + involved)))
    }

    /// Writes a validated expense.
    func write(_ expense: GroupExpense) throws {
        try EntityTables.expenses.save(
            [.uuid(expense.id)],
            [
                .uuid(expense.groupID), .text(expense.title), .integer(expense.amount.minorUnits),
                .text(expense.amount.currency.code), .text(PersonAmountText.text(expense.payers)),
                .text(expense.split.kind.rawValue),
                .text(PersonAmountText.text(expense.split.people, expense.split.weights)), .day(expense.spentOn),
                .text(expense.category), .text(expense.notes), .text(expense.receiptPath), .flag(expense.isSettled),
                .instant(expense.createdAt),
            ], in: self)
    }
}

extension PersonGroup: StoredRecord {
    package static var entity: DeviceStoreError.Entity { .group }
    package static var saving: JournalKind { .groupSaved }
    package static var table: EntityTable { EntityTables.groups }

    package func save(in unit: UnitOfWork) throws { try unit.save(self) }

    package init(_ row: EntityRow, in session: any SQLSession) throws {
        var key = ValueReader(row.key)
        var values = ValueReader(row.values)
        let id = try key.uuid()
        let members = try session.query(
            "SELECT person_id FROM group_members WHERE group_id = ? AND is_member = 1 ORDER BY position, person_id",
            [.uuid(id)]
        ) { try $0.uuid(0) }
        self.init(id: id, name: try values.text(), memberIDs: members, createdAt: UTCInstant(millisecondsSinceEpoch: 0))
        details = try values.text()
        emoji = try values.text()
        createdAt = try values.instant()
        let sql = """
            SELECT person_id, from_day, is_member FROM memberships WHERE group_id = ? AND is_removed = 0 \
            ORDER BY from_day, person_id
            """
        changes = try session.query(sql, [.uuid(id)]) { row in
            MembershipChange(personID: try row.uuid(0), from: try row.day(1), isMember: try row.integer(2) != 0)
        }
    }
}

extension GroupExpense: StoredRecord {
    package static var entity: DeviceStoreError.Entity { .expense }
    package static var saving: JournalKind { .expenseSaved }
    package static var table: EntityTable { EntityTables.expenses }

    package func save(in unit: UnitOfWork) throws { try unit.save(self) }

    package init(_ row: EntityRow, in session: any SQLSession) throws {
        var key = ValueReader(row.key)
        var values = ValueReader(row.values)
        let groupID = try values.uuid()
        let title = try values.text()
        let amount = try values.money()
        let payers = try PersonAmountText.amounts(try values.text())
        let split = try PersonAmountText.split(try values.text(), try values.text())
        self.init(
            id: try key.uuid(), groupID: groupID, title: title, amount: amount, payers: payers, split: split,
            spentOn: try values.day(), createdAt: UTCInstant(millisecondsSinceEpoch: 0))
        category = try values.text()
        notes = try values.text()
        receiptPath = try values.text()
        isSettled = try values.flag()
        createdAt = try values.instant()
    }
}
