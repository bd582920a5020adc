public import Foundation

/// A language in which the domain names things; the raw value is its ISO 639-1 code.
public enum DisplayLanguage: String, Sendable, Hashable, CaseIterable {
    /// French, with days such as `15/01/2027`.
    case french = "fr"
    /// English, with days such as `2027-01-15`.
    case english = "en"

    /// The language of a locale, in any of its regions: French for `fr_CA`. Nil for a language other than these.
    public init?(_ locale: Locale) {
        guard let language = locale.language.languageCode.flatMap({ Self(rawValue: $0.identifier) }) else { return nil }
        self = language
    }
}

// All words of the domain that people read.

extension OccurrenceStatus {
    /// The status in words, in lower case.
    public func displayName(_ language: DisplayLanguage) -> String {
        switch self {
        case .expected: language.text("expected")
        case .pending: language.text("to confirm")
        case .confirmed: language.text("confirmed")
        case .late: language.text("confirmed late")
        case .missed: language.text("missed")
        case .skipped: language.text("not charged")
        }
    }
}

extension SubscriptionStatus {
    /// The status in words, in lower case.
    public func displayName(_ language: DisplayLanguage) -> String {
        switch self {
        case .active: language.text("active")
        case .trial: language.text("trial")
        case .paused: language.text("paused")
        case .cancelled: language.text("cancelled")
        case .ended: language.text("ended")
        }
    }
}

extension SubscriptionScope {
    /// The scope in words.
    public func displayName(_ language: DisplayLanguage) -> String {
        switch self {
        case .pro: "Pro"
        case .personal: language.text("Personal")
        }
    }
}

extension SubscriptionCategory {
    /// The name of a built-in category; a custom one is shown as entered.
    public func displayName(_ language: DisplayLanguage) -> String {
        switch wire {
        case "ai": language.text("AI")
        case "books": language.text("Books")
        case "business": language.text("Business")
        case "cloud": "Cloud"
        case "dating": language.text("Dating")
        case "education": language.text("Education")
        case "energy": language.text("Energy")
        case "finance": "Finance"
        case "fitness": "Fitness"
        case "food": language.text("Food")
        case "gaming": language.text("Gaming")
        case "health": language.text("Health")
        case "home": language.text("Home")
        case "insurance": language.text("Insurance")
        case "kids": language.text("Kids")
        case "music": language.text("Music")
        case "other": language.text("Other")
        case "pets": language.text("Pets")
        case "press": language.text("Press")
        case "security": language.text("Security")
        case "shopping": language.text("Shopping")
        case "software": language.text("Software")
        case "sport": "Sport"
        case "streaming": "Streaming"
        case "telecom": language.text("Telecom")
        case "transport": "Transport"
        default: wire
        }
    }
}

extension BudgetStatus.State {
    /// The state in words.
    public func displayName(_ language: DisplayLanguage) -> String {
        switch self {
        case .within: language.text("within the limit")
        case .atRisk: language.text("will be exceeded")
        case .exceeded: language.text("exceeded")
        }
    }
}

extension Overlap.Kind {
    /// The kind in words.
    public func displayName(_ language: DisplayLanguage) -> String {
        switch self {
        case .duplicate: language.text("duplicate")
        case .similar: language.text("similar")
        }
    }
}

extension SplitKind {
    /// The kind in words.
    public func displayName(_ language: DisplayLanguage) -> String {
        switch self {
        case .even: language.text("equal parts")
        case .percent: language.text("percentages")
        case .exact: language.text("amounts")
        case .shares: language.text("shares")
        case .free: language.text("free")
        }
    }
}

extension Budget.Period {
    /// The period in words.
    public func displayName(_ language: DisplayLanguage) -> String {
        switch self {
        case .month: language.text("month")
        case .year: language.text("year")
        }
    }
}

