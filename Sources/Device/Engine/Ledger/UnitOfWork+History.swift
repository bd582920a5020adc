import SQLDatabase
package import SubGuardDomain
import SubGuardSQL

// Charges of the past that no schedule derives: those before the day of entry, and those that were undone.

extension UnitOfWork {
    /// Writes the charges before the day of entry as rows of the ledger, so that they stay what they are when the
    /// schedule changes. Days on which it was paused, on trial or cancelled are rows too: they are charges again when
    /// that is corrected.
    ///
    /// After a later start, what was charged before it no longer counts, unless the user confirmed it or recorded an
    /// amount. The rows stay, because a deleted one would return from another device; an earlier start takes them up
    /// again.
    ///
    /// - Parameter former: the start until now; nil for a new subscription.
    func recordHistory(of subscription: Subscription, startedUntilNow former: CalendarDay?) throws {
        let number = try subscriptions.requireNumber(of: subscription.id)
        let first = subscription.startedOn
        let entry = former ?? min(today, subscription.trackedFrom)
        if let former, former < first {
            for day in try days(Self.isUntouched, of: number, .earliest, first) {
                try save(.skipped, number, day)
            }
        }
        guard first < entry, subscription.bundledIn == nil else { return }
        // What a later start, or undoing an earlier one, took back.
        let entered = moment.time.day(at: subscription.createdAt)
        let present = try days(
            "withheld IS NULL AND fate = 3 AND acted_at IS NULL AND paid IS NULL", of: number, first, entry)
        for day in present where day < subscription.trackedFrom {
            try save(day < entered ? .assumed : .open, number, day)
        }
        // The schedule may have changed since: these rows show the days of then.
        let known = try days("coalesce(withheld, fate) = 4", of: number, first, entry).first
        var past = subscription
        if let known, !past.billingDays(before: entry).contains(known) { past.schedule.anchor = known }
        for day in past.billingDays(before: known ?? entry)
        where try EntityTables.ledger.row([.integer(number), .day(day)], in: session) == nil {
            try save(.assumed, number, day)
        }
        try SubscriptionProjection(session: session, today: today).settleHistory(of: subscription, number)
    }

    /// Moves the charges until today to the days of a corrected schedule. In the time that a statement covers nothing
    /// is left, because it has what was charged; before and after it, what the user acted upon stays.
    package func moveHistory(of subscription: Subscription, covered: ClosedRange<CalendarDay>) throws {
        let number = try subscriptions.requireNumber(of: subscription.id)
        let (first, last) = (covered.lowerBound.adding(days: -7), covered.upperBound.adding(days: 8))
        let wrong =
            try days("coalesce(withheld, fate) <> 3 OR acted_at IS NOT NULL", of: number, first, last)
            + days(Self.isUntouched, of: number, .earliest, today)
        for day in wrong { try save(.skipped, number, day) }
        guard subscription.bundledIn == nil else { return }
        let kept = Set(try days("fate <> 3 OR acted_at IS NOT NULL", of: number, .earliest, today))
        for day in subscription.billingDays(before: today) where !covered.contains(day) && !kept.contains(day) {
            try save(.assumed, number, day)
        }
        try SubscriptionProjection(session: session, today: today).settleHistory(of: subscription, number)
    }

    /// Counts what follows a charge from the day on which it was paid, unless a later one was paid already.
    ///
    /// - Parameter isNamed: whether a person named the day, which is an edit then.
    package func renew(_ charge: OccurrenceID, paidOn day: CalendarDay, isNamed: Bool = false) throws {
        var subscription = try subscriptions.load(charge.subscriptionID)
        guard subscription.cycle.isCountedFromPayment, subscription.bundledIn == nil else { return }
        let later = "SELECT 1 FROM ledger WHERE subscription = ? AND due_day > ? AND fate IN (1, 2, 4) LIMIT 1"
        let number = SQLValue.integer(try subscriptions.requireNumber(of: charge.subscriptionID))
        guard try session.first(later, [number, .day(charge.billingOn)], { _ in true }) == nil else { return }
        let former = subscription.schedule
        subscription.renew(after: charge.billingOn, paidOn: day)
        guard subscription.schedule != former else { return }
        try stamping(as: isNamed ? stamping : .along) { try save(try subscription.validated()) }
    }

    /// Charges that the user neither confirmed nor skipped, and without a recorded amount.
    private static let isUntouched = "coalesce(withheld, fate) IN (0, 4) AND acted_at IS NULL AND paid IS NULL"

    /// The days of a subscription's ledger from `first` on and before `last`, in order.
    private func days(
        _ condition: String, of number: Int64, _ first: CalendarDay, _ last: CalendarDay
    ) throws -> [CalendarDay] {
        let sql = """
            SELECT due_day FROM ledger WHERE subscription = ? AND due_day >= ? AND due_day < ? AND (\(condition)) \
            ORDER BY due_day
            """
        return try session.query(sql, [.integer(number), .day(first), .day(last)]) { try $0.day(0) }
    }

    /// Writes a row that the user did not act upon.
    private func save(_ fate: OccurrenceFate, _ number: Int64, _ day: CalendarDay) throws {
        try along {
            try EntityTables.ledger.save(
                [.integer(number), .day(day)], [.count(fate.rawValue), .null, .null, .null], in: self)
        }
    }
}
