// What reminders say.

extension DisplayLanguage {
    /// `today`, `tomorrow`, `in 3 days, on 2027-01-15`.
    fileprivate func when(_ day: CalendarDay, today: CalendarDay) -> String {
        switch today.days(until: day) {
        case 0: text("today")
        case 1: text("tomorrow")
        case let left where left > 1:
            text("in \(left) days, on \(day.displayName(self))")
        default: text("on \(day.displayName(self))")
        }
    }
}

extension ReminderKind {
    /// The kind in words.
    public func displayName(_ language: DisplayLanguage) -> String {
        switch self {
        case .charge: language.text("charge")
        case .trialEnd: language.text("end of trial")
        case .cancelBy: language.text("last day to cancel")
        case .priceChange: language.text("new price")
        case .budget: language.text("budget")
        }
    }
}

extension Reminder {
    static func title(_ name: String, offsetDays: Int, _ language: DisplayLanguage) -> String {
        switch offsetDays {
        case 0: language.text("\(name) is due today")
        case 1: language.text("\(name) is due tomorrow")
        default: language.text("\(name) is due in \(offsetDays) days")
        }
    }
}

extension ReminderFact {
    /// What to say about it on a day, without the name.
    public func message(today: CalendarDay, _ language: DisplayLanguage) -> String {
        let when = language.when(on, today: today)
        let isPast = on < today
        let money = { (amount: Money) in amount.formatted(AmountStyle(language)) }
        switch event {
        case .charge(let amount):
            return language.text(
                isPast ? "\(money(amount)) was due \(when), not confirmed" : "\(money(amount)) due \(when)")
        case .trialEnd(let charge):
            let ends = language.text(isPast ? "trial ended \(when)" : "trial ends \(when)")
            guard let charge else { return ends }
            return language.text("\(ends); first charge \(money(charge))")
        case .cancelBy(let amount):
            return language.text(
                isPast
                    ? "last day to cancel was \(when); avoids \(money(amount))"
                    : "last day to cancel is \(when); avoids \(money(amount))")
        case .priceChange(let from, let to):
            return language.text(Self.change(from, to, isPast: isPast, (money(from), money(to), when)))
        case .budget(let status, let percent):
            let (spent, limit) = (money(status.spent), money(status.budget.limit))
            return language.text(
                status.budget.period == .month
                    ? "\(percent) % of the monthly budget reached: \(spent) of \(limit) spent"
                    : "\(percent) % of the yearly budget reached: \(spent) of \(limit) spent")
        }
    }

    /// Amounts of two currencies cannot be compared.
    private static func change(
        _ from: Money, _ to: Money, isPast: Bool, _ words: (from: String, to: String, when: String)
    ) -> Sentence {
        guard from.currency == to.currency, from.minorUnits != to.minorUnits else {
            return "price changes from \(words.from) to \(words.to) \(words.when)"
        }
        return switch (to.minorUnits > from.minorUnits, isPast) {
        case (true, true): "price rose from \(words.from) to \(words.to) \(words.when)"
        case (true, false): "price rises from \(words.from) to \(words.to) \(words.when)"
        case (false, true): "price fell from \(words.from) to \(words.to) \(words.when)"
        case (false, false): "price falls from \(words.from) to \(words.to) \(words.when)"
        }
    }

    /// The name of a budget: its scope or category, or all subscriptions.
    public static func name(of budget: Budget, _ language: DisplayLanguage) -> String {
        switch budget.target {
        case .all: language.text("All subscriptions")
        case .scope(let scope): scope.displayName(language)
        case .category(let category): category.displayName(language)
        }
    }
}
