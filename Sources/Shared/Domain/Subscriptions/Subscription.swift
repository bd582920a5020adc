public import Foundation

/// A recurring payment with everything the user entered about it.
///
/// Holds dated facts only; everything that depends on the current day takes the day as a parameter.
public struct Subscription: Sendable, Hashable, Identifiable {
    public var id: UUID
    public var name: String
    /// The initial price; ``prices`` hold later ones. An estimate when ``isVariable``.
    public var price: Money
    public var schedule: BillingSchedule
    /// The day of entry.
    public var startedOn: CalendarDay
    /// Billing days before this day are ignored. The day of entry, or of the last change of the schedule.
    public var trackedFrom: CalendarDay
    public var category = SubscriptionCategory.personal
    /// Sorted by day, one per day.
    public var prices: [DatedPrice] = []
    /// Sorted by day, one per day. Active before the first.
    public var states: [DatedState] = []
    public var trial: Trial?
    /// The last day of a fixed term.
    public var endsOn: CalendarDay?
    public var contract = ContractTerms()
    public var isVariable = false
    public var reminders = ReminderPlan()
    public var details = ""
    public var notes = ""
    public var website = ""
    public var paymentMethod = ""
    /// The name of an icon; defined by the client.
    public var icon = ""
    /// `#RRGGBB`, or empty.
    public var color = ""
    public var catalogueItemID: UUID?
    /// The subscription that replaced this one; subtracted from savings.
    public var replacedBy: UUID?
    /// The subscription that includes this one; its own price is then not counted.
    public var bundledIn: UUID?
    public var createdAt: UTCInstant

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

    public var currency: Currency { price.currency }
    public var cycle: BillingCycle { schedule.cycle }
}

extension Subscription {
    public func status(on day: CalendarDay) -> SubscriptionStatus {
        let state = states.last { $0.from <= day }?.state ?? .active
        if state == .cancelled { return .cancelled }
        if let endsOn, endsOn < day { return .ended }
        if let trial, !trial.converts, trial.endsOn < day { return .ended }
        if state == .paused { return .paused }
        if let trial, day <= trial.endsOn { return .trial }
        return .active
    }

    /// The price on a day.
    public func price(on day: CalendarDay) -> Money {
        guard let dated = prices.last(where: { $0.from <= day }) else { return price }
        return Money(minorUnits: dated.minorUnits, currency: currency)
    }

    /// All prices with their first days, starting with the initial price.
    public var priceHistory: [DatedPrice] {
        let first = DatedPrice(from: min(startedOn, prices.first?.from ?? startedOn), minorUnits: price.minorUnits)
        guard prices.first?.from != first.from else { return prices }
        return [first] + prices
    }

    /// The next billing day on or after a day, regardless of pauses and cancellations.
    public func nextBilling(onOrAfter day: CalendarDay) -> CalendarDay? {
        schedule.next(onOrAfter: max(day, trackedFrom))
    }

    /// The next billing day on or after a day; nil when nothing more is charged. For a paused or included subscription, the
    /// day by its schedule.
    public func comingBilling(onOrAfter day: CalendarDay) -> CalendarDay? {
        if bundledIn == nil, status(on: day) != .paused, nextCharge(onOrAfter: day) == nil { return nil }
        return nextBilling(onOrAfter: day)
    }

    /// Whether this billing day is charged.
    public func isCharged(on day: CalendarDay) -> Bool {
        guard day >= trackedFrom, bundledIn == nil, status(on: day).isCharged else { return false }
        guard let trial else { return true }
        return day > trial.endsOn || day == trial.endsOn && trial.converts
    }

    /// Whether it counts in the totals of a day: active, or in a trial that converts, and not included in another
    /// subscription.
    public func counts(on day: CalendarDay) -> Bool {
        switch status(on: day) {
        case .active: bundledIn == nil
        case .trial: bundledIn == nil && trial?.converts == true
        case .paused, .cancelled, .ended: false
        }
    }

    /// The first charged billing day on or after a day; nil when nothing more is charged.
    public func nextCharge(onOrAfter day: CalendarDay) -> CalendarDay? {
        var from = day
        while let billing = nextBilling(onOrAfter: from) {
            if isCharged(on: billing) { return billing }
            // Skip to the next change: nothing is charged before it.
            guard let change = nextChange(after: billing) else { return nil }
            from = change
        }
        return nil
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

    /// The first day after `day` with a change other than a charge: a price, a state, the end of a trial or of a fixed term.
    public func nextChange(after day: CalendarDay) -> CalendarDay? {
        var days = prices.map(\.from) + states.map(\.from)
        if let trial { days += [trial.endsOn, trial.endsOn.adding(days: 1)] }
        if let endsOn { days.append(endsOn.adding(days: 1)) }
        return days.filter { $0 > day }.min()
    }
}
