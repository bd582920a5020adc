extension BillingCycle {
    /// What people read in a list or a picker, capitalised.
    public func displayName(_ language: DisplayLanguage) -> String {
        switch language {
        case .french: frenchName
        case .english: englishName
        }
    }

    private var frenchName: String {
        switch self {
        case .daily: "Quotidien"
        case .weekly: "Hebdomadaire"
        case .biweekly: "Toutes les deux semaines"
        case .monthly: "Mensuel"
        case .quarterly: "Trimestriel"
        case .semiAnnual: "Semestriel"
        case .yearly: "Annuel"
        case .lifetime: "À vie"
        case .every(let interval): Self.frenchName(of: interval)
        }
    }

    private static func frenchName(of interval: BillingInterval) -> String {
        switch (interval.count, interval.unit) {
        case (1, .days): "Tous les jours"
        case (1, .weeks): "Toutes les semaines"
        case (1, .months): "Tous les mois"
        case (1, .years): "Tous les ans"
        case (let count, .days): "Tous les \(count) jours"
        case (let count, .weeks): "Toutes les \(count) semaines"
        case (let count, .months): "Tous les \(count) mois"
        case (let count, .years): "Tous les \(count) ans"
        }
    }

    private var englishName: String {
        switch self {
        case .daily: "Daily"
        case .weekly: "Weekly"
        case .biweekly: "Every two weeks"
        case .monthly: "Monthly"
        case .quarterly: "Quarterly"
        case .semiAnnual: "Semi-annual"
        case .yearly: "Yearly"
        case .lifetime: "Lifetime"
        case .every(let interval): Self.englishName(of: interval)
        }
    }

    private static func englishName(of interval: BillingInterval) -> String {
        let noun =
            switch interval.unit {
            case .days: "day"
            case .weeks: "week"
            case .months: "month"
            case .years: "year"
            }
        return interval.count == 1 ? "Every \(noun)" : "Every \(interval.count) \(noun)s"
    }
}
