extension ReminderPlan {
    /// `7 days before, 1 day before`, `as set for all` or `none`, with the muted kinds in brackets.
    public func displayText(_ language: DisplayLanguage) -> String {
        let own = days.map { days in
            days.isEmpty
                ? language.text("none") : days.map { Self.words($0, language) }.joined(separator: ", ")
        }
        let text = own ?? language.text("as set for all")
        let kinds = ReminderKind.allCases.filter(muted.contains).map { $0.displayName(language) }
        return kinds.isEmpty ? text : language.text("\(text) (except: \(kinds.joined(separator: ", ")))")
    }

    private static func words(_ days: Int, _ language: DisplayLanguage) -> String {
        days == 0 ? language.text("on the day") : language.text("\(days) day before|\(days) days before")
    }
}
