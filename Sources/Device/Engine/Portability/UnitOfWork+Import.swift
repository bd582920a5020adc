import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Imports the sections of a JSON export other than subscriptions. Elements with an existing id are updated; others are
/// added.
extension UnitOfWork {
    /// Returns whether the element was added.
    func take(_ object: ImportObject, of section: ImportSection, gate: PremiumGate, newID: () -> UUID) throws -> Bool {
        switch section {
        case .people: try takePerson(object, newID)
        case .formerPeople: try takeFormerPerson(object)
        case .groups: try takeGroup(object, newID)
        case .expenses: try takeExpense(object, newID)
        case .repayments: try takeRepayment(object, newID)
        case .transactions: try takeTransaction(object, newID)
        case .budgets: try takeBudget(object, gate)
        }
    }

    /// An element without an id is new like one that was typed.
    private func reading(
        _ object: ImportObject, _ table: EntityTable, _ id: UUID, _ body: () throws -> Void
    ) throws {
        if try object.id("id") == nil { try body() } else { try reading(table, id, body) }
    }

    private func takePerson(_ object: ImportObject, _ newID: () -> UUID) throws -> Bool {
        let id = try object.id("id") ?? newID()
        let present = try Person.find(id, in: session)
        var person = try present ?? Person(id: id, name: object.required("name"), createdAt: moment.now)
        person.name = try object.text("name") ?? person.name
        person.email = try object.text("email") ?? person.email
        person.phone = try object.text("phone") ?? person.phone
        person.notes = try object.text("notes") ?? person.notes
        person.createdAt = try object.instant("created_at") ?? person.createdAt
        person.color = try object.text("color") ?? person.color
        if let kind = try object.text("avatar_kind") {
            guard let avatar = Person.Avatar(kind: kind, value: try object.text("avatar") ?? "") else {
                throw Fault("avatar_kind", .unknownValue, "Must be one of initials, emoji, photo.")
            }
            person.avatar = avatar
        }
        try reading(object, EntityTables.people, id) { try save(person) }
        return present == nil
    }

    /// A person who was deleted: their name, and the day from which on they bear nothing. One who is here,
    /// or who was deleted here, stays as they are.
    private func takeFormerPerson(_ object: ImportObject) throws -> Bool {
        guard let id = try object.id("id") else { throw Fault("id", .required, "Is required.") }
        guard id != Person.me else { throw Fault("id", .builtIn, "You cannot be deleted.") }
        let name = try FieldRules.name(try object.required("name"), field: "name")
        guard let day = try object.day("left_on") else { throw Fault("left_on", .required, "Is required.") }
        guard try Person.find(id, in: session) == nil,
            try EntityTables.formerPeople.row([.uuid(id)], in: session) == nil
        else { return false }
        _ = try reading(EntityTables.formerPeople, id) {
            try EntityTables.formerPeople.save([.uuid(id)], [.text(name), .day(day)], in: self)
        }
        return true
    }

    private func takeGroup(_ object: ImportObject, _ newID: () -> UUID) throws -> Bool {
        let id = try object.id("id") ?? newID()
        let present = try PersonGroup.find(id, in: session)
        var group =
            try present
            ?? PersonGroup(id: id, name: object.required("name"), memberIDs: [], createdAt: moment.now)
        group.name = try object.text("name") ?? group.name
        group.details = try object.text("details") ?? group.details
        group.emoji = try object.text("emoji") ?? group.emoji
        group.memberIDs = try object.ids("members") ?? group.memberIDs
        group.changes = try object.objects("membership")?.map { try Self.change($0) } ?? group.changes
        group.createdAt = try object.instant("created_at") ?? group.createdAt
        // Empty when all members were deleted.
        try reading(object, EntityTables.groups, id) { try save(group, mayBeEmpty: true) }
        return present == nil
    }

    private static func change(_ object: ImportObject) throws -> MembershipChange {
        guard let person = try object.id("person"), let day = try object.day("from"),
            let isMember = try object.flag("member")
        else { throw Fault("membership", .required, "Must name person, from and member.") }
        return MembershipChange(personID: person, from: day, isMember: isMember)
    }

