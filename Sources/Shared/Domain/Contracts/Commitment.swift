/// What a subscription still costs after it was cancelled: the charges of the running term or of the notice period.
public struct Commitment: Sendable, Hashable {
    /// The last day of the term or notice period.
    public var through: CalendarDay
    /// One amount per currency, sorted by code; empty when nothing more is charged by then.
    public var amounts: [Money]
}

extension Subscription {
    /// What is still charged when it is cancelled on a day. Nil when a cancellation takes effect at once: without a
    /// term and notice period, and in a trial that can still be cancelled.
    ///
    /// `catalogueNotice` is the notice period of the linked catalogue item, in days.
    public func commitment(cancelledOn day: CalendarDay, catalogueNotice: Int? = nil) -> Commitment? {
        guard bundledIn == nil, !status(on: day).isOver else { return nil }
        let trialNotice = trialNotice(catalogue: catalogueNotice)
        if let trial, trial.contains(day), trial.endsOn.adding(days: -trialNotice) >= day { return nil }
        let noticeEnd = day.adding(days: contract.noticeDays)
        let through = termEnd(notBefore: noticeEnd) ?? noticeEnd
        guard through > day else { return nil }
        return Commitment(through: through, amounts: charged(from: day, through: through))
    }

    /// The first day that is no longer charged when it is cancelled on `today` without another date: the day after the
    /// commitment when that still costs something, so that these charges stay in the forecast; otherwise `today`.
    public func cancellationDay(today: CalendarDay, catalogueNotice: Int? = nil) -> CalendarDay {
        guard let commitment = commitment(cancelledOn: today, catalogueNotice: catalogueNotice),
            !commitment.amounts.isEmpty
        else { return today }
        return commitment.through.adding(days: 1)
    }

    /// The charges of a range of days, one sum per currency, sorted by code.
    public func charged(from first: CalendarDay, through last: CalendarDay) -> [Money] {
        Money.sums(of: charges(from: first, through: last).map(charge(on:)))
    }
}
