public import SubGuardDomain

extension UserSetting {
    /// What people call it: `home currency`.
    public func displayName(_ language: DisplayLanguage) -> String {
        switch self {
        case .homeCurrency: language.text("home currency")
        case .language: language.text("language")
        case .backupWarningDays: language.text("warning without a backup")
        case .reminderTime: language.text("time of reminders")
        case .reminderQuietHours: language.text("quiet hours")
        case .reminderDays: language.text("reminder before a charge")
        case .reminderCancelByDays:
            language.text("reminder before the last day to cancel")
        case .reminderKinds: language.text("reminders")
        }
    }

    /// A stored value in words: `after 30 days`. One that is not of the setting stays as it is.
    public func displayText(_ value: String, _ language: DisplayLanguage) -> String {
        let days = { (text: String) in language.text(text == "1" ? "1 day" : "\(text) days") }
        switch self {
        case .homeCurrency, .reminderTime: return value
        case .language:
            return switch DisplayLanguage(rawValue: value) {
            case .english: language.text("English")
            case .french: language.text("French")
            case nil: value
            }
        case .backupWarningDays: return value == "0" ? language.text("never") : language.text("after \(days(value))")
        case .reminderQuietHours: return value == "none" ? language.text("none", of: "quiet hours") : value
        case .reminderDays, .reminderCancelByDays:
            return value == "none"
                ? language.text("none") : days(value.split(separator: ",").joined(separator: ", "))
        case .reminderKinds:
            guard value != "none" else { return language.text("none") }
            return value.split(separator: ",").map { name in
                ReminderKind(rawValue: String(name))?.displayName(language) ?? String(name)
            }.joined(separator: ", ")
        }
    }
}
