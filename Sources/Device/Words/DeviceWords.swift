package import SubGuardClient
package import SubGuardDomain
package import SubGuardEngine
import SubGuardStatementImport
import SubGuardStatements

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

extension StatementImportReport {
    /// What becomes of the entries that are no news.
    package var knownPhrases: [Sentence] {
        let (known, names, others) = (recognised, recognisedNames.joined(separator: ", "), otherEntries)
        let ofKnown: Sentence = """
            \(known) charge of subscriptions that are here: \(names)|\
            \(known) charges of subscriptions that are here: \(names)
            """
        let ofOthers: Sentence = "\(others) entry is of no subscription|\(others) entries are of no subscription"
        return (known > 0 ? [ofKnown] : []) + (others > 0 ? [ofOthers] : [])
    }
}

extension DisplayLanguage {
    /// Any error in words.
    package func text(of error: any Error) -> String {
        (error as? DeviceStoreError)?.displayText(self) ?? lines("\(error)")
    }
}
