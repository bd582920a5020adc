public import Foundation

/// Something dated of which there may be reminders.
public struct ReminderFact: Sendable, Hashable {
    /// What happens on the day.
    public enum Event: Sendable, Hashable {
        /// A charge of this amount.
        case charge(Money)
        /// With the first charge; nil when the subscription ends with its trial.
        case trialEnd(Money?)
        /// With what is not charged when it is cancelled in time.
        case cancelBy(Money)
        /// The price changes, perhaps to another currency.
        case priceChange(from: Money, to: Money)
        /// So many percent of a budget are spent.
        case budget(BudgetStatus, percent: Int)

        /// The kind of reminder, without the amounts.
        public var kind: ReminderKind {
            switch self {
            case .charge: .charge
            case .trialEnd: .trialEnd
            case .cancelBy: .cancelBy
            case .priceChange: .priceChange
            case .budget: .budget
            }
        }
    }

    /// The subscription; nil for a budget.
    public var subscriptionID: UUID?
    /// The name of the subscription, or what the budget is for.
    public var name: String
    /// The day of the event.
    public var on: CalendarDay
    /// What happens, with its amounts.
    public var event: Event
    /// The days before it on which there are reminders.
    public var days: [Int]

    /// Takes the fields as they are.
    public init(subscriptionID: UUID?, name: String, on: CalendarDay, event: Event, days: [Int]) {
        self.subscriptionID = subscriptionID
        self.name = name
        self.on = on
        self.event = event
        self.days = days
    }

    /// Stable: the same for the same event, whenever it is computed.
    func id(daysBefore days: Int) -> String {
        if case .budget(let status, let percent) = event {
            let first = status.budget.range(around: on).lowerBound
            return "budget-\(status.budget.id.lowercased)-\(first.iso)-\(percent)"
        }
        let kind = event.kind == .charge ? "" : "\(event.kind.rawValue)-"
        return "subscription-\(subscriptionID?.lowercased ?? "")-\(kind)\(on.iso)-\(days)"
    }
}

extension Subscription {
    /// The end of the trial, the last day to cancel and new prices, from `first` on, of which `policy` wants reminders.
    /// Charges come from the ledger. `catalogueNotice` is as for ``cancelBy(today:catalogueNotice:)``.
    public func reminderFacts(
        from first: CalendarDay, today: CalendarDay, catalogueNotice: Int? = nil, _ policy: ReminderPolicy
    ) -> [ReminderFact] {
        var facts: [ReminderFact] = []
        func note(_ event: ReminderFact.Event, on day: CalendarDay) {
            let days = policy.days(of: event.kind, reminders)
            guard !days.isEmpty, day >= first else { return }
            facts.append(ReminderFact(subscriptionID: id, name: name, on: day, event: event, days: days))
        }
        guard bundledIn == nil else { return [] }
        if let end = trialEnd(from: first) { note(.trialEnd(end.charge), on: end.on) }
        if let deadline = cancelDeadline(today: today, catalogueNotice: catalogueNotice) {
            note(.cancelBy(deadline.amount), on: deadline.lastDay)
        }
        for (before, after) in zip(priceHistory, priceHistory.dropFirst())
        where after.from >= first && before.amount != after.amount && after.from > startedOn
            && nextCharge(onOrAfter: after.from) != nil
        {
            note(.priceChange(from: before.amount, to: after.amount), on: after.from)
        }
        return facts
    }

    /// The last day of a trial that ends on a day or later, with the first charge. Nil without one, and when the
    /// subscription is over, paused or bundled by then.
    public func trialEnd(from day: CalendarDay) -> (on: CalendarDay, charge: Money?)? {
        guard let trial, trial.endsOn >= day, bundledIn == nil, status(on: trial.endsOn).isCharged else { return nil }
        guard trial.converts else { return (trial.endsOn, nil) }
        return nextCharge(onOrAfter: trial.endsOn).map { (trial.endsOn, charge(on: $0)) }
    }

    /// The last day to cancel when one has to act in time: before a trial converts or a contract is extended, within a
    /// notice period, and before a charge for at least half a year. Nil otherwise: then the reminder of the charge is
    /// enough. `catalogueNotice` is as for ``cancelBy(today:catalogueNotice:)``.
    public func cancelDeadline(today: CalendarDay, catalogueNotice: Int? = nil) -> CancelBy? {
        guard let cancelBy = cancelBy(today: today, catalogueNotice: catalogueNotice) else { return nil }
        switch cancelBy.reason {
        case .trial, .contract: return cancelBy
        case .renewal: return contract.noticeDays > 0 || cycle.isLong ? cancelBy : nil
        }
    }
}

extension BillingCycle {
    /// Whether at least half a year is paid at once.
    public var isLong: Bool {
        switch step {
        case .days(let count): count >= 180
        case .months(let count): count >= 6
        case .once: false
        }
    }
}
