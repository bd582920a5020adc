import SubGuardDomain
import Telemetry

extension ConsoleWords {
    /// The heading of the groups with a status; nil for all.
    func name(_ status: CrashStatus?) -> String { self[status.map(phrase) ?? "All"] }

    /// The status of one group.
    func singular(_ status: CrashStatus) -> String { self[phrase(status), of: "one"] }

    private func phrase(_ status: CrashStatus) -> Sentence {
        switch status {
        case .open: "Open"
        case .resolved: "Resolved"
        case .ignored: "Ignored"
        }
    }

    func name(_ action: CrashAction) -> String {
        switch action {
        case .resolve: self["Resolve"]
        case .ignore: self["Ignore"]
        case .reopen: self["Reopen"]
        case .delete: self["Delete…"]
        }
    }

    func text(_ outcome: CrashOutcome, _ count: Int) -> String {
        let phrase: Sentence =
            switch outcome {
            case .resolved: "resolved: %1"
            case .ignored: "ignored: %1"
            case .reopened: "reopened: %1"
            case .deleted: "deleted: %1"
            case .notFound: "no longer there: %1"
            }
        return text(phrase, number(Int64(count)))
    }

    func reports(_ count: Int64) -> String { self.count(count, "%1 report|%1 reports") }
}
