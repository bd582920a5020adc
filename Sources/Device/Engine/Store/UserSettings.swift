import SQLDatabase
public import SubGuardDomain

/// A setting that the user chooses. Settings belong to the device: they are never merged, exported or backed up.
public enum UserSetting: String, Sendable, Hashable, CaseIterable {
    /// The currency in which sums over several currencies are shown; none by default.
    case homeCurrency = "home_currency"
    /// `fr` or `en`; by default the environment's.
    case language
    /// After how many days without a backup to warn; 0 for never.
    case backupWarningDays = "backup_warning_days"
    /// The time of day of reminders, such as `09:00`.
    case reminderTime = "reminders.time"
    /// When there are no reminders, such as `22:00-08:00`, or `none`.
    case reminderQuietHours = "reminders.quiet_hours"
    /// Days before a charge, the end of a trial or a new price, for subscriptions without days of their own.
    case reminderDays = "reminders.days"
    /// Days before the last day to cancel.
    case reminderCancelByDays = "reminders.cancel_by_days"
    /// The kinds of which there are reminders; see `ReminderKind`.
    case reminderKinds = "reminders.kinds"

    /// Nil when there is none.
    public var defaultValue: String? {
        switch self {
        case .homeCurrency, .language: nil
        case .backupWarningDays: "30"
        case .reminderTime: "09:00"
        case .reminderQuietHours: "22:00-08:00"
        case .reminderDays: "3"
        case .reminderCancelByDays: "14,3"
        case .reminderKinds: Self.wire(Set(ReminderKind.allCases))
        }
    }

    private static let warningDays = 0...3660

    /// The value in its stored form. An empty one stands for the default.
    func checked(_ text: String) throws(Fault) -> String? {
        guard !text.isEmpty else { return nil }
        switch self {
        case .homeCurrency:
            return try FieldRules.currency(text, field: rawValue).code
        case .language:
            guard let language = DisplayLanguage(rawValue: text.lowercased()) else {
                throw Fault(rawValue, .unknownValue, "Must be one of fr, en.")
            }
            return language.rawValue
        case .backupWarningDays:
            guard let days = Int(text), Self.warningDays.contains(days) else {
                let (first, last) = (Self.warningDays.lowerBound, Self.warningDays.upperBound)
                throw Fault(rawValue, .outOfRange, "Must be from \(first) to \(last).")
            }
            return "\(days)"
        case .reminderTime:
            guard ReminderPolicy.minutes(text) != nil else {
                throw Fault(rawValue, .invalidFormat, "Must be a time such as 09:00.")
            }
            return text
        case .reminderQuietHours:
            guard ReminderPolicy.quietHours(text) != nil else {
                throw Fault(rawValue, .invalidFormat, "Must be two times such as 22:00-08:00, or none.")
            }
            return text
        case .reminderDays, .reminderCancelByDays:
            guard let days = ReminderPolicy.days(text) else {
                throw Fault(
                    rawValue, .invalidFormat,
                    "Must be numbers of days from 0 to 366 separated by commas, such as 7,1, or none.")
            }
            return days.isEmpty ? "none" : days.map(String.init).joined(separator: ",")
        case .reminderKinds:
            guard let kinds = ReminderPolicy.kinds(text) else {
                let names = Self.wire(Set(ReminderKind.allCases))
                throw Fault(rawValue, .unknownValue, "Must be none, or some of \(names).")
            }
            return Self.wire(kinds)
        }
    }

    private static func wire(_ kinds: Set<ReminderKind>) -> String {
        let names = ReminderKind.allCases.filter(kinds.contains).map(\.rawValue)
        return names.isEmpty ? "none" : names.joined(separator: ",")
    }
}

extension DeviceStore {
    /// Settings that the user chooses.
    public var settings: UserSettings { UserSettings(store: self) }

    /// See ``DeviceStore/settings``.
    public struct UserSettings: Sendable { let store: DeviceStore }
}

extension DeviceStore.UserSettings {
    /// Finds a setting by its name. Throws an error that lists the names.
    public func named(_ name: String) throws -> UserSetting {
        if let setting = UserSetting(rawValue: name) { return setting }
        let names = UserSetting.allCases.map(\.rawValue).joined(separator: ", ")
        throw DeviceStoreError.invalid(Fault("name", .unknownValue, "Must be one of \(names)."))
    }

    /// The value that was set; nil when it was not.
    public func own(_ setting: UserSetting) throws -> String? {
        try store.read { try Settings($0).value(setting.rawValue) }
    }

    /// The value that applies; nil when there is none.
    public func value(_ setting: UserSetting) throws -> String? { try own(setting) ?? setting.defaultValue }

    /// Sets a value; an empty one returns to the default. Can be undone.
    public func set(_ setting: UserSetting, to text: String, at moment: Moment) throws {
        try set([(setting, text)], at: moment)
    }

    /// Sets several values together or none, as one change. Throws the faults of all of them.
    public func set(_ values: [(setting: UserSetting, text: String)], at moment: Moment) throws {
        var faults = FaultList()
        var checked: [(setting: UserSetting, value: String?)] = []
        for (setting, text) in values {
            do throws(Fault) {
                checked.append((setting, try setting.checked(text)))
            } catch { faults.note(error) }
        }
        if let error = DeviceStoreError.of(faults) { throw error }
        try store.write(at: moment, as: .settingSet) { unit in
            for (setting, value) in checked {
                let before = try Settings(unit.session).value(setting.rawValue)
                guard value != before else { continue }
                try Settings.set(value, for: setting.rawValue, in: unit.session)
                unit.changedSettings.append(ChangedSetting(name: setting.rawValue, before: before, after: value))
            }
        }
    }

    /// The language that was chosen; nil for the environment's.
    public func language() throws -> DisplayLanguage? { try value(.language).flatMap { DisplayLanguage(rawValue: $0) } }

    /// After how many days without a backup to warn; 0 for never.
    public func backupWarningDays() throws -> Int { try value(.backupWarningDays).flatMap { Int($0) } ?? 30 }
}

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
