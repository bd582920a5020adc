public import Foundation

extension Sequence<Debt> {
    /// The same debts, with those of a group in one currency replaced by the payments that settle its balances, once a
    /// person in the group has paid a person more than they owed that very person.
    ///
    /// Such payments follow what settles the group, where a debt moves to whom the creditor owes. Pair by pair, the
    /// debts would then stay open on both sides of the one who is out of it.
    ///
    /// - Parameter names: of the groups, for the titles.
    public func settledAcross(names: [UUID: String]) -> [Debt] {
        var groups: [GroupCurrency: [Debt]] = [:]
        for debt in self {
            guard let group = debt.groupID else { continue }
            groups[GroupCurrency(group: group, currency: debt.amount.currency), default: []].append(debt)
        }
        let crossed = groups.filter { Self.isCrossed($0.value) }
        guard !crossed.isEmpty else { return Array(self) }
        let others = filter { debt in
            guard let group = debt.groupID else { return true }
            return crossed[GroupCurrency(group: group, currency: debt.amount.currency)] == nil
        }
        return others + crossed.flatMap { Self.settlement($0.key, $0.value, names[$0.key.group] ?? "") }
    }

    /// Whether a repayment exceeds what was owed between the two people.
    private static func isCrossed(_ debts: [Debt]) -> Bool {
        var owed: [Pair: Int64] = [:]
        var repaid: [Pair: Int64] = [:]
        for debt in debts {
            // A repayment is a debt of who got it.
            let isRepayment = if case .repayment = debt.source { true } else { false }
            let (from, to) = isRepayment ? (debt.creditor, debt.debtor) : (debt.debtor, debt.creditor)
            if isRepayment {
                repaid[Pair(from: from, to: to), default: 0] += debt.amount.minorUnits
                repaid[Pair(from: to, to: from), default: 0] -= debt.amount.minorUnits
            } else {
                owed[Pair(from: from, to: to), default: 0] += debt.amount.minorUnits
                owed[Pair(from: to, to: from), default: 0] -= debt.amount.minorUnits
            }
        }
        return repaid.contains { $1 > 0 && $1 > Swift.max(owed[$0] ?? 0, 0) }
    }

    /// The debts that are left, since the day of the last change.
    private static func settlement(_ key: GroupCurrency, _ debts: [Debt], _ name: String) -> [Debt] {
        var balances = Balances()
        for debt in debts {
            balances.add(Transfer(from: debt.creditor, to: debt.debtor, minorUnits: debt.amount.minorUnits))
        }
        let day = debts.map(\.on).max() ?? .earliest
        return balances.settlement().map { transfer in
            Debt(
                debtor: transfer.from, creditor: transfer.to,
                amount: Money(minorUnits: transfer.minorUnits, currency: key.currency), on: day,
                source: .group(key.group), title: name, groupID: key.group)
        }
    }
}

private struct GroupCurrency: Hashable {
    let group: UUID
    let currency: Currency
}

private struct Pair: Hashable {
    let from: UUID
    let to: UUID
}
