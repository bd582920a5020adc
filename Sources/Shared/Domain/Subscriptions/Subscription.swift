public import Foundation

/// A recurring payment with everything the user entered about it.
///
/// Holds dated facts only; everything that depends on the current day takes the day as a parameter.
public struct Subscription: Sendable, Hashable, Identifiable {
    /// Never changes; the same on all devices.
    public var id: UUID
    /// The name to show: 1…200 characters, trimmed by ``validated()``.
    public var name: String
    /// The initial price; ``prices`` hold later ones. An estimate when ``isVariable``.
    public var price: Money
    /// The billing days, regardless of trial, pauses and cancellations.
    public var schedule: BillingSchedule
    /// The first day: that of entry, or an earlier one. A later one takes back what was charged before it.
    public var startedOn: CalendarDay
    /// Billing days before this day are ignored. The day of entry, or of the last change of the schedule or of what
    /// includes it.
    public var trackedFrom: CalendarDay
    /// Whether it is for work or private life.
    public var scope = SubscriptionScope.personal
    /// The kind of service; a custom category requires premium.
    public var category = SubscriptionCategory.other
    /// Sorted by day, one per day.
    public var prices: [DatedPrice] = []
    /// Sorted by day, one per day. Active before the first.
    public var states: [DatedState] = []
    /// Coming charges that were skipped or paid ahead. Read from the ledger; saving a subscription does not write them.
    public var decisions: [CalendarDay: ChargeDecision] = [:]
    /// The free period; nil without one.
    public var trial: Trial?
    /// The last day of a fixed term.
    public var endsOn: CalendarDay?
    /// Terms that limit when it can be cancelled; none by default.
    public var contract = ContractTerms()
    /// Whether the amount differs from charge to charge, so that the price is an estimate.
    public var isVariable = false
    /// Reminders of its own and muted kinds; by default those set for all subscriptions.
    public var reminders = ReminderPlan()
    /// A description of at most 10,000 characters; empty for none.
    public var details = ""
    /// At most 10,000 characters, also on several lines; empty for none.
    public var notes = ""
    /// An https or http link, or one without a scheme, as entered; empty for none.
    public var website = ""
    /// At most 200 characters, as entered; ``isPaidThroughAppStore`` reads it. Empty when unknown.
    public var paymentMethod = ""
    /// The name of an icon; defined by the client.
    public var icon = ""
    /// `#RRGGBB`, or empty.
    public var color = ""
    /// The catalogue item that it is linked to; nil for none.
    public var catalogueItemID: UUID?
    /// The subscription that replaced this one; subtracted from savings.
    public var replacedBy: UUID?
    /// The subscription that includes this one; its own price is then not counted.
    public var bundledIn: UUID?
    /// When it was added.
    public var createdAt: UTCInstant

    /// An active subscription with defaults in all other fields, tracked from `startedOn` on. Nothing is checked.
    public init(
        id: UUID, name: String, price: Money, schedule: BillingSchedule, startedOn: CalendarDay, createdAt: UTCInstant
    ) {
        self.id = id
        self.name = name
        self.price = price
        self.schedule = schedule
        self.startedOn = startedOn
        trackedFrom = startedOn
        self.createdAt = createdAt
    }

    /// The currency of the newest price.
    public var currency: Currency { (prices.last?.amount ?? price).currency }
    /// How often it is charged, by its ``schedule``.
    public var cycle: BillingCycle { schedule.cycle }
}

extension Subscription {
    /// The status on a day: cancelled precedes ended, which precedes paused and trial.
    public func status(on day: CalendarDay) -> SubscriptionStatus {
        let state = state(on: day)
        if state == .cancelled { return .cancelled }
        if let endsOn, endsOn < day { return .ended }
        if let trial, !trial.converts, trial.endsOn < day { return .ended }
        if state == .paused { return .paused }
        if let trial, trial.contains(day) { return .trial }
        return .active
    }

    /// The first day of the cancellation that is in force on a day; nil for none.
    package func cancelledOn(by day: CalendarDay) -> CalendarDay? {
        guard status(on: day) == .cancelled else { return nil }
        return stateHistory.last { $0.from <= day }?.from
    }

    /// The price on a day.
    public func price(on day: CalendarDay) -> Money {
        let later = prices.firstIndex(after: day)
        return later > 0 ? prices[later - 1].amount : price
    }

    /// The amount of a charge: what was paid ahead, else the price on that day.
    public func charge(on day: CalendarDay) -> Money {
        if case .paid(let amount) = decisions[day] { return amount }
        return price(on: day)
    }

    /// The first day of a cancellation that is still to come; nil when there is none.
    public func cancelsOn(after day: CalendarDay) -> CalendarDay? {
        guard status(on: day) != .cancelled else { return nil }
        return states.first { $0.from > day && !$0.isOverruled && $0.state == .cancelled }?.from
    }

