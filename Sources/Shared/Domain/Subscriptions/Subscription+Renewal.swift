// Prepaid cards and the like: each charge is counted from the day on which the one before was paid.

extension Subscription {
    /// The days on which a charge can have been paid: from one cycle before its day through `today`. Nil for a cycle
    /// that is not counted from payments, and for a charge that is too far ahead.
    public func paymentDays(of charge: CalendarDay, today: CalendarDay) -> ClosedRange<CalendarDay>? {
        guard cycle.isCountedFromPayment else { return nil }
        let before =
            switch cycle.step {
            case .days(let count): charge.adding(days: -count)
            case .months(let count): charge.adding(months: -count, anchorDay: charge.day)
            case .once: charge
            }
        let first = before.adding(days: 1)
        return first <= today ? first...today : nil
    }

    /// Counts the charges after one from the day on which that one was paid. Later charges follow as if each was paid
    /// on its day. Does nothing for other cycles, and on a day that is not in ``paymentDays(of:today:)``.
    public mutating func renew(after charge: CalendarDay, paidOn day: CalendarDay) {
        guard cycle.isCountedFromPayment, let next = BillingSchedule(anchor: day, cycle: cycle).day(at: 1),
            next > charge, nextBilling(onOrAfter: charge.adding(days: 1)) != next
        else { return }
        schedule.anchor = next
        // Charges that followed the unpaid one are none.
        trackedFrom = charge.adding(days: 1)
    }
}
