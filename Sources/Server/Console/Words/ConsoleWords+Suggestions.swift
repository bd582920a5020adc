import Catalogue
import SubGuardDomain

extension ConsoleWords {
    func name(_ status: SuggestionGroup.Status?) -> String {
        switch status {
        case .pending: self["Pending"]
        case .approved: self["Approved"]
        case .rejected: self["Rejected"]
        case nil: self["All", of: "suggestions"]
        }
    }

    /// The status of one suggestion.
    func nameOfOne(_ status: SuggestionGroup.Status) -> String {
        switch status {
        case .pending: self["Pending"]
        case .approved: self["Approved", of: "one"]
        case .rejected: self["Rejected", of: "one"]
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