    /// The prices with their first days, starting with the initial one, each different from the one before.
    public var priceHistory: [DatedPrice] {
        let first = DatedPrice(from: min(startedOn, prices.first?.from ?? startedOn), amount: price)
        var history = prices.first?.from == first.from ? [] : [first]
        for price in prices where price.amount != history.last?.amount { history.append(price) }
        return history
    }

    /// The next billing day on or after a day, regardless of pauses and cancellations.
    public func nextBilling(onOrAfter day: CalendarDay) -> CalendarDay? {
        schedule.next(onOrAfter: max(day, trackedFrom, startedOn))
    }

    /// The next charge on or after a day; nil when nothing more is charged. For an included subscription, and for one
    /// that is or will be paused until it is resumed, the day on which it would be charged otherwise.
    public func comingBilling(onOrAfter day: CalendarDay) -> CalendarDay? {
        if let charge = nextCharge(onOrAfter: day) { return charge }
        guard bundledIn != nil || states.contains(where: { $0.state == .paused && !$0.isOverruled }) else { return nil }
        var resumed = self
        resumed.bundledIn = nil
        for index in states.indices where states[index].state == .paused { resumed.states[index].state = .active }
        return resumed.nextCharge(onOrAfter: day)
    }

    /// Whether a day is in the schedule and charged.
    public func isBillingDay(_ day: CalendarDay) -> Bool { nextCharge(onOrAfter: day) == day }

    /// Whether this billing day is charged.
    public func isCharged(on day: CalendarDay) -> Bool {
        isDue(on: day) && decisions[day] != .skipped
    }

    /// Whether this billing day is charged unless the user skips it.
    func isDue(on day: CalendarDay) -> Bool {
        guard day >= trackedFrom, day >= startedOn, bundledIn == nil, status(on: day).isCharged else { return false }
        guard let trial, trial.contains(day) else { return true }
        return day == trial.endsOn && trial.converts
    }

    /// Whether it counts in the totals of a day: active, or in a trial that converts, not included in another
    /// subscription, and with a charge still to come. A lifetime purchase counts without one.
    public func counts(on day: CalendarDay) -> Bool {
        let isRunning =
            switch status(on: day) {
            case .active: true
            case .trial: trial?.converts == true
            case .paused, .cancelled, .ended: false
            }
        return isRunning && bundledIn == nil && (cycle.step == .once || nextCharge(onOrAfter: day) != nil)
    }

    /// The first charged billing day on or after a day; nil when nothing more is charged.
    public func nextCharge(onOrAfter day: CalendarDay) -> CalendarDay? {
        guard bundledIn == nil else { return nil }
        var from = day
        while let billing = nextBilling(onOrAfter: from) {
            if isDue(on: billing) {
                guard decisions[billing] == .skipped else { return billing }
                guard billing < .latest else { return nil }
                from = billing.adding(days: 1)
                continue
            }
            guard let change = endOfPause(after: billing) else { return nil }
            from = change
        }
        return nil
    }

    /// The day after one that is not charged before which no other is: that of the next active state, or the end of the
    /// trial. Nil when nothing more is charged.
    private func endOfPause(after day: CalendarDay) -> CalendarDay? {
        if state(on: day) != .active {
            return states[states.firstIndex(after: day)...].first { $0.state == .active && !$0.isOverruled }?.from
        }
        guard let trial, trial.contains(day), trial.converts else { return nil }
        return max(trial.endsOn, day.adding(days: 1))
    }

    /// Calls `visit` with each charged billing day from `first` through `last`, in order, until it returns false.
    public func visitCharges(from first: CalendarDay, through last: CalendarDay, _ visit: (CalendarDay) -> Bool) {
        var from = first
        while let day = nextCharge(onOrAfter: from), day <= last, visit(day), day < .latest {
            from = day.adding(days: 1)
        }
    }

    /// The charged billing days from `first` through `last`, both included, in order.
    public func charges(from first: CalendarDay, through last: CalendarDay) -> [CalendarDay] {
        var days: [CalendarDay] = []
        visitCharges(from: first, through: last) { day in
            days.append(day)
            return true
        }
        return days
    }

    /// The first day after `day` with a change other than a charge: a price, a state, the end of a trial or of a fixed
    /// term.
    public func nextChange(after day: CalendarDay) -> CalendarDay? {
        var days = prices.map(\.from) + states.filter { !$0.isOverruled }.map(\.from)
        if let trial { days += [trial.startsOn, trial.endsOn, trial.endsOn.adding(days: 1)].compactMap(\.self) }
        if let endsOn { days.append(endsOn.adding(days: 1)) }
        return days.filter { $0 > day }.min()
    }
}
