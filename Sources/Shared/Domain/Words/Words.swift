/// A language in which the domain names things; the raw value is its ISO 639-1 code.
public enum DisplayLanguage: String, Sendable, Hashable, CaseIterable {
    case french = "fr"
    case english = "en"

    /// The text in this language.
    func pick(_ english: String, _ french: String) -> String { self == .french ? french : english }
}

// All words of the domain that people read, English beside French.

extension OccurrenceStatus {
    /// The status in words, in lower case.
    public func displayName(_ language: DisplayLanguage) -> String {
        switch self {
        case .expected: language.pick("expected", "prévu")
        case .pending: language.pick("to confirm", "à confirmer")
        case .confirmed: language.pick("confirmed", "confirmé")
        case .late: language.pick("confirmed late", "confirmé en retard")
        case .missed: language.pick("missed", "oublié")
        case .skipped: language.pick("not charged", "non prélevé")
        }
    }
}

extension SubscriptionStatus {
    /// The status in words, in lower case.
    public func displayName(_ language: DisplayLanguage) -> String {
        switch self {
        case .active: language.pick("active", "actif")
        case .trial: language.pick("trial", "essai")
        case .paused: language.pick("paused", "en pause")
        case .cancelled: language.pick("cancelled", "résilié")
        case .ended: language.pick("ended", "terminé")
        }
    }
}

extension SubscriptionScope {
    /// The scope in words.
    public func displayName(_ language: DisplayLanguage) -> String {
        switch self {
        case .pro: "Pro"
        case .personal: language.pick("Personal", "Personnel")
        }
    }
}

extension SubscriptionCategory {
    /// The name of a built-in category; a custom one is shown as entered.
    public func displayName(_ language: DisplayLanguage) -> String {
        switch wire {
        case "ai": language.pick("AI", "IA")
        case "books": language.pick("Books", "Livres")
        case "business": language.pick("Business", "Entreprise")
        case "cloud": "Cloud"
        case "dating": language.pick("Dating", "Rencontres")
        case "education": language.pick("Education", "Éducation")
        case "energy": language.pick("Energy", "Énergie")
        case "finance": "Finance"
        case "fitness": "Fitness"
        case "food": language.pick("Food", "Alimentation")
        case "gaming": language.pick("Gaming", "Jeux vidéo")
        case "health": language.pick("Health", "Santé")
        case "home": language.pick("Home", "Maison")
        case "insurance": language.pick("Insurance", "Assurance")
        case "kids": language.pick("Kids", "Enfants")
        case "music": language.pick("Music", "Musique")
        case "other": language.pick("Other", "Autre")
        case "pets": language.pick("Pets", "Animaux")
        case "press": language.pick("Press", "Presse")
        case "security": language.pick("Security", "Sécurité")
        case "shopping": language.pick("Shopping", "Achats")
        case "software": language.pick("Software", "Logiciels")
        case "sport": "Sport"
        case "streaming": "Streaming"
        case "telecom": language.pick("Telecom", "Télécoms")
        case "transport": "Transport"
        default: wire
        }
    }
}

extension BudgetStatus.State {
    /// The state in words.
    public func displayName(_ language: DisplayLanguage) -> String {
        switch self {
        case .within: language.pick("within the limit", "dans la limite")
        case .atRisk: language.pick("will be exceeded", "sera dépassé")
        case .exceeded: language.pick("exceeded", "dépassé")
        }
    }
}

extension Overlap.Kind {
    /// The kind in words.
    public func displayName(_ language: DisplayLanguage) -> String {
        switch self {
        case .duplicate: language.pick("duplicate", "doublon")
        case .similar: language.pick("similar", "similaire")
        }
    }
}

extension SplitKind {
    /// The kind in words.
    public func displayName(_ language: DisplayLanguage) -> String {
        switch self {
        case .even: language.pick("equal parts", "parts égales")
        case .percent: language.pick("percentages", "pourcentages")
        case .exact: language.pick("amounts", "montants")
        case .shares: language.pick("shares", "parts")
        case .free: language.pick("free", "gratuit")
        }
    }
}

extension Budget.Period {
    /// The period in words.
    public func displayName(_ language: DisplayLanguage) -> String {
        switch self {
        case .month: language.pick("month", "mois")
        case .year: language.pick("year", "année")
        }
    }
}

extension CancelBy.Reason {
    /// The reason in words.
    public func displayName(_ language: DisplayLanguage) -> String {
        switch self {
        case .trial: language.pick("end of trial", "fin de l’essai")
        case .contract: language.pick("contract renewal", "reconduction du contrat")
        case .renewal: language.pick("next charge", "prochaine échéance")
        }
    }
}

