public import Foundation

/// One person owes another an amount from a day on: their part of a charge or of an expense, or money that was given.
public struct Debt: Sendable, Hashable {
    /// What made the debt, with its id.
    public enum Source: Sendable, Hashable {
        /// A charge of a shared subscription.
        case share(UUID)
        /// A group expense.
        case expense(UUID)
        /// Money that `creditor` gave `debtor`, which reduces what `creditor` owes.
        case repayment(UUID)
        /// What is left of a group's balances.
        case group(UUID)
    }

    /// The person who owes.
    public var debtor: UUID
    /// The person who is owed.
    public var creditor: UUID
    /// Greater than 0.
    public var amount: Money
    /// The day of the charge, expense or repayment; for what is left of a group's balances, of their last change.
    public var on: CalendarDay
    /// What made it.
    public var source: Source
    /// The name of the subscription or expense; empty for a repayment.
    public var title: String
    /// The group of the expense or repayment; nil for a debt outside of groups.
    public var groupID: UUID?

    /// Takes the fields as they are.
    public init(
        debtor: UUID, creditor: UUID, amount: Money, on: CalendarDay, source: Source, title: String,
        groupID: UUID? = nil
    ) {
        self.debtor = debtor
        self.creditor = creditor
        self.amount = amount
        self.on = on
        self.source = source
        self.title = title
        self.groupID = groupID
    }
}

/// What is open between two people in one currency.
public struct PersonBalance: Sendable, Hashable {
    /// The other person.
    public var personID: UUID
    /// Positive when the person owes, negative when they get money; never 0.
    public var amount: Money
    /// The day since which it has been open in this direction.
    public var since: CalendarDay
}

private struct BalanceKey: Hashable {
    let other: UUID
    let currency: Currency
}

extension Sequence<Debt> {
    /// What is open between one person and each other, per currency; sorted by person and currency. Debts of the same
    /// day count together.
    public func balances(of person: UUID) -> [PersonBalance] {
        var open: [BalanceKey: (sum: Int64, since: CalendarDay)] = [:]
        var days: [BalanceKey: [CalendarDay: Int64]] = [:]
        for debt in self where debt.debtor == person || debt.creditor == person {
            let isOwed = debt.creditor == person
            let key = BalanceKey(other: isOwed ? debt.debtor : debt.creditor, currency: debt.amount.currency)
            days[key, default: [:]][debt.on, default: 0] += isOwed ? debt.amount.minorUnits : -debt.amount.minorUnits
        }
        for (key, changes) in days {
            var (sum, since) = (Int64(0), CalendarDay.earliest)
            for (day, change) in changes.sorted(by: { $0.key < $1.key }) {
                let before = sum
                sum += change
                if before.signum() != sum.signum() { since = day }
            }
            if sum != 0 { open[key] = (sum, since) }
        }
        return open.map { key, value in
            PersonBalance(
                personID: key.other, amount: Money(minorUnits: value.sum, currency: key.currency), since: value.since)
        }.sorted {
            ($0.personID, $0.amount.currency.code) < ($1.personID, $1.amount.currency.code)
        }
    }
}

extension GroupExpense {
    /// Who owes whom because of this expense: those who paid less than their part owe those who paid more, in the order
    /// of the split and of the payers. Exact: no person's debts differ from what they paid less. None when it is
    /// settled.
    public func debts() throws(Fault) -> [Debt] {
        guard !isSettled else { return [] }
        var balances = Balances()
        let parts = try split.parts(of: amount)
        balances.add(paid: payers, parts: parts)
        var creditors = payers.map(\.personID).filter { balances.minorUnits[$0, default: 0] > 0 }[...]
        var rest = balances.minorUnits
        var debts: [Debt] = []
        for debtor in parts.map(\.personID) {
            while let owed = rest[debtor], owed < 0, let creditor = creditors.first, let open = rest[creditor] {
                let units = Swift.min(-owed, open)
                debts.append(
                    Debt(
                        debtor: debtor, creditor: creditor,
                        amount: Money(minorUnits: units, currency: amount.currency), on: spentOn, source: .expense(id),
                        title: title, groupID: groupID))
                rest[debtor] = owed + units
                rest[creditor] = open - units
                if open == units { creditors.removeFirst() }
            }
        }
        return debts
    }
}

