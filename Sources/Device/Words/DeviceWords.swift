package import SubGuardClient
package import SubGuardDomain
package import SubGuardEngine

extension Translation {
    /// What the command line and the app say in French.
    private static let french = french(context: "device")

    /// Nil for English.
    static func of(_ language: DisplayLanguage) -> Translation? { language == .french ? french : nil }
}

extension Sentence {
    /// The sentence in a language, with its numbers in groups of three; in English if it has no translation.
    ///
    /// - Parameter isTypeset: with the spaces of print. Terminals and programs get plain ones.
    package func text(_ language: DisplayLanguage, isTypeset: Bool = false) -> String {
        let texts = values.map { value in
            switch value {
            case .number(let number): AmountStyle(language).grouped(Int(number))
            case .text(let text): text
            }
        }
        let form = Translation.of(language)?.pattern(of: self) ?? Self.form(of: pattern, values: values) { $0 == 1 }
        return Self.text(isTypeset ? language.spaced(form) : form, values: texts)
    }
}

extension DisplayLanguage {
    /// A finished text with the spaces that print has in this language.
    package func spaced(_ text: String) -> String { self == .french ? Translation.frenchSpaces(text) : text }

    /// A percentage from its decimal number: `87.5 %`, in French `87,5 %` with the narrow space of print.
    package func percent(_ decimal: String) -> String {
        self == .french ? decimal.replacing(".", with: ",") + "\u{202F}%" : decimal + " %"
    }

    /// Translates an error, which the libraries describe in English. A text without a translation stays as it is.
    package func sentence(_ english: String) -> String {
        guard let found = Translation.of(self)?.sentence(saying: english) else { return english }
        return Sentence(pattern: found.pattern, values: found.values.map { .text(shown($0.text)) }).text(self)
    }

    /// A value of an error: days and amounts as the language writes them.
    private func shown(_ value: String) -> String {
        if let day = CalendarDay(iso: value) { return day.displayName(self) }
        let parts = value.split(separator: " ").map(String.init)
        if parts.count == 2, let currency = Currency(code: parts[1]),
            let amount = try? Money(decimal: parts[0], currency: currency)
        {
            return amount.formatted(AmountStyle(self))
        }
        return sentence(value)
    }
}

// The words of enumerations that only the program shows. Those of the domain name themselves.

extension AnalyticsConsent {
    package var phrase: Sentence {
        switch self {
        case .granted: "granted"
        case .revoked: "revoked"
        case .undecided: "not given yet"
        }
    }
}

extension SyncReport.Name {
    package var phrase: Sentence {
        switch self {
        case .catalogue: "catalogue"
        case .rates: "rates"
        case .suggestions: "suggestions"
        case .erasure: "erasure"
        case .analytics: "events"
        case .signals: "sessions"
        case .premium: "premium"
        case .logos: "logos"
        }
    }
}

extension PurchaseStatus {
    package var phrase: Sentence {
        switch self {
        case .none: "no purchase"
        case .active: "active"
        case .gracePeriod: "grace period"
        case .billingRetry: "payment pending"
        case .expired: "expired"
        case .revoked: "revoked by the App Store"
        case .refunded: "refunded"
        case .upgraded: "upgraded"
        }
    }
}

extension StoredBackup.Kind {
    package var phrase: Sentence {
        switch self {
        case .automatic: "automatic"
        case .manual: "manual"
        case .beforeRestore: "before a restore"
        case .beforeMerge: "before a merge"
        }
    }
}

extension StatementExclusion {
    /// `3 payments, last €850.00 on 2026-11-03: Landlord (loan, rent or tax)`.
    package func line(_ language: DisplayLanguage) -> String {
        let amount = last.amount.formatted(AmountStyle(language))
        let (day, why) = (last.on.displayName(language), reason.phrase.text(language))
        let phrase: Sentence = """
            \(charges) payment, last \(amount) on \(day): \(name) (\(why))|\
            \(charges) payments, last \(amount) on \(day): \(name) (\(why))
            """
        return phrase.text(language)
    }
}

extension StatementExclusion.Reason {
    fileprivate var phrase: Sentence {
        switch self {
        case .cash: "cash"
        case .transfer: "transfer"
        case .obligation: "loan, rent or tax"
        case .person: "name of a person"
        }
    }
}

extension StatementRefund {
    /// `Netflix: €13.49 charged on 2026-08-17 came back on 2026-08-20; it counts as not charged`.
    package func line(_ language: DisplayLanguage) -> String {
        let style = AmountStyle(language)
        let (back, on) = (amount.formatted(style), on.displayName(language))
        guard let charge else {
            let phrase: Sentence = "\(name): \(back) credited on \(on), for no charge that was found"
            return phrase.text(language)
        }
        let (whole, day, rest) = (
            charge.amount.formatted(style), charge.on.displayName(language), charge.paid.formatted(style)
        )
        let phrase: Sentence =
            switch effect {
            case .notCharged: "\(name): \(back) charged on \(day) came back on \(on); it counts as not charged"
            case .reduced: "\(name): \(back) of \(whole) charged on \(day) came back on \(on); \(rest) count"
            case .kept, .unmatched:
                charge.isRefunded
                    ? "\(name): \(back) charged on \(day) came back on \(on); the charge stays as you confirmed it"
                    : """
                    \(name): \(back) of \(whole) charged on \(day) came back on \(on); the charge stays as you \
                    confirmed it
                    """
            }
        return phrase.text(language)
    }
}

extension StatementReconciliation.OtherAmount {
    /// `Deezer: €12.29 on 2027-06-02 instead of €11.99; one charge changes no price`.
    package func line(_ language: DisplayLanguage) -> String {
        let style = AmountStyle(language)
        let (paid, price, day) = (amount.formatted(style), usual.formatted(style), on.displayName(language))
        let phrase: Sentence =
            isOlder
            ? "\(name): \(paid) on \(day); the price of \(price) was entered later and stays"
            : "\(name): \(paid) on \(day) instead of \(price); one charge changes no price"
        return phrase.text(language)
    }
}
