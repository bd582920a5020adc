package import Backend
import HTML
package import SubGuardDomain

/// A rule: its measurement, the form to make or change it, and what it would have done.
package struct AlertRulePage: Sendable {
    /// The form as it is to be shown.
    package struct Editing: Sendable {
        let values: FormValues
        let faults: FormFaults
        let idempotencyKey: String

        package init(values: FormValues, faults: FormFaults = FormFaults(), idempotencyKey: String) {
            self.values = values
            self.faults = faults
            self.idempotencyKey = idempotencyKey
        }
    }

    /// Nil for a new one.
    private let rule: AlertRule?
    /// Nil for those who may change nothing.
    private let editing: Editing?
    /// What the definition in the form, or the stored one, would have done; nil while it is not complete.
    private let preview: AlertPreviewView?
    private let now: UTCInstant
    private let isSaved: Bool

    package init(
        rule: AlertRule?, editing: Editing?, preview: AlertPreviewView?, now: UTCInstant, isSaved: Bool = false
    ) {
        self.rule = rule
        self.editing = editing
        self.preview = preview
        self.now = now
        self.isSaved = isSaved
    }

    private var form: DeclaredForm { rule == nil ? AlertForms.newRule : AlertForms.rule }

    private var link: HTMLLink { HTMLLink("console", "alerts", "rules", rule?.id.lowercased ?? "new") }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        let title = rule?.draft.name ?? words["New rule"]
        return frame.page(.alerts, title: "\(title) · \(words["Alerts"])") { html in
            html.crumb(ConsoleSection.alerts.link, words["Alerts"])
            html.add(.div, .class("top")) { html in
                html.add(.div) { html in
                    html.add(.h1) { html in html.add(.bdi, text: title) }
                    if let rule { html.add(.p, text: words.condition(rule.draft) + ".") }
                }
                if let rule, editing != nil {
                    html.add(.div, .class("actions")) { html in
                        html.add(
                            .a, .class("button danger"),
                            .href(HTMLLink("console", "alerts", "rules", rule.id.lowercased, "delete")),
                            text: words["Delete…"])
                    }
                }
            }
            if isSaved { FormNotice.done(words["The rule is saved."], to: &html) }
            if let editing { form.writeSummary(editing.faults, words, to: &html) }
            if let rule { writeMeasurement(rule, words, to: &html) }
            if let editing { writeForm(editing, words, to: &html) }
            html.add(.section, .class("section"), .id("preview"), .aria("labelledby", "preview-title")) { html in
                html.add(.h2, .id("preview-title"), text: words["What it would have done"])
                if let preview {
                    preview.write(words, to: &html)
                } else {
                    html.add(
                        .p, .class("muted"),
                        text: words[
                            "Fill in figure, comparison, value and window to see when the rule would have fired."])
                }
            }
        }
    }

    private func writeMeasurement(_ rule: AlertRule, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.dl, .class("factline")) { html in
            func fact(_ name: Sentence, _ content: (inout HTMLWriter) -> Void) {
                html.add(.div) { html in
                    html.add(.dt, text: words[name])
                    html.add(.dd) { html in content(&html) }
                }
            }
            fact("State") { AlertState(rule, now: now).write(words, to: &$0) }
            fact("Now") { $0.text(words.measured(rule.current.value, of: rule.draft)) }
            if let sample = rule.current.sample { fact("Sample") { $0.text(words.number(sample)) } }
            fact("Recovers at") { $0.text(words.value(rule.draft.recoveryValue, of: rule.draft)) }
            if let instant = rule.current.evaluatedAt { fact("Evaluated") { $0.text(words.instant(instant)) } }
        }
        if let editing { writeMuting(rule, editing.idempotencyKey, words, to: &html) }
    }

    private func writeMuting(_ rule: AlertRule, _ key: String, _ words: ConsoleWords, to html: inout HTMLWriter) {
        let link = HTMLLink("console", "alerts", "rules", rule.id.lowercased, "mute")
        html.add(.form, .methodPost, .action(link), .class("actions")) { html in
            html.hidden("idempotency_key", key)
            html.hidden("revision", "\(rule.revision)")
            html.add(.span, .class("muted"), text: words["Mute"])
            for (seconds, name) in [
                ("3600", "for 1 hour" as Sentence), ("86400", "for 1 day"), ("604800", "for 7 days"),
            ] {
                html.add(
                    .button, .type("submit"), .name("seconds"), .value(seconds),
                    .aria("label", "\(words["Mute"]) \(words[name])"), text: words[name])
            }
            if let until = rule.draft.mutedUntil, until > now {
                html.add(.button, .type("submit"), .name("seconds"), .value("0"), text: words["End muting"])
            }
        }
    }

    private func writeForm(_ editing: Editing, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(
            .form, .methodPost, .action(link), .class("form section"), .data("guard"), .data("live", "preview")
        ) { html in
            html.hidden("idempotency_key", editing.idempotencyKey)
            if let rule {
                // As it was when the form was opened; what was typed goes with it.
                let revision = editing.values["revision"]
                html.hidden("revision", revision.isEmpty ? "\(rule.revision)" : revision)
            }
            form.write(editing.values, editing.faults, words, suggestions: ["window": AlertForms.windows], to: &html)
            html.add(.p, .class("actions")) { html in
                html.add(.button, .type("submit"), .class("primary"), text: words["Save rule"])
                html.add(
                    .button, .type("submit"), .name("intent"), .value("preview"), text: words["Preview"])
                html.add(.a, .class("button"), .href(ConsoleSection.alerts.link), text: words["Cancel"])
            }
        }
    }
}

