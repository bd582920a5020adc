/// What a contract says about leaving it.
public struct ContractTerms: Sendable, Hashable {
    /// The last day of the current term.
    public var endsOn: CalendarDay?
    /// Counted from the day of entry; 0 for none.
    public var minimumMonths = 0
    /// By how many months the contract goes on when nobody cancels; 0 for month by month with its billing days.
    public var extensionMonths = 0
    /// How many days before the end a cancellation must be given.
    public var noticeDays = 0

    public init() {}

    public static let noticeDaysRange = 0...730
    public static let monthsRange = 0...240

    func requireValid() throws(Fault) {
        _ = try FieldRules.within(Self.noticeDaysRange, noticeDays, field: "notice_days")
        _ = try FieldRules.within(Self.monthsRange, minimumMonths, field: "minimum_months")
        _ = try FieldRules.within(Self.monthsRange, extensionMonths, field: "extension_months")
    }
}

/// The last safe day to cancel, and what it avoids.
public struct CancelBy: Sendable, Hashable {
    public enum Reason: String, Sendable, Hashable {
        /// The trial would convert.
        case trial
        /// The contract's term would be extended.
        case contract
        /// The next billing day would be charged.
        case billing
    }

    /// On this day it is still in time.
    public var lastDay: CalendarDay
    /// The day of the charge or of the extension that follows when nobody cancels.
    public var avoids: CalendarDay
    public var reason: Reason
}

extension Subscription {
    /// The last safe day to cancel on or after `today`; nil when nothing follows: paused, cancelled or ended for good,
    /// a trial that does not convert, a lifetime purchase, and what is paid within another subscription.
    ///
    /// - A contract's term ends with its ``ContractTerms/endsOn`` or the minimum term, whichever is later, and goes on
    ///   by its extension; notice is counted back from the last day of the term.
    /// - Without a term, notice is counted back from the next charge; the day before it at the latest.
    public func cancelBy(today: CalendarDay) -> CancelBy? {
        guard bundledIn == nil, status(on: today).isCharged else { return nil }
        if let trial, trial.converts, today <= trial.endsOn {
            let lastDay = trial.endsOn.adding(days: -max(contract.noticeDays, 1))
            if lastDay >= today { return CancelBy(lastDay: lastDay, avoids: trial.endsOn, reason: .trial) }
        }
        if let end = termEnd(notBefore: today.adding(days: contract.noticeDays)) {
            let lastDay = end.adding(days: -contract.noticeDays)
            // A cancellation or an end that is noted already leaves nothing to be extended.
            guard status(on: end.adding(days: 1)).isCharged else { return nil }
            return CancelBy(lastDay: lastDay, avoids: end.adding(days: 1), reason: .contract)
        }
        let notice = max(contract.noticeDays, 1)
        guard cycle.step != .once, let charge = nextCharge(onOrAfter: today.adding(days: notice)) else { return nil }
        return CancelBy(lastDay: charge.adding(days: -notice), avoids: charge, reason: .billing)
    }

    /// The last day of the first term that ends on or after a day; nil without a term, and when the last one is over
    /// and billing goes on from day to day.
    private func termEnd(notBefore day: CalendarDay) -> CalendarDay? {
        var first = contract.endsOn
        if contract.minimumMonths > 0 {
            let minimum = startedOn.adding(months: contract.minimumMonths).adding(days: -1)
            first = max(first ?? minimum, minimum)
        }
        guard let first else { return nil }
        guard first < day else { return first }
        guard contract.extensionMonths > 0 else { return nil }
        // Counted from the day after the first term, so that ends of months do not wear down.
        let terms = BillingSchedule(
            anchor: first.adding(days: 1), cycle: .every(count: contract.extensionMonths, unit: .months) ?? .monthly)
        return terms.next(onOrAfter: day.adding(days: 1))?.adding(days: -1)
    }
}
