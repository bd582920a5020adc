public import Foundation
import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

extension DeviceStore.Sharing {
    /// Adds or changes a group. People who are no longer listed leave the group.
    public func save(_ group: PersonGroup, at moment: Moment) throws {
        try store.write(at: moment, as: .groupSaved) { try $0.save(group) }
    }

    /// Adds or changes a group whose members come and go from a day on. Expenses of earlier days keep their people.
    ///
    /// Joining is nothing new for those who are members on that day, nor leaving for those who are not.
    ///
    /// - Parameters:
    ///   - joining: people who belong to the group from `day` on, until a later change.
    ///   - leaving: people who no longer do.
    public func save(
        _ group: PersonGroup, joining: [UUID], leaving: [UUID], from day: CalendarDay, at moment: Moment
    ) throws {
        try store.write(at: moment, as: .groupSaved) { unit in
            var group = group
            let members = Set(group.members(on: day))
            for id in leaving where !members.contains(id) {
                throw Fault("remove", .notFound, "Must be members of the group on that day.")
            }
            let changes =
                leaving.map { MembershipChange(personID: $0, from: day, isMember: false) }
                + joining.filter { !members.contains($0) || leaving.contains($0) }
                .map { MembershipChange(personID: $0, from: day, isMember: true) }
            group.memberIDs += joining.filter { !group.memberIDs.contains($0) }
            group.changes.removeAll { old in changes.contains { $0.personID == old.personID && $0.from == old.from } }
            group.changes += changes
            guard !group.members(on: day).isEmpty else {
                throw Fault(
                    "remove", .outOfRange, "At least one person must remain in the group; to end it, delete it.")
            }
            try unit.save(group)
        }
    }

    /// Sorted by name.
    public func groups() throws -> [PersonGroup] {
        try store.read { session in
            try session.query(EntityTables.groups.selectAll, [], EntityTables.groups.read)
                .map { try PersonGroup($0, in: session) }
                .sorted { ($0.name, $0.id.lowercased) < ($1.name, $1.id.lowercased) }
        }
    }

    /// Throws ``DeviceStoreError/notFound(_:id:)``.
    public func group(_ id: UUID) throws -> PersonGroup { try store.read { try PersonGroup.load(id, in: $0) } }

    /// Deletes a group and its expenses.
    public func deleteGroup(_ id: UUID, at moment: Moment) throws {
        try store.delete(id, from: EntityTables.groups, .group, at: moment, as: .groupDeleted)
    }

    /// Adds or changes an expense. Everyone involved must be a member of its group on that day, or
    /// involved in it already.
    public func save(_ expense: GroupExpense, at moment: Moment) throws {
        try store.write(at: moment, as: .expenseSaved) { try $0.save(expense) }
    }

    /// Throws ``DeviceStoreError/notFound(_:id:)``.
    public func expense(_ id: UUID) throws -> GroupExpense {
        try GroupExpense(store.row(id, of: EntityTables.expenses, .expense))
    }

    /// Expenses of a group, or of all groups, newest first.
    public func expenses(of group: UUID? = nil) throws -> [GroupExpense] {
        try store.read { session in
            try session.query(EntityTables.expenses.selectAll, [], EntityTables.expenses.read).map(GroupExpense.init)
                .filter { group == nil || $0.groupID == group }
                .sorted { ($1.spentOn, $1.id.lowercased) < ($0.spentOn, $0.id.lowercased) }
        }
    }

    /// Deletes an expense. Throws ``DeviceStoreError/notFound(_:id:)``.
    public func deleteExpense(_ id: UUID, at moment: Moment) throws {
        try store.delete(id, from: EntityTables.expenses, .expense, at: moment, as: .expenseDeleted)
    }

    /// How much more each person paid than their part, per currency.
    public func balances(of group: UUID) throws -> [(currency: Currency, balances: Balances)] {
        _ = try self.group(group)
        var byCurrency: [Currency: Balances] = [:]
        for expense in try expenses(of: group) where !expense.isSettled {
            let parts = try DeviceStore.mapping { try expense.split.parts(of: expense.amount) }
            byCurrency[expense.amount.currency, default: Balances()].add(paid: expense.payers, parts: parts)
        }
        for repayment in try repayments() where repayment.groupID == group {
            byCurrency[repayment.amount.currency, default: Balances()].add(
                Transfer(from: repayment.from, to: repayment.to, minorUnits: repayment.amount.minorUnits))
        }
        return byCurrency.map { ($0, $1) }.sorted { $0.currency.code < $1.currency.code }
    }

    /// The payments that settle a group, per currency; the minimum number for up to 14 open balances.
    public func settlement(of group: UUID) throws -> [(currency: Currency, transfers: [Transfer])] {
        try balances(of: group).map { ($0.currency, $0.balances.settlement()) }
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
        for id in Set(present).subtracting(group.memberIDs).sorted(by: { $0.lowercased < $1.lowercased }) {
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
        let present = try EntityTables.expenses.row([.uuid(expense.id)], in: session).map(GroupExpense.init)
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

extension PersonGroup {
    init(_ row: EntityRow, in session: any SQLSession) throws {
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

    static func load(_ id: UUID, in session: any SQLSession) throws -> PersonGroup {
        guard let row = try EntityTables.groups.row([.uuid(id)], in: session) else {
            throw DeviceStoreError.notFound(.group, id: id.lowercased)
        }
        return try PersonGroup(row, in: session)
    }
}

extension GroupExpense {
    init(_ row: EntityRow) throws {
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
