import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Reads people, groups and what is open in them, of one snapshot or within a change.
struct SharingReader {
    private let session: any SQLSession

    init(_ session: any SQLSession) { self.session = session }

    /// Sorted by name.
    func people() throws -> [Person] {
        try Person.all(in: session).sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// People who were deleted, with the day from which on they bear nothing; sorted by name.
    func formerPeople() throws -> [(id: UUID, name: String, leftOn: CalendarDay)] {
        let sql = "SELECT id, name, left_on FROM former_people WHERE id NOT IN (SELECT id FROM people)"
        return try session.query(sql, []) { (try $0.uuid(0), try $0.text(1), try $0.day(2)) }
            .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// Names by id; deleted people are missing, as they bear no parts.
    func presentNames() throws -> [UUID: String] {
        Dictionary(try Person.all(in: session).map { ($0.id, $0.name) }) { one, _ in one }
    }

    /// Names by id, those of deleted people included.
    func names() throws -> [UUID: String] {
        let sql = "SELECT id, name FROM former_people UNION ALL SELECT id, name FROM people"
        return Dictionary(try session.query(sql, []) { (try $0.uuid(0), try $0.text(1)) }) { $1 }
    }

    /// Sorted by name.
    func groups() throws -> [PersonGroup] {
        try PersonGroup.all(in: session).sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// Expenses of a group, or of all groups, newest first.
    func expenses(of group: UUID?) throws -> [GroupExpense] {
        try GroupExpense.all(in: session).filter { group == nil || $0.groupID == group }
            .sorted { ($1.spentOn, $1.id) < ($0.spentOn, $0.id) }
    }

    /// Newest first.
    func repayments() throws -> [Repayment] {
        try Repayment.all(in: session).sorted { ($1.paidOn, $1.id) < ($0.paidOn, $0.id) }
    }

    /// How much more each person paid than their part, per currency.
    func balances(of group: UUID) throws -> [(currency: Currency, balances: Balances)] {
        _ = try PersonGroup.load(group, in: session)
        var byCurrency: [Currency: Balances] = [:]
        for expense in try expenses(of: group) where !expense.isSettled {
            let parts = try expense.split.parts(of: expense.amount)
            byCurrency[expense.amount.currency, default: Balances()].add(paid: expense.payers, parts: parts)
        }
        for repayment in try repayments() where repayment.groupID == group {
            byCurrency[repayment.amount.currency, default: Balances()].add(
                Transfer(from: repayment.from, to: repayment.to, minorUnits: repayment.amount.minorUnits))
        }
        return byCurrency.map { ($0, $1) }.sorted { $0.currency.code < $1.currency.code }
    }

    /// The payments that settle a group, per currency.
    func settlement(of group: UUID) throws -> [(currency: Currency, transfers: [Transfer])] {
        try balances(of: group).map { ($0.currency, $0.balances.settlement()) }
    }

    /// The group that money which one person gives another settles, unless it is named: the only one in which the first
    /// owes the second, or in which the fewest payments go from one to the other. Nil when there is none or several,
    /// and when they owe something outside of groups.
    func groupSettled(from one: UUID, to other: UUID, in currency: Currency, today: CalendarDay) throws -> UUID? {
        let parts = try DebtReader(session: session, today: today).all().openParts(from: one, to: other)
            .filter { $0.amount.currency == currency && $0.amount.minorUnits > 0 }
        guard !parts.contains(where: { $0.groupID == nil }) else { return nil }
        let proposing = try groups().map(\.id).filter { group in
            try settlement(of: group).contains { part in
                part.currency == currency && part.transfers.contains { $0.from == one && $0.to == other }
            }
        }
        let found = Set(parts.compactMap(\.groupID) + proposing)
        return found.count == 1 ? found.first : nil
    }
}
