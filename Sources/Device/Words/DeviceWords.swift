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

extension StatementExclusion.Reason {
    var phrase: Sentence {
        switch self {
        case .cash: "cash"
        case .transfer: "transfer"
        case .obligation: "loan, rent or tax"
        case .person: "name of a person"
        }
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
        let ofOthers: Sentence =
            "\(others) entry belongs to no subscription|\(others) entries belong to no subscription"
        return (known > 0 ? [ofKnown] : []) + (others > 0 ? [ofOthers] : [])
    }
}

extension DisplayLanguage {
    /// Any error in words.
    package func text(of error: any Error) -> String {
        (error as? DeviceStoreError)?.displayText(self) ?? lines("\(error)")
    }
}