    private func takeExpense(_ object: ImportObject, _ newID: () -> UUID) throws -> Bool {
        let id = try object.id("id") ?? newID()
        let present = try GroupExpense.find(id, in: session)
        guard let groupID = try object.id("group_id") else {
            throw Fault("group_id", .required, "Is required.")
        }
        guard let day = try object.day("on") else {
            throw Fault("on", .required, "Is required.")
        }
        var expense = GroupExpense(
            id: id, groupID: groupID, title: try object.required("title"), amount: try object.money("amount"),
            payers: try object.payers("paid_by"), split: try object.split(), spentOn: day,
            createdAt: try object.instant("created_at") ?? present?.createdAt ?? moment.now)
        expense.category = try object.text("category") ?? present?.category ?? ""
        expense.notes = try object.text("notes") ?? present?.notes ?? ""
        expense.receiptPath = try object.text("receipt_path") ?? present?.receiptPath ?? ""
        expense.isSettled = try object.flag("settled") ?? present?.isSettled ?? false
        guard try EntityTables.groups.row([.uuid(groupID)], in: session) != nil else {
            throw Fault("group_id", .notFound, "No such group.")
        }
        // People who left the group or were deleted keep their part.
        let involved = Set(expense.payers.map(\.personID) + expense.split.people)
        try reading(object, EntityTables.expenses, id) { try write(expense.validated(members: involved)) }
        return present == nil
    }

    /// People who were deleted keep what they gave and got.
    private func takeRepayment(_ object: ImportObject, _ newID: () -> UUID) throws -> Bool {
        let id = try object.id("id") ?? newID()
        let present = try Repayment.find(id, in: session)
        guard let from = try object.id("from") else { throw Fault("from", .required, "Is required.") }
        guard let to = try object.id("to") else { throw Fault("to", .required, "Is required.") }
        guard let day = try object.day("on") else { throw Fault("on", .required, "Is required.") }
        let group = try object.id("group_id")
        if let group, try EntityTables.groups.row([.uuid(group)], in: session) == nil {
            throw Fault("group_id", .notFound, "No such group.")
        }
        let repayment = try Repayment(
            id: id, from: from, to: to, amount: try object.money("amount"), paidOn: day, groupID: group,
            createdAt: try object.instant("created_at") ?? present?.createdAt ?? moment.now
        ).validated()
        try reading(object, EntityTables.repayments, id) { try write(repayment) }
        return present == nil
    }

    private func takeTransaction(_ object: ImportObject, _ newID: () -> UUID) throws -> Bool {
        let id = try object.id("id") ?? newID()
        let present = try Transaction.find(id, in: session)
        guard let day = try object.day("on") else {
            throw Fault("on", .required, "Is required.")
        }
        var transaction = Transaction(
            id: id, title: try object.required("title"), amount: try object.money("amount"),
            kind: try object.word("type", of: Transaction.Kind.self), bookedOn: day,
            personID: try object.id("person_id"),
            createdAt: try object.instant("created_at") ?? present?.createdAt ?? moment.now)
        transaction.subtitle = try object.text("subtitle") ?? present?.subtitle ?? ""
        transaction.category = try object.text("category") ?? present?.category ?? ""
        transaction.isRecurring = try object.flag("recurring") ?? present?.isRecurring ?? false
        transaction.tags = try object.texts("tags") ?? present?.tags ?? []
        transaction.notes = try object.text("notes") ?? present?.notes ?? ""
        transaction.receiptPath = try object.text("receipt_path") ?? present?.receiptPath ?? ""
        try reading(object, EntityTables.transactions, id) { try save(transaction) }
        return present == nil
    }

    /// Budgets are identified by scope or category, currency and period, not by id.
    private func takeBudget(_ object: ImportObject, _ gate: PremiumGate) throws -> Bool {
        let limit = try object.money("limit")
        let period = try object.word("period", of: Budget.Period.self)
        let target = try Budget.Target(scope: try object.text("scope"), category: try object.text("category"))
        let same = try DeviceStore.Budgets.find(target, limit.currency, period, in: session)
        if let category = target.category { try gate.requireCategory(category, current: same?.target.category) }
        let id = same?.id ?? BudgetID.of(target, limit.currency, period)
        let begins = try object.text("begins").map { text throws(Fault) in try Budget.Start(text, period) }
        try reading(EntityTables.budgets, id) {
            try save(
                Budget(id: id, target: target, limit: limit, period: period, begins: begins ?? same?.begins ?? .first))
        }
        return same == nil
    }
}