/// Who bears a subscription from a day on, until the next period.
public struct SharePeriod: Sendable, Hashable {
    /// The first day; its charges are split in this way.
    public var from: CalendarDay
    /// Nil when no other person bears a part.
    public var split: Split?

    /// Takes the fields as they are.
    public init(from: CalendarDay, split: Split?) {
        self.from = from
        self.split = split
    }
}

/// The debts that the charges of a shared subscription make.
public struct ShareLedger: Sendable {
    /// The shared subscription.
    public var subscriptionID: UUID
    /// The name of the subscription, which becomes the title of its debts.
    public var name: String
    /// Sorted by day, one per day.
    public var periods: [SharePeriod]

    /// Takes the fields as they are; `periods` must be sorted already.
    public init(subscriptionID: UUID, name: String, periods: [SharePeriod]) {
        self.subscriptionID = subscriptionID
        self.name = name
        self.periods = periods
    }

    /// What each person owes the owner for charges of the subscription.
    ///
    /// A cent that cannot be divided moves to the next person with each charge of a period. A charge below the fixed
    /// parts makes no debts.
    ///
    /// - Parameters:
    ///   - charges: in the order of their days.
    ///   - owner: the person who pays the charges.
    ///   - left: people who bear nothing from a day on; the owner bears their parts then.
    public func debts(
        of charges: [(on: CalendarDay, amount: Money)], owner: UUID, left: [UUID: CalendarDay] = [:]
    ) -> [Debt] {
        var debts: [Debt] = []
        var turn = 0
        var current: Int?
        for charge in charges {
            let index = periods.lastIndex { $0.from <= charge.on }
            if index != current { (current, turn) = (index, 0) }
            defer { turn += 1 }
            guard let index, let split = periods[index].split else { continue }
            let share = SubscriptionShare(subscriptionID: subscriptionID, split: split)
            guard let parts = try? share.parts(of: charge.amount, turn: turn) else { continue }
            for part in parts.others where part.minorUnits > 0 && part.personID != owner {
                if let day = left[part.personID], day <= charge.on { continue }
                debts.append(
                    Debt(
                        debtor: part.personID, creditor: owner,
                        amount: Money(minorUnits: part.minorUnits, currency: charge.amount.currency), on: charge.on,
                        source: .share(subscriptionID), title: name))
            }
        }
        return debts
    }
}

/// Money that one person gave another to settle a debt.
public struct Repayment: Sendable, Hashable, Identifiable {
    /// Chosen by the app. A repayment with the id of a stored one is refused.
    public var id: UUID
    /// The person who paid.
    public var from: UUID
    /// The person who got the money; another one than ``from``.
    public var to: UUID
    /// Greater than 0.
    public var amount: Money
    /// The day of the payment.
    public var paidOn: CalendarDay
    /// The group whose balances it settles; nil for a debt between two people.
    public var groupID: UUID?
    /// When it was recorded; set by the app.
    public var createdAt: UTCInstant

    /// Takes the fields as they are; ``validated()`` checks them.
    public init(
        id: UUID, from: UUID, to: UUID, amount: Money, paidOn: CalendarDay, groupID: UUID? = nil, createdAt: UTCInstant
    ) {
        self.id = id
        self.from = from
        self.to = to
        self.amount = amount
        self.paidOn = paidOn
        self.groupID = groupID
        self.createdAt = createdAt
    }

    /// Checks the rules. Throws every broken one.
    public func validated() throws(FaultList) -> Repayment {
        var faults = FaultList()
        faults.collect { () throws(Fault) in _ = try FieldRules.positive(amount, field: "amount") }
        if from == to { faults.note(Fault("to", .sameItem, "Must be another person.")) }
        guard faults.isEmpty else { throw faults }
        return self
    }

    /// The same as a debt of ``to`` to ``from``, which reduces what ``from`` owes.
    public var debt: Debt {
        Debt(
            debtor: to, creditor: from, amount: amount, on: paidOn, source: .repayment(id), title: "", groupID: groupID)
    }
}
