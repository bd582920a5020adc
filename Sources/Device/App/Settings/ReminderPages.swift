import DeviceWords
import HTML
import HTTPServer
import HTTPTypes
import SubGuardDomain
import SubGuardEngine

/// When there are reminders, and the next ones.
enum ReminderPages {
    static let link = HTMLLink("reminders")
    private static let texts: [UserSetting] = [
        .reminderTime, .reminderQuietHours, .reminderDays, .reminderCancelByDays,
    ]

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/reminders") { visit in AppResponse.page(try page(visit)) },
            gate.form("/reminders", refill: { visit, form in try page(visit, form) }) { visit, form in
                let changed = try values(form).filter { setting, value in
                    // What another window has changed since is no edit of this form.
                    try value != form[shownName(setting)] ?? visit.store.settings.value(setting)
                }
                do {
                    try visit.store.settings.set(changed, at: visit.moment)
                    return AppResponse.seeOther(try visit.done(link))
                } catch let error as DeviceStoreError where !error.faults.isEmpty {
                    return AppResponse.page(try page(visit, form, error.faults), .unprocessableContent)
                }
            },
        ]
    }

    /// The values of a sent form.
    private static func values(_ form: FormFields) -> [(setting: UserSetting, text: String)] {
        let kinds = form.values("kind")
        return texts.map { ($0, (form[$0.rawValue] ?? "").trimmingBlanks) }
            + [(.reminderKinds, kinds.isEmpty ? "none" : kinds.joined(separator: ","))]
    }

    /// The name of the hidden field with the value that the page showed.
    private static func shownName(_ setting: UserSetting) -> String { "shown_\(setting.rawValue)" }

    private static func page(
        _ visit: AppVisit, _ form: FormFields? = nil, _ faults: [Fault] = []
    ) throws -> [UInt8] {
        let stored = try (texts + [.reminderKinds]).map { ($0, try visit.store.settings.value($0) ?? "") }
        let values = Dictionary(form.map { self.values($0).map { ($0.setting, $0.text) } } ?? stored) { one, _ in one }
        let chosen = Set((values[.reminderKinds] ?? "").split(separator: ",").map(String.init))
        let next = try visit.store.reminders.list(language: visit.words, limit: 10, at: visit.moment)
        return visit.subpage(visit.text("Reminders")) { html in
            html.add(.form, .methodPost, .action(link), .class("panel stack"), .data("guard")) { html in
                for (setting, value) in stored {
                    let name = shownName(setting)
                    html.hidden(name, form?[name] ?? value)
                }
                html.add(.div, .class("fields")) { html in
                    for setting in texts {
                        let (label, hint) = words(setting, visit)
                        visit.field(
                            setting.rawValue, label, value: values[setting] ?? "", hint: hint,
                            type: setting == .reminderTime ? "time" : "text", faults: faults, to: &html)
                    }
                }
                html.add(.fieldset) { html in
                    html.add(.legend, text: visit.text("Remind me of"))
                    html.add(.div, .class("choices")) { html in
                        for kind in ReminderKind.allCases {
                            html.add(.label, .class("choice")) { html in
                                html.add(
                                    .input, .type("checkbox"), .name("kind"), .value(kind.rawValue),
                                    chosen.contains(kind.rawValue) ? .checked : nil)
                                html.text(visit.name(kind))
                            }
                        }
                    }
                }
                html.add(.button, .type("submit"), .class("primary"), text: visit.text("Save"))
            }
            html.add(.section, .class("section")) { html in
                html.add(.h2, text: visit.text("The next reminders"))
                if next.isEmpty { html.add(.p, .class("muted"), text: visit.text("No upcoming reminders.")) }
                html.add(.ul, .class("waits")) { html in
                    for reminder in next {
                        html.add(.li) { html in
                            html.add(.b, text: reminder.title)
                            html.add(.span, text: visit.time(reminder.fireAt))
                        }
                    }
                }
                html.add(.p, .class("hint after")) { html in
                    html.text(visit.text("A timer of this machine shows them, also while the app is closed:"))
                    html.text(" ")
                    html.add(.code, text: "subguard remind")
                }
                NoticePages.write(visit, to: &html)
            }
        }
    }

    private static func words(_ setting: UserSetting, _ visit: AppVisit) -> (label: String, hint: String?) {
        switch setting {
        case .reminderTime: (visit.text("Time of day"), nil)
        case .reminderQuietHours: (visit.text("Quiet hours"), visit.text("Such as 22:00-08:00, or none."))
        case .reminderDays:
            (visit.text("Days before a charge"), visit.text("Such as 7,1; for the ends of trials and new prices too."))
        case .reminderCancelByDays: (visit.text("Days before the last day to cancel"), visit.text("Such as 14,3."))
        default: (setting.rawValue, nil)
        }
    }
}

extension AppVisit {
    fileprivate func name(_ kind: ReminderKind) -> String {
        switch kind {
        case .charge: text("coming charges")
        case .trialEnd: text("ends of trials")
        case .cancelBy: text("last days to cancel")
        case .priceChange: text("new prices")
        case .budget: text("budgets")
        }
    }
}
