/// Contract terms that limit when a subscription can be cancelled.
public struct ContractTerms: Sendable, Hashable {
    /// The last day of the current term.
    public var endsOn: CalendarDay?
    /// Minimum term in months from ``Subscription/startedOn``; 0 for none.
    public var minimumMonths = 0
    /// Months by which the contract is extended unless cancelled; 0 when it continues from one billing day to the next.
    public var extensionMonths = 0
    /// Notice period in days before the end of the term.
    public var noticeDays = 0

    /// No term, no extension and no notice period: it can be cancelled until the day before each charge.
    public init() {}

    /// Notice periods, in days.
    public static let noticeDaysRange = 0...730
    /// Minimum terms and extensions, in months.
    public static let monthsRange = 0...240

    func requireValid() throws(Fault) {
        _ = try FieldRules.within(Self.noticeDaysRange, noticeDays, field: "notice_days")
        _ = try FieldRules.within(Self.monthsRange, minimumMonths, field: "minimum_months")
        _ = try FieldRules.within(Self.monthsRange, extensionMonths, field: "extension_months")
    }
}

/// The last day to cancel, and the charge or extension that cancelling avoids.
public struct CancelBy: Sendable, Hashable {
    /// What happens after the last day to cancel.
    public enum Reason: String, Sendable, Hashable {
        /// The trial would convert to a paid subscription.
        case trial
        /// The contract would be extended.
        case contract
        /// The next billing day would be charged.
        case renewal
    }

    /// The last day on which cancelling is still in time.
    public var lastDay: CalendarDay
    /// The day of the first charge that is avoided.
    public var avoids: CalendarDay
    /// What sets the last day: a trial, a contract term or the next charge.
    public var reason: Reason
    /// What is not charged when it is cancelled in time: one charge, or those of the term that would begin. Charges in
    /// another currency than the first are left out.
    public var amount: Money
}

extension Subscription {
    /// The last day to cancel, on or after `today`. Nil when no charge follows: paused without an end, cancelled or
    /// ended, a trial that does not convert, a lifetime purchase, or included in another subscription.
    ///
    /// - A contract ends with ``ContractTerms/endsOn`` or the minimum term, whichever is later, and is then extended.
    ///   The notice period ends on the last day of the term. A term in which nothing is charged is passed over.
    /// - Without a term, the notice period ends on the day before the next charge.
    /// - A trial ends without notice, unless the user entered one; see `trialNotice(catalogue:)`.
    /// - Charges that were skipped or paid ahead cannot be avoided.
    ///
    /// `catalogueNotice` is the notice period of the linked catalogue item, in days.
    public func cancelBy(today: CalendarDay, catalogueNotice: Int? = nil) -> CancelBy? {
        guard bundledIn == nil, !status(on: today).isOver else { return nil }
        // Before its first day, an earlier charge comes first.
        if let trial, trial.converts, today <= trial.endsOn,
            nextCharge(onOrAfter: today).map({ $0 >= trial.endsOn }) ?? true
        {
            let lastDay = trial.endsOn.adding(days: -trialNotice(catalogue: catalogueNotice))
            if lastDay >= today {
                guard let first = avoidable(onOrAfter: trial.endsOn) else { return nil }
                return CancelBy(
                    lastDay: lastDay, avoids: first, reason: .trial,
                    amount: sum(from: first, through: termEnd(notBefore: first) ?? first))
            }
        }
        var earliest = today.adding(days: contract.noticeDays)
        while let end = termEnd(notBefore: earliest) {
            guard end < .latest, let first = avoidable(onOrAfter: end.adding(days: 1)) else { return nil }
            let next = termEnd(notBefore: end.adding(days: 1))
            if let next, next < first {
                earliest = next
                continue
            }
            return CancelBy(
                lastDay: end.adding(days: -contract.noticeDays), avoids: first, reason: .contract,
                amount: sum(from: first, through: next ?? first))
        }
        // The notice period ends on the last day that is paid for.
        let lead = contract.noticeDays + 1
        guard cycle.step != .once, let charge = avoidable(onOrAfter: today.adding(days: lead)) else { return nil }
        return CancelBy(
            lastDay: charge.adding(days: -lead), avoids: charge, reason: .renewal,
            amount: sum(from: charge, through: charge))
    }

    /// How many days before the last day of its trial a subscription must be cancelled, at least 1. The notice period
    /// of a service is that of its paid contract, so the one that the catalogue filled in does not count.
    ///
    /// - Parameter catalogue: the notice period of the linked catalogue item, in days.
    func trialNotice(catalogue: Int?) -> Int { contract.noticeDays == catalogue ? 1 : max(contract.noticeDays, 1) }

    /// The first charge on or after a day that is not paid yet.
    private func avoidable(onOrAfter day: CalendarDay) -> CalendarDay? {
        var from = day
        while let charge = nextCharge(onOrAfter: from) {
            guard case .paid = decisions[charge] else { return charge }
            guard charge < .latest else { return nil }
            from = charge.adding(days: 1)
        }
        return nil
    }

    /// The charges of a range that are not paid yet, in the currency of the first day.
    private func sum(from first: CalendarDay, through last: CalendarDay) -> Money {
        var sum = Money(minorUnits: 0, currency: price(on: first).currency)
        visitCharges(from: first, through: last) { day in
            let price = price(on: day)
            if decisions[day] == nil, price.currency == sum.currency { sum.minorUnits += price.minorUnits }
            return true
        }
        return sum
    }

    /// The last day of the first term that ends on or after a day. Nil without a term, and when the last term is over
    /// and is not extended. A charge on the last day that was entered is the first of the next term, so the term ends
    /// before it.
    func termEnd(notBefore day: CalendarDay) -> CalendarDay? {
        var first = contract.endsOn.map { end in
            let following = end < .latest ? schedule.next(onOrAfter: end.adding(days: 1)) : nil
            let isCharged = schedule.next(onOrAfter: end) == end && following != end.adding(days: 1)
            return isCharged && end > startedOn ? end.adding(days: -1) : end
        }
        if contract.minimumMonths > 0 {
            let minimum = startedOn.adding(months: contract.minimumMonths).adding(days: -1)
            first = max(first ?? minimum, minimum)
        }
        guard let first else { return nil }
        guard first < day else { return first }
        guard contract.extensionMonths > 0 else { return nil }
        // Counted from the day after the first term, so that month ends are kept (31 January, 28 February, 31 March).
        let terms = BillingSchedule(
            anchor: first.adding(days: 1), cycle: .every(count: contract.extensionMonths, unit: .months) ?? .monthly)
        return terms.next(onOrAfter: day.adding(days: 1))?.adding(days: -1)
    }
}