extension CancelBy.Reason {
    /// The reason in words.
    public func displayName(_ language: DisplayLanguage) -> String {
        switch self {
        case .trial: language.text("end of trial")
        case .contract: language.text("contract renewal")
        case .renewal: language.text("next charge")
        }
    }
}

extension BillingCycle {
    /// Capitalised, for lists and pickers.
    public func displayName(_ language: DisplayLanguage) -> String {
        switch self {
        case .daily: language.text("Daily")
        case .weekly: language.text("Weekly")
        case .biweekly: language.text("Every two weeks")
        case .monthly: language.text("Monthly")
        case .quarterly: language.text("Quarterly")
        case .semiAnnual: language.text("Semi-annual")
        case .yearly: language.text("Yearly")
        case .lifetime: language.text("Lifetime")
        case .every(let interval): interval.displayName(language)
        case .afterPayment(let interval):
            language.text("\(interval.displayName(language)) after payment")
        }
    }

    /// After an amount or inside a sentence: `monthly`, in French `par mois`.
    public func phrase(_ language: DisplayLanguage) -> String {
        switch self {
        case .daily: language.text("daily")
        case .weekly: language.text("weekly")
        case .monthly: language.text("monthly")
        case .quarterly: language.text("quarterly")
        case .semiAnnual: language.text("semi-annual")
        case .yearly: language.text("yearly")
        case .biweekly, .lifetime, .every, .afterPayment: displayName(language).lowercased()
        }
    }

    /// For narrow columns: `3 weeks` for `Every 3 weeks`.
    public func shortName(_ language: DisplayLanguage) -> String {
        switch self {
        case .biweekly: language.text("2 weeks")
        case .every(let interval) where interval.count > 1: interval.length(language)
        case .afterPayment(let interval) where interval.count > 1:
            language.text("\(interval.length(language)) after payment")
        default: displayName(language)
        }
    }
}

extension BillingInterval {
    /// `3 weeks`; for a count above 1.
    fileprivate func length(_ language: DisplayLanguage) -> String {
        switch unit {
        case .days: language.text("\(count) days")
        case .weeks: language.text("\(count) weeks")
        case .months: language.text("\(count) months")
        case .years: language.text("\(count) years")
        }
    }

    fileprivate func displayName(_ language: DisplayLanguage) -> String {
        switch (unit, count) {
        case (.days, 1): language.text("Every day")
        case (.weeks, 1): language.text("Every week")
        case (.months, 1): language.text("Every month")
        case (.years, 1): language.text("Every year")
        case (.days, _): language.text("Every \(count) days")
        case (.weeks, _): language.text("Every \(count) weeks")
        case (.months, _): language.text("Every \(count) months")
        case (.years, _): language.text("Every \(count) years")
        }
    }
}

extension ControlScore {
    /// Explains the score and names the action that raises it most, one sentence per line.
    public func explanation(_ language: DisplayLanguage) -> [String] {
        guard let percentText, due > 0 else {
            return [language.text("No charges in the last 90 days.")]
        }
        let (inTime, late, missed) = (
            language.text("\(confirmed) confirmed in time|\(confirmed) confirmed in time"),
            language.text("\(late) late (counted half)|\(late) late (counted half)"),
            language.text("\(self.missed) missed|\(self.missed) missed")
        )
        let charges = language.text("\(due) charge|\(due) charges")
        var lines = [language.text("\(inTime), \(late), \(missed) of \(charges).")]
        if self.missed > 0, let next = afterConfirmingOneMissed.percentText {
            let (now, then) = (language.decimal(percentText), language.decimal(next))
            lines.append(language.text("Confirm one missed charge: \(now) % → \(then) %."))
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
        guard language != .english else { return String(iso.prefix(7)) }
        return namedMonth(language)
    }

    /// `January 2027`, in French `janvier 2027`.
    package func namedMonth(_ language: DisplayLanguage) -> String {
        language.text(Self.monthNames[month - 1]) + " \(year)"
    }

    private static let monthNames: [Sentence] = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}
