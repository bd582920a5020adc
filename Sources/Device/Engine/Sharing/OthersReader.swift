import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// What other people bear of shared subscriptions: the difference between sums in full and the owner's part of them.
struct OthersReader {
    /// What others bear of one charge.
    struct Part {
        let kind: SubscriptionKind
        /// The row number of the subscription.
        let number: Int64
        let on: CalendarDay
        /// Greater than 0.
        let amount: Money
        /// Whether the charge counts as spent: one before today, and one of today that was confirmed.
        let isCharged: Bool
        /// Whether the charge was confirmed.
        let isConfirmed: Bool
        /// Whether a forecast from today on includes it.
        let isForecast: Bool
    }

    let session: any SQLSession
    let today: CalendarDay

    /// The parts of charges from `first` through `last`, both included, without order.
    func parts(from first: CalendarDay, through last: CalendarDay) throws -> [Part] {
        let kinds = try SubscriptionKind.all(session)
        return try shared().flatMap { subscription, number, ledger -> [Part] in
            guard let kind = kinds[subscription.id] else { return [] }
            let passed = try DebtReader(session: session, today: today).charges(of: number, from: .earliest)
            let scheduled = subscription.charges(from: today, through: max(last, today))
            let isChargedToday = passed.last?.on == today
            let coming = scheduled.filter { !isChargedToday || $0 > today }
                .map { (on: $0, amount: subscription.charge(on: $0)) }
            let confirmed = try confirmedDays(of: number)
            // All of a period, because the odd cent goes round.
            let debts = ledger.debts(of: passed + coming, owner: Person.me, left: try DebtReader.left(session))
            return Dictionary(grouping: debts, by: \.on).compactMap { day, debts -> Part? in
                guard (first...last).contains(day), let currency = debts.first?.amount.currency else { return nil }
                let sum = debts.reduce(0) { $0 + $1.amount.minorUnits }
                let isCharged = day < today || day == today && isChargedToday
                return Part(
                    kind: kind, number: number, on: day, amount: Money(minorUnits: sum, currency: currency),
                    isCharged: isCharged, isConfirmed: confirmed.contains(day),
                    isForecast: day >= today && scheduled.contains(day))
            }
        }
    }

    private func confirmedDays(of number: Int64) throws -> Set<CalendarDay> {
        let sql = "SELECT due_day FROM charges WHERE subscription = ? AND confirmed <> 0"
        return Set(try session.query(sql, [.integer(number)]) { try $0.day(0) })
    }

    /// What others bear of as many charges at today's price as the numerator of the yearly factor says, of each
    /// subscription that counts in totals. A cent that cannot be divided is borne in turn, so one charge would not tell
    /// a year.
    func ofYears() throws -> [(subscription: Subscription, amount: Money)] {
        let left = try DebtReader.left(session)
        return try shared().compactMap { subscription, _, ledger in
            guard subscription.counts(on: today) else { return nil }
            let price = subscription.price(on: today)
            let charges = Array(
                repeating: (on: today, amount: price), count: Int(subscription.cycle.annualFactor.numerator))
            let debts = ledger.debts(of: charges, owner: Person.me, left: left)
            let sum = debts.reduce(0) { $0 + $1.amount.minorUnits }
            return sum == 0 ? nil : (subscription, Money(minorUnits: sum, currency: price.currency))
        }
    }

    /// The shared subscriptions. One that was shared before shares had days counts as shared from its start.
    func shared() throws -> [(subscription: Subscription, number: Int64, ledger: ShareLedger)] {
        let table = SubscriptionTable(session)
        let sql = """
            SELECT num FROM subscriptions WHERE num IN \
            (SELECT subscription FROM share_periods WHERE is_removed = 0 UNION SELECT subscription FROM shares) \
            ORDER BY num
            """
        return try session.query(sql, []) { try $0.integer(0) }.compactMap { number in
            let subscription = try table.load(number: number)
            var periods = try DebtReader.periods(session, of: number)
            if periods.isEmpty {
                guard let share = try SubscriptionShare.find(subscription.id, in: session) else { return nil }
                periods = [SharePeriod(from: .earliest, split: share.split)]
            }
            let ledger = ShareLedger(subscriptionID: subscription.id, name: subscription.name, periods: periods)
            return (subscription, number, ledger)
        }
    }
}

extension Money {
    /// The same amount to take away.
    var negated: Money { Money(minorUnits: -minorUnits, currency: currency) }
}
