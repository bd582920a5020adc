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

// What other people would bear of charges that are no rows of the ledger.

extension OthersReader {
    /// What others would have borne of charges that were not made, in minor units; all of them in one currency.
    ///
    /// - Parameter days: in order.
    func sum(
        ofAvoided days: [CalendarDay], of subscription: Subscription, _ number: Int64, _ splits: SharedSplits
    ) throws -> Int64 {
        guard let ledger = splits.ledgers[subscription.id] else { return 0 }
        let avoided = Set(days)
        // Among the charges that were made, because the odd cent goes round.
        let made = try DebtReader(session: session, today: today).charges(of: number, from: .earliest)
            .filter { !avoided.contains($0.on) }
        let all = (made + days.map { (on: $0, amount: subscription.price(on: $0)) }).sorted { $0.on < $1.on }
        return ledger.debts(of: all, owner: Person.me, left: splits.left)
            .filter { avoided.contains($0.on) }.reduce(0) { $0 + $1.amount.minorUnits }
    }

    /// The splits of all shared subscriptions.
    func splits() throws -> SharedSplits {
        SharedSplits(
            ledgers: Dictionary(try shared().map { ($0.subscription.id, $0.ledger) }) { one, _ in one },
            left: try DebtReader.left(session))
    }
}

/// How subscriptions are shared, and who has left.
struct SharedSplits {
    let ledgers: [UUID: ShareLedger]
    let left: [UUID: CalendarDay]

    /// A change as the owner bears it, by the split of its day.
    func net(_ change: SubscriptionChange, of subscription: Subscription) -> SubscriptionChange {
        guard let ledger = ledgers[subscription.id] else { return change }
        let factor = subscription.cycle.annualFactor
        func others(_ price: Money?, _ count: Int) -> Int64 {
            guard let price else { return 0 }
            return ledger.debts(
                of: Array(repeating: (on: change.on, amount: price), count: count), owner: Person.me, left: left
            ).reduce(0) { $0 + $1.amount.minorUnits }
        }
        var net = change
        net.from?.minorUnits -= others(change.from, 1)
        net.to?.minorUnits -= others(change.to, 1)
        // As many charges as the factor says: the odd cent goes round.
        let count = Int(factor.numerator)
        let difference = Money(
            minorUnits: others(change.to, count) - others(change.from, count),
            currency: change.annualEffect?.currency ?? subscription.currency)
        var sum = ExactSum()
        sum.add(difference.minorUnits, times: factor.single)
        net.annualEffect?.minorUnits -= sum.rounded()
        return net
    }
}
