import Catalogue
import SubGuardDomain

extension ConsoleWords {
    /// 13.49 EUR, 13,49 EUR.
    func money(_ money: Money) -> String {
        let decimal = language == .french ? money.decimal.replacing(".", with: ",") : money.decimal
        return "\(decimal)\u{A0}\(money.currency.code)"
    }

    /// The name of a category of the catalogue; one that is not known is shown as it is stored.
    func category(_ name: String) -> String {
        let known = SubscriptionCategory(catalogue: name)
        guard known != .other || name == known.wire, let language = DisplayLanguage(rawValue: language.rawValue)
        else { return name }
        return known.displayName(language)
    }

    func name(_ cycle: BillingCycle) -> String {
        switch cycle {
        case .daily: self["daily"]
        case .weekly: self["weekly"]
        case .biweekly: self["every 2 weeks"]
        case .monthly: self["monthly"]
        case .quarterly: self["quarterly"]
        case .semiAnnual: self["every 6 months"]
        case .yearly: self["yearly"]
        case .lifetime: self["once"]
        case .every(let interval), .afterPayment(let interval):
            switch interval.unit {
            case .days: text("every %1 days", "\(interval.count)")
            case .weeks: text("every %1 weeks", "\(interval.count)")
            case .months: text("every %1 months", "\(interval.count)")
            case .years: text("every %1 years", "\(interval.count)")
            }
        }
    }

    func name(_ reason: CatalogueDuplicate.Reason) -> String {
        switch reason {
        case .sameName: self["same name"]
        case .similarName: self["similar name"]
        case .sameWebsite: self["same website"]
        }
    }

    /// The name of a change of an item; that of a newer version of the program as it is stored.
    func catalogueAction(_ action: String) -> String {
        let names: [String: Sentence] = [
            "catalogue.insert": "Created", "catalogue.update": "Edited", "catalogue.delete": "Deleted",
            "catalogue.logo": "Logo", "catalogue.merge": "Took in a duplicate",
            "catalogue.merged": "Merged into another item",
            "catalogue.undo": "Undo", "catalogue.import": "Import",
        ]
        return names[action].map { self[$0, of: "change"] } ?? action
    }
}

extension ConsoleWords {
    func name(_ status: SuggestionGroup.Status?) -> String {
        status.map { self[phrase($0)] } ?? self["All", of: "suggestions"]
    }

    /// The status of one suggestion.
    func nameOfOne(_ status: SuggestionGroup.Status) -> String { self[phrase(status), of: "one"] }

    private func phrase(_ status: SuggestionGroup.Status) -> Sentence {
        switch status {
        case .pending: "Pending"
        case .approved: "Approved"
        case .rejected: "Rejected"
        }
    }

    func text(_ outcome: SuggestionOutcome, _ count: Int) -> String {
        let phrase: Sentence =
            switch outcome {
            case .approved: "approved: %1"
            case .rejected: "rejected: %1"
            case .reopened: "put back into the queue: %1"
            case .deleted: "deleted: %1"
            case .notFound: "no longer there: %1"
            case .alreadyDecided: "already decided: %1"
            case .noNearestItem: "without a similar item: %1"
            case .tooManyAliases: "not added, the item has too many aliases: %1"
            case .itemChanged: "not undone, the item was changed since: %1"
            }
        return text(phrase, number(Int64(count)))
    }
}
