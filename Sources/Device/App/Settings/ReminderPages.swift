import DeviceWords
import HTML
import HTTPServer
import JSONWire
import SubGuardClient
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
            gate.page("/reminders", page),
            gate.form("/reminders", again: page) { visit, form in
                let changed = try values(form).filter { setting, value in
                    // What another window has changed since is no edit of this form.
                    try value != form.shown(setting.rawValue) ?? visit.store.settings.value(setting)
                }
                try visit.store.settings.set(changed, at: visit.moment)
                return .done(link)
            },
        ]
    }

    /// The values of a sent form.
    private static func values(_ form: FormFields) -> [(setting: UserSetting, text: String)] {
        let kinds = form.values("kind")
        return texts.map { ($0, form.trimmed($0.rawValue)) }
            .map { ($0, $1.isEmpty && $0 != .reminderTime ? "none" : $1) }
            + [(.reminderKinds, kinds.isEmpty ? "none" : kinds.joined(separator: ","))]
    }

    private static func page(_ visit: AppVisit) throws -> [UInt8] {
        let sent = visit.sent(to: link)
        let form = sent?.fields
        let stored = try (texts + [.reminderKinds]).map { ($0, try visit.store.settings.value($0) ?? "") }
        let values = Dictionary(form.map { self.values($0).map { ($0.setting, $0.text) } } ?? stored) { one, _ in one }
        let chosen = Set((values[.reminderKinds] ?? "").split(separator: ",").map(String.init))
        let next = try visit.store.reminders.list(language: visit.words, limit: 10, at: visit.moment)
        return visit.subpage(visit.text("Reminders")) { html in
            html.post(link, "panel stack", .data("guard")) { html in
                for (setting, value) in stored {
                    html.hidden(FormFields.shownName(setting.rawValue), form?.shown(setting.rawValue) ?? value)
                }
                html.add(.div, .class("fields")) { html in
                    for setting in texts {
                        let (label, hint) = words(setting, visit)
                        visit.field(
                            setting.rawValue, label, value: values[setting].flatMap { $0 == "none" ? nil : $0 } ?? "",
                            hint: hint,
                            type: setting == .reminderTime ? "time" : "text", faults: sent.faults, to: &html)
                    }
                }
                html.choices(
                    visit.text("Remind me of"), "kind", ReminderKind.allCases.map { ($0.rawValue, visit.name($0)) },
                    chosen: chosen)
                html.submit(visit.text("Save"), "primary")
            }
            html.section(visit.text("The next reminders")) { html in
                if next.isEmpty { html.mutedLine(visit.text("No upcoming reminders.")) }
                html.facts(next.map { ($0.title, visit.time($0.fireAt)) })
                html.sentence(
                    visit.text("A scheduled task on this computer shows them, even while the app is closed:"),
                    "subguard remind", style: "hint after")
                NoticePages.write(visit, to: &html)
            }
        }
    }

    private static func words(_ setting: UserSetting, _ visit: AppVisit) -> (label: String, hint: String?) {
        switch setting {
        case .reminderTime: (visit.text("Time of day"), nil)
        case .reminderQuietHours: (visit.text("Quiet hours"), visit.text("Such as 22:00-08:00; empty for none."))
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

/// Due reminders as notifications of the browser, while a page of the app is open.
///
/// They share the memory of `subguard remind`: each reminder is shown once on this device, by the first of them.
enum NoticePages {
    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.form("/reminders/due", isChange: false) { visit, form in
                let due = try due(visit, but: Set(form.values("told")))
                return .answer(AppResponse.json(due.map { json($0, visit) }))
            }
        ]
    }

    /// The reminders that are due but for those that the page has told, which are recorded: one that closes before it
    /// has shown them leaves them to others. Empty while another program tells them.
    private static func due(_ visit: AppVisit, but told: Set<String>) throws -> [DueReminder] {
        // The lock of `subguard remind`, so that two at once do not tell the same.
        let path = visit.store.path + ".remind-lock"
        guard let lock = try Waiting.value({ try await FileLock.take(path, timeout: .seconds(2)) }) else { return [] }
        defer { withExtendedLifetime(lock) {} }
        try visit.store.reminders.begin(at: visit.moment)
        let due = try visit.store.reminders.due(language: visit.words, at: visit.moment)
        let shown = due.filter { told.contains($0.id) }
        // Nothing is written for nothing: open pages would be told of a change, and would ask again.
        if !shown.isEmpty {
            try visit.store.reminders.noteTold(shown, isAll: shown.count == due.count, at: visit.moment)
        }
        return due.filter { !told.contains($0.id) }
    }

    private static func json(_ reminder: DueReminder, _ visit: AppVisit) -> JSONValue {
        let link = reminder.subscriptionID.map { SubscriptionPages.link($0) } ?? AppSection.calendar.link
        return [
            "id": .string(reminder.id), "title": .string(reminder.name),
            // What it says may have an amount.
            "text": .string(visit.look.isVeiled ? visit.when(reminder.on) : reminder.message),
            "link": .string(link.text),
        ]
    }

    /// The switch on the page of reminders. Hidden until the script has found that the browser can do it.
    static func write(_ visit: AppVisit, to html: inout HTMLWriter) {
        html.add(.div, .class("stack after"), .data("notify"), .hidden) { html in
            html.add(.div, .class("actions")) { html in
                html.add(
                    .button, .type("button"), .data("notify-on"), text: visit.text("Show notifications from this page"))
                html.add(
                    .button, .type("button"), .data("notify-off"), .hidden,
                    text: visit.text("Stop notifications from this page"))
            }
            html.add(
                .p, .class("notice warn"), .role("status"), .data("notify-blocked"), .hidden,
                text: visit.text("The browser blocks notifications of this address. Allow them in its settings."))
            html.hint(
                visit.text(
                    "Shown while a page of the app is open. Each reminder is shown once, here or by subguard remind."))
        }
    }
}
