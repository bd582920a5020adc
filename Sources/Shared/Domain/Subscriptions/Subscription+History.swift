// What was charged before the subscription was entered.

extension Subscription {
    /// How many years before the day of entry a subscription may have started.
    static let historyYears = 50

    /// The billing days from ``startedOn`` on and before `day`, in order: the schedule counted back from its first one.
    /// Those on which nothing was charged are included; see ``wasCharged(on:)``.
    public func billingDays(before day: CalendarDay) -> [CalendarDay] {
        startedOn < day ? schedule.days(backTo: startedOn, before: day) : []
    }

    /// Whether a billing day before ``trackedFrom`` was charged, by what is known of its state and trial now. What
    /// includes the subscription now did not then.
    public func wasCharged(on day: CalendarDay) -> Bool {
        var past = self
        past.trackedFrom = .earliest
        past.startedOn = .earliest
        past.bundledIn = nil
        return past.isDue(on: day)
    }

    /// Sets the first day from text, for ``SubscriptionField/startedOn``.
    mutating func start(on text: String, today: CalendarDay) throws(Fault) {
        let day = try DraftValue.day(text, .startedOn)
        guard day <= today else {
            throw Fault(SubscriptionField.startedOn.rawValue, .outOfRange, "Must not be after today.")
        }
        guard day >= today.adding(months: -12 * Self.historyYears) else {
            let years = Self.historyYears
            throw Fault(
                SubscriptionField.startedOn.rawValue, .outOfRange, "Must not be more than \(years) years ago.")
        }
        startedOn = day
    }
}

extension BillingSchedule {
    /// The billing days from `first` on and before `last`, in order, also those that precede the anchor.
    ///
    /// When the schedule could have begun on `first`, it is counted from there: a charge on the 31st that is on the
    /// 30th this month keeps its 31st. Otherwise the days before the anchor have its day of the month.
    package func days(backTo first: CalendarDay, before last: CalendarDay) -> [CalendarDay] {
        let through = last.adding(days: -1)
        let fromAnchor = days(from: first, through: through)
        guard first < anchor else { return fromAnchor }
        let fromFirst = BillingSchedule(anchor: first, cycle: cycle)
        if fromFirst.next(onOrAfter: anchor) == anchor {
            return fromFirst.days(from: first, through: min(through, anchor.adding(days: -1))) + fromAnchor
        }
        var before: [CalendarDay] = []
        var index = 1
        while let day = day(stepsBeforeAnchor: index), day >= first, day > .earliest {
            if day <= through { before.append(day) }
            index += 1
        }
        return before.reversed() + fromAnchor
    }

    private func day(stepsBeforeAnchor index: Int) -> CalendarDay? {
        switch cycle.step {
        case .once: nil
        case .days(let count): anchor.adding(days: -count * index)
        case .months(let count): anchor.adding(months: -count * index, anchorDay: anchor.day)
        }
    }
}
