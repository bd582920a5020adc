// What reminders say, English beside French.

extension DisplayLanguage {
    /// `today`, `tomorrow`, `in 3 days, on 2027-01-15`.
    fileprivate func when(_ day: CalendarDay, today: CalendarDay) -> String {
        switch today.days(until: day) {
        case 0: pick("today", "aujourd’hui")
        case 1: pick("tomorrow", "demain")
        case let left where left > 1:
            pick("in \(left) days, on \(day.displayName(self))", "dans \(left) jours, le \(day.displayName(self))")
        default: pick("on \(day.displayName(self))", "le \(day.displayName(self))")
        }
    }
}

extension ReminderKind {
    /// The kind in words.
    public func displayName(_ language: DisplayLanguage) -> String {
        switch self {
        case .charge: language.pick("charge", "échéance")
        case .trialEnd: language.pick("end of trial", "fin de l’essai")
        case .cancelBy: language.pick("last day to cancel", "dernier jour pour résilier")
        case .priceChange: language.pick("new price", "nouveau prix")
        case .budget: language.pick("budget", "budget")
        }
    }
}

extension Reminder {
    static func title(_ name: String, offsetDays: Int, _ language: DisplayLanguage) -> String {
        switch offsetDays {
        case 0: language.pick("\(name) is due today", "\(name) : échéance aujourd’hui")
        case 1: language.pick("\(name) is due tomorrow", "\(name) : échéance demain")
        default: language.pick("\(name) is due in \(offsetDays) days", "\(name) : échéance dans \(offsetDays) jours")
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
            guard !isPast else {
                return language.pick(
                    "\(money(amount)) was due \(when), not confirmed",
                    "échéance de \(money(amount)) \(when), non confirmée")
            }
            return language.pick("\(money(amount)) due \(when)", "échéance de \(money(amount)) \(when)")
        case .trialEnd(let charge):
            let ends = language.pick(
                "trial \(isPast ? "ended" : "ends") \(when)",
                isPast ? "l’essai s’est terminé \(when)" : "l’essai se termine \(when)")
            guard let charge else { return ends }
            return ends + language.pick("; first charge ", " ; premier prélèvement : ") + money(charge)
        case .cancelBy(let amount):
            return language.pick(
                "last day to cancel \(isPast ? "was" : "is") \(when); avoids \(money(amount))",
                "dernier jour pour résilier \(when) ; évite \(money(amount))")
        case .priceChange(let from, let to):
            let isRise = from.currency == to.currency && to.minorUnits > from.minorUnits
            let isDrop = from.currency == to.currency && to.minorUnits < from.minorUnits
            let verb = isRise ? (isPast ? "rose" : "rises") : isDrop ? (isPast ? "fell" : "falls") : "changes"
            let french = isRise ? "augmente" : isDrop ? "baisse" : "change"
            return language.pick(
                "price \(verb) from \(money(from)) to \(money(to)) \(when)",
                "le prix \(french), de \(money(from)) à \(money(to)), \(when)")
        case .budget(let status, let percent):
            let (spent, limit) = (money(status.spent), money(status.budget.limit))
            let isMonth = status.budget.period == .month
            return language.pick(
                "\(percent) % of the \(isMonth ? "monthly" : "yearly") budget reached: \(spent) of \(limit) spent",
                "\(percent) % du budget \(isMonth ? "mensuel" : "annuel") atteints : \(spent) dépensés sur \(limit)")
        }
    }

    /// The name of a budget: its scope or category, or all subscriptions.
    public static func name(of budget: Budget, _ language: DisplayLanguage) -> String {
        switch budget.target {
        case .all: language.pick("All subscriptions", "Tous les abonnements")
        case .scope(let scope): scope.displayName(language)
        case .category(let category): category.displayName(language)
        }
    }
}
