public import Foundation

/// Something that is paid for again and again, with all that the user noted about it.
///
/// It holds facts with their days and no state that a clock would change: what it is on a day is asked with that day.
public struct Subscription: Sendable, Hashable, Identifiable {
    public var id: UUID
    public var name: String
    /// What is charged at first; ``prices`` change it from their days on. For a variable bill, an estimate.
    public var price: Money
    public var schedule: BillingSchedule
    /// The day of entry.
    public var startedOn: CalendarDay
    /// Billing days before it are none of the schedule's: a date in the past at the time of entry moves to its next
    /// occurrence. It is the day of entry, or that of the last change of the schedule.
    public var trackedFrom: CalendarDay
    public var category = SubscriptionCategory.personal
    /// By day, each day once.
    public var prices: [DatedPrice] = []
    /// By day, each day once. Active before the first.
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
    /// The name of a symbol; clients know which.
    public var icon = ""
    /// `#RRGGBB`, or empty.
    public var color = ""
    public var catalogueItemID: UUID?
    /// The one that took its place, for what cancelling saved.
    public var replacedBy: UUID?
    /// The bundle in which it is paid; then it has no cost of its own.
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

    /// What a charge on this day costs.
    public func price(on day: CalendarDay) -> Money {
        guard let dated = prices.last(where: { $0.from <= day }) else { return price }
        return Money(minorUnits: dated.minorUnits, currency: currency)
    }

    /// Every price with its first day, the first from the day of entry.
    public var priceHistory: [DatedPrice] {
        let first = DatedPrice(from: min(startedOn, prices.first?.from ?? startedOn), minorUnits: price.minorUnits)
        guard prices.first?.from != first.from else { return prices }
        return [first] + prices
    }

    /// The next billing day on or after a day, whatever the state: pausing and cancelling move no date.
    public func nextBilling(onOrAfter day: CalendarDay) -> CalendarDay? {
        schedule.next(onOrAfter: max(day, trackedFrom))
    }

    /// The next billing day on or after a day; nil once nothing more is charged. Of a paused subscription it is the day on
    /// which the charge would be, and of one that is paid within another the day of its own schedule.
    public func comingBilling(onOrAfter day: CalendarDay) -> CalendarDay? {
        if bundledIn == nil, status(on: day) != .paused, nextCharge(onOrAfter: day) == nil { return nil }
        return nextBilling(onOrAfter: day)
    }

    /// Whether the charge of this billing day is made.
    public func isCharged(on day: CalendarDay) -> Bool {
        guard day >= trackedFrom, bundledIn == nil, status(on: day).isCharged else { return false }
        guard let trial else { return true }
        return day > trial.endsOn || day == trial.endsOn && trial.converts
    }

    /// Whether its annual figure counts in the totals of a day: it is charged, or will be when its trial converts, and is
    /// not paid within another.
    public func counts(on day: CalendarDay) -> Bool {
        switch status(on: day) {
        case .active: bundledIn == nil
        case .trial: bundledIn == nil && trial?.converts == true
        case .paused, .cancelled, .ended: false
        }
    }

    /// The first charged billing day on or after a day; nil when nothing is charged any more.
    public func nextCharge(onOrAfter day: CalendarDay) -> CalendarDay? {
        var from = day
        while let billing = nextBilling(onOrAfter: from) {
            if isCharged(on: billing) { return billing }
            // Nothing is charged before something changes.
            guard let change = nextChange(after: billing) else { return nil }
            from = change
        }
        return nil
    }

    /// Calls `visit` with each charged billing day from `first` through `last`, in order, until it answers false.
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

    /// The first day after `day` on which anything but the passing of a billing day changes what is true of this
    /// subscription: a dated price, a dated state, the end of a trial or of a term.
    public func nextChange(after day: CalendarDay) -> CalendarDay? {
        var days = prices.map(\.from) + states.map(\.from)
        if let trial { days += [trial.endsOn, trial.endsOn.adding(days: 1)] }
        if let endsOn { days.append(endsOn.adding(days: 1)) }
        return days.filter { $0 > day }.min()
    }
}
