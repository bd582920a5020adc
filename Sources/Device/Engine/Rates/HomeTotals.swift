import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

/// Sums in the home currency; nil while none is set.
///
/// Past charges convert at the rate of their day, coming ones and yearly costs at the latest. Nothing is rounded before
/// the end, so a sum need not be the sum of rounded parts.
extension DeviceStore.Rates {
    /// The yearly cost of active subscriptions. With `isNet`, only the owner's part of shared ones counts.
    public func annualCost(isNet: Bool = false, at moment: Moment) throws -> HomeSum? {
        try converted(from: moment.today, through: moment.today, at: moment) { session, sum in
            var currencies = CurrencyCache()
            let sql = """
                SELECT currency, cycle, sum(amount) FROM standings INDEXED BY idx_standings_is_counted \
                WHERE is_counted = 1 GROUP BY currency, cycle
                """
            try session.forEach(sql, []) { row in
                guard let cycle = CycleCode.cycle(try row.integer(1)) else { throw SQLError.malformed("cycle") }
                let amount = Money(
                    minorUnits: try row.integer(2), currency: try currencies.currency(try row.integer(0)))
                sum.add(amount, times: cycle.annualFactor, on: moment.today)
            }
            guard isNet else { return }
            for (subscription, others) in try OthersReader(session: session, today: moment.today).ofYears() {
                sum.add(others.negated, times: subscription.cycle.annualFactor.single, on: moment.today)
            }
        }
    }

    /// Amounts that are still to come.
    public func coming(_ amounts: [Money], at moment: Moment) throws -> HomeSum? {
        try converted(from: moment.today, through: moment.today, and: amounts, at: moment) { _, sum in
            for amount in amounts { sum.add(amount, on: moment.today) }
        }
    }

    /// An amount at today's rate, such as the yearly amount of one subscription; nil without a home currency or a rate.
    public func converted(_ amount: Money, at moment: Moment) throws -> Money? {
        try coming([amount], at: moment).flatMap { $0.unconverted.isEmpty ? $0.amount : nil }
    }

    /// What was spent from `first` through `last`, both included, and amounts that are still to come. With `isNet`,
    /// only the owner's part of what was spent counts; the coming amounts are taken as they are.
    public func spent(
        from first: CalendarDay, through last: CalendarDay, andComing amounts: [Money] = [], isNet: Bool = false,
        at moment: Moment
    ) throws -> HomeSum? {
        try converted(from: first, through: max(last, moment.today), and: amounts, at: moment) { session, sum in
            for amount in amounts { sum.add(amount, on: moment.today) }
            if isNet {
                for part in try OthersReader(session: session, today: moment.today).parts(from: first, through: last)
                where part.isCharged {
                    sum.add(part.amount.negated, on: part.on)
                }
            }
            let reader = SpendingReader(session: session, today: moment.today)
            let spent = try reader.sums(by: .nothing, from: first, through: last)
            let home = sum.home
            for part in spent where part.currency == home {
                sum.add(Money(minorUnits: part.confirmed + part.assumed, currency: home), on: moment.today)
            }
            guard spent.contains(where: { $0.currency != home }) else { return }
            try reader.forEachDay(otherThan: home, from: first, through: last) { sum.add($1, on: $0) }
        }
    }

    /// - Parameter amounts: others than those of subscriptions, such as limits of budgets.
    private func converted(
        from first: CalendarDay, through last: CalendarDay, and amounts: [Money] = [], at moment: Moment,
        _ body: (any SQLSession, inout HomeSum) throws -> Void
    ) throws -> HomeSum? {
        try store.read(at: moment) { session in
            guard let home = try HomeCurrency.read(session) else { return nil }
            // Of charges before today, the read model knows the currencies; only the few others are in the ledger
            // alone.
            let sql = """
                SELECT currency FROM subscriptions UNION SELECT currency FROM prices WHERE is_removed = 0 \
                UNION SELECT currency FROM spending \
                UNION SELECT paid_currency FROM ledger \
                WHERE fate IN (1, 2) AND due_day >= ? AND paid_currency IS NOT NULL
                """
            let used = try session.query(sql, [.day(moment.today)]) { Currency(code: try $0.text(0)) }
                .compactMap { $0 }
            let table = try RateReader(session).table(
                of: Set(used + amounts.map(\.currency) + [home]), from: first, through: last)
            var sum = HomeSum(home: home, rates: table)
            try body(session, &sum)
            return sum
        }
    }
}
