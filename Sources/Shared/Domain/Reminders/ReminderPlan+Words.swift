extension ReminderPlan {
    /// `7 days before, 1 day before`, `as set for all` or `none`, with the muted kinds in brackets.
    public func displayText(_ language: DisplayLanguage) -> String {
        let own = days.map { days in
            days.isEmpty
                ? language.pick("none", "aucun") : days.map { Self.words($0, language) }.joined(separator: ", ")
        }
        let text = own ?? language.pick("as set for all", "comme réglé pour tous")
        let kinds = ReminderKind.allCases.filter(muted.contains).map { $0.displayName(language) }
        guard !kinds.isEmpty else { return text }
        return text + language.pick(" (except: ", " (sauf : ") + kinds.joined(separator: ", ") + ")"
    }

    private static func words(_ days: Int, _ language: DisplayLanguage) -> String {
        switch days {
        case 0: language.pick("on the day", "le jour même")
        case 1: language.pick("1 day before", "1 jour avant")
        default: language.pick("\(days) days before", "\(days) jours avant")
        }
    }
}
