public import Foundation
public import SubGuardDomain

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
