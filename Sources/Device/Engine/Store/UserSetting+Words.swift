public import SubGuardDomain

extension UserSetting {
    /// What people call it: `home currency`.
    public func displayName(_ language: DisplayLanguage) -> String {
        let pick = { (english: String, french: String) in language == .french ? french : english }
        return switch self {
        case .homeCurrency: pick("home currency", "devise de référence")
        case .language: pick("language", "langue")
        case .backupWarningDays: pick("warning without a backup", "alerte sans sauvegarde")
        case .reminderTime: pick("time of reminders", "heure des rappels")
        case .reminderQuietHours: pick("quiet hours", "heures calmes")
        case .reminderDays: pick("reminder before a charge", "rappel avant une échéance")
        case .reminderCancelByDays:
            pick("reminder before the last day to cancel", "rappel avant la date limite de résiliation")
        case .reminderKinds: pick("reminders", "rappels")
        }
    }

    /// A stored value in words: `after 30 days`. One that is not of the setting stays as it is.
    public func displayText(_ value: String, _ language: DisplayLanguage) -> String {
        let pick = { (english: String, french: String) in language == .french ? french : english }
        let days = { (text: String) in text == "1" ? pick("1 day", "1 jour") : pick("\(text) days", "\(text) jours") }
        switch self {
        case .homeCurrency, .reminderTime: return value
        case .language:
            return switch DisplayLanguage(rawValue: value) {
            case .english: pick("English", "anglais")
            case .french: pick("French", "français")
            case nil: value
            }
        case .backupWarningDays: return value == "0" ? pick("never", "jamais") : pick("after ", "après ") + days(value)
        case .reminderQuietHours: return value == "none" ? pick("none", "aucune") : value
        case .reminderDays, .reminderCancelByDays:
            return value == "none"
                ? pick("none", "aucun") : days(value.split(separator: ",").joined(separator: ", "))
        case .reminderKinds:
            guard value != "none" else { return pick("none", "aucun") }
            return value.split(separator: ",").map { name in
                ReminderKind(rawValue: String(name))?.displayName(language) ?? String(name)
            }.joined(separator: ", ")
        }
    }
}