extension BillingCycle {
    /// Capitalised, for lists and pickers.
    public func displayName(_ language: DisplayLanguage) -> String {
        switch self {
        case .daily: language.pick("Daily", "Quotidien")
        case .weekly: language.pick("Weekly", "Hebdomadaire")
        case .biweekly: language.pick("Every two weeks", "Toutes les deux semaines")
        case .monthly: language.pick("Monthly", "Mensuel")
        case .quarterly: language.pick("Quarterly", "Trimestriel")
        case .semiAnnual: language.pick("Semi-annual", "Semestriel")
        case .yearly: language.pick("Yearly", "Annuel")
        case .lifetime: language.pick("Lifetime", "À vie")
        case .every(let interval): interval.displayName(language)
        case .afterPayment(let interval):
            interval.displayName(language) + language.pick(" after payment", " après paiement")
        }
    }
}

extension BillingCycle {
    /// For narrow columns: `3 weeks` for `Every 3 weeks`.
    public func shortName(_ language: DisplayLanguage) -> String {
        switch self {
        case .biweekly: language.pick("2 weeks", "2 semaines")
        case .every(let interval) where interval.count > 1: interval.length(language)
        case .afterPayment(let interval) where interval.count > 1:
            interval.length(language) + language.pick(" after payment", " après paiement")
        default: displayName(language)
        }
    }
}

extension BillingInterval {
    /// `3 weeks`; for a count above 1.
    fileprivate func length(_ language: DisplayLanguage) -> String {
        switch unit {
        case .days: language.pick("\(count) days", "\(count) jours")
        case .weeks: language.pick("\(count) weeks", "\(count) semaines")
        case .months: language.pick("\(count) months", "\(count) mois")
        case .years: language.pick("\(count) years", "\(count) ans")
        }
    }

    fileprivate func displayName(_ language: DisplayLanguage) -> String {
        switch (unit, count) {
        case (.days, 1): language.pick("Every day", "Tous les jours")
        case (.weeks, 1): language.pick("Every week", "Toutes les semaines")
        case (.months, 1): language.pick("Every month", "Tous les mois")
        case (.years, 1): language.pick("Every year", "Tous les ans")
        case (.days, _): language.pick("Every \(count) days", "Tous les \(count) jours")
        case (.weeks, _): language.pick("Every \(count) weeks", "Toutes les \(count) semaines")
        case (.months, _): language.pick("Every \(count) months", "Tous les \(count) mois")
        case (.years, _): language.pick("Every \(count) years", "Tous les \(count) ans")
        }
    }
}

extension ControlScore {
    /// Explains the score and names the action that raises it most, one sentence per line.
    public func explanation(_ language: DisplayLanguage) -> [String] {
        guard let percentText, due > 0 else {
            return [language.pick("No charges in the last 90 days.", "Aucune échéance ces 90 derniers jours.")]
        }
        var lines = [
            language.pick(
                "\(confirmed) confirmed in time, \(late) late (counted half), \(missed) missed of "
                    + "\(due) \(due == 1 ? "charge" : "charges").",
                "\(confirmed) \(confirmed < 2 ? "confirmée" : "confirmées") à temps, \(late) en retard "
                    + "(\(late < 2 ? "compte" : "comptent") pour moitié), \(missed) "
                    + "\(missed < 2 ? "oubliée" : "oubliées") sur \(due) \(due < 2 ? "échéance" : "échéances").")
        ]
        if missed > 0, let next = afterConfirmingOneMissed.percentText {
            let french = { (percent: String) in percent.split(separator: ".").joined(separator: ",") }
            lines.append(
                language.pick(
                    "Confirm one missed charge: \(percentText) % → \(next) %.",
                    "Confirme une échéance oubliée : \(french(percentText)) % → \(french(next)) %."))
        }
        return lines
    }
}

extension CalendarDay {
    /// `2027-01-15`, in French `15/01/2027`.
    public func displayName(_ language: DisplayLanguage) -> String {
        guard language == .french else { return iso }
        let parts = iso.split(separator: "-")
        return "\(parts[2])/\(parts[1])/\(parts[0])"
    }

    /// `2027-01`, in French `janvier 2027`.
    public func monthName(_ language: DisplayLanguage) -> String {
        let names = [
            "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre",
            "décembre",
        ]
        return language.pick(String(iso.prefix(7)), "\(names[month - 1]) \(year)")
    }
}
