import Backend
import HTML
import SubGuardDomain

/// The state of a rule in words, with since when, and muting.
struct AlertState {
    private let rule: AlertRule
    private let now: UTCInstant

    init(_ rule: AlertRule, now: UTCInstant) {
        self.rule = rule
        self.now = now
    }

    func write(_ words: ConsoleWords, to html: inout HTMLWriter) {
        let state = words.name(rule.current.state)
        switch rule.current.state {
        case .pending: html.rating(state)
        case .ok: html.rating(state, isGood: true)
        case .firing: html.rating(state, isGood: false)
        }
        if let since = rule.current.since {
            html.under(words.text("since %1", words.instant(since)))
        }
        if let until = rule.draft.mutedUntil, until > now {
            html.under(words.text("muted until %1", words.instant(until)))
        }
    }
}