/// The thresholds in a form.
package struct AlertThresholdsPage: Sendable {
    private let values: FormValues
    private let faults: FormFaults
    private let hidden: [(name: String, value: String)]

    /// - Parameter hidden: the revision and a new key.
    package init(values: FormValues, faults: FormFaults = FormFaults(), hidden: [(name: String, value: String)]) {
        self.values = values
        self.faults = faults
        self.hidden = hidden
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(.alerts, title: words["Edit thresholds"]) { html in
            html.crumb(ConsoleSection.alerts.link, words["Alerts"])
            frame.top("Edit thresholds", "Numbers of users, each announced once, ever.", to: &html)
            AlertForms.thresholds.writeSummary(faults, words, to: &html)
            html.add(
                .form, .methodPost, .action(HTMLLink("console", "alerts", "thresholds")), .class("form"),
                .data("guard")
            ) { html in
                for (name, value) in hidden { html.hidden(name, value) }
                AlertForms.thresholds.write(values, faults, words, to: &html)
                html.add(.p, .class("actions")) { html in
                    html.add(.button, .type("submit"), .class("primary"), text: words["Save thresholds"])
                    html.add(.a, .class("button"), .href(ConsoleSection.alerts.link), text: words["Cancel"])
                }
            }
        }
    }
}

/// Asks before a rule is deleted.
package struct AlertRuleDeletionPage: Sendable {
    private let rule: AlertRule
    private let idempotencyKey: String

    package init(_ rule: AlertRule, idempotencyKey: String) {
        self.rule = rule
        self.idempotencyKey = idempotencyKey
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        let title = words.text("Delete the rule “%1”?", rule.draft.name)
        let path = ["console", "alerts", "rules", rule.id.lowercased]
        return frame.page(.alerts, title: title) { html in
            html.add(.div, .class("confirm")) { html in
                html.add(.h1, text: title)
                html.add(
                    .p,
                    text: words[
                        "No message is sent, even if the rule fires now. Messages that wait are still "
                            + "delivered. This cannot be undone."])
                html.add(.p, .class("muted"), text: words.condition(rule.draft) + ".")
                html.add(.form, .methodPost, .action(HTMLLink(path: path + ["delete"]))) { html in
                    html.hidden("idempotency_key", idempotencyKey)
                    html.hidden("revision", "\(rule.revision)")
                    html.add(.p, .class("actions")) { html in
                        html.add(.button, .type("submit"), .class("danger"), text: words["Delete rule"])
                        html.add(.a, .class("button"), .href(HTMLLink(path: path)), text: words["Cancel"])
                    }
                }
            }
        }
    }
}
