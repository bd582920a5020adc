import HTML
import ServerContract
package import SubGuardDomain
package import Telemetry

/// A rule: its measurement, the form to make or change it, and what it would have done.
package struct AlertRulePage: ConsolePage {
    /// Nil for a new one.
    private let rule: AlertRule?
    private let values: FormValues
    private let faults: FormFaults
    /// What the definition in the form, or the stored one, would have done; nil while it is not complete.
    private let preview: AlertPreviewView?
    private let hasChannel: Bool
    private let now: UTCInstant

    package init(
        rule: AlertRule?, values: FormValues, faults: FormFaults, preview: AlertPreviewView?, hasChannel: Bool,
        now: UTCInstant
    ) {
        self.rule = rule
        self.values = values
        self.faults = faults
        self.preview = preview
        self.hasChannel = hasChannel
        self.now = now
    }

    private var form: DeclaredForm { rule == nil ? AlertForms.newRule : AlertForms.rule }

    private var link: HTMLLink { HTMLLink("console", "alerts", "rules", rule?.id.lowercased ?? "new") }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        let title = rule?.draft.name ?? words["New rule"]
        let mayChange = frame.may(.replaceAlertRule)
        return frame.page(.alerts, title: "\(title) · \(words["Alerts"])") { html in
            html.crumb(ConsoleSection.alerts.link, words["Alerts"])
            html.top(
                title, isName: true,
                lead: { html in
                    if let rule { html.paragraph(words.condition(rule.draft) + ".") }
                },
                actions: rule.flatMap { rule in
                    guard mayChange else { return nil }
                    let link = HTMLLink("console", "alerts", "rules", rule.id.lowercased, "delete")
                    return { $0.linkButton(words["Delete…"], link, style: "button danger") }
                })
            frame.notice(["saved": "The rule is saved."], to: &html)
            if !hasChannel { writeNoChannel(words, to: &html) }
            if mayChange { form.writeSummary(faults, words, to: &html) }
            if let rule {
                writeMeasurement(rule, words, to: &html)
                if mayChange { writeMuting(rule, frame, to: &html) }
            }
            if mayChange { writeForm(frame, to: &html) }
            html.section(
                words["What it would have done"], id: "preview", headingID: "preview-title", isLabelled: true
            ) { html in
                if let preview { return preview.write(words, to: &html) }
                html.add(
                    .p, .class("muted"),
                    text: words["Fill in figure, comparison, value and window to see when the rule would have fired."])
            }
        }
    }

    private func writeNoChannel(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.notice(.warning, role: NoticeRole.none) { html in
            html.text(words["No channel is configured, so no alert is sent"] + ". ")
            html.link(words["Channels"], HTMLLink("console", "alerts", fragment: "channels"))
        }
    }

    private func writeMeasurement(_ rule: AlertRule, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.facts(
            [
                Fact(words["State"]) { AlertState(rule: rule, now: now).write(words, to: &$0) },
                Fact(words["Now"], words.measured(rule.current.value, of: rule.draft)),
                Fact(words["Sample"], rule.current.sample.map(words.number)),
                Fact(words["Recovers at"], words.value(rule.draft.recoveryValue, of: rule.draft)),
                Fact(words["Evaluated"], rule.current.evaluatedAt.map(words.instant)),
            ], style: "factline")
    }

    private func writeMuting(_ rule: AlertRule, _ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        html.form(
            HTMLLink("console", "alerts", "rules", rule.id.lowercased, "mute"),
            [frame.keyed(), ("revision", "\(rule.revision)")], .class("actions")
        ) { html in
            html.muted(words["Mute"])
            for (seconds, name) in [
                ("3600", "for 1 hour" as Sentence), ("86400", "for 1 day"), ("604800", "for 7 days"),
            ] {
                html.submit(
                    words[name], .name("seconds"), .value(seconds),
                    .aria("label", "\(words["Mute"]) \(words[name])"))
            }
            guard let until = rule.draft.mutedUntil, until > now else { return }
            html.submit(words["End muting"], .name("seconds"), .value("0"))
        }
    }

    private func writeForm(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        // As it was when the form was opened; what was typed goes with it.
        let typed = values["revision"]
        let revision = rule.map { [(name: "revision", value: typed.isEmpty ? "\($0.revision)" : typed)] } ?? []
        html.form(
            link, [frame.keyed()] + revision, .class("form section"), .data("guard"), .data("live", "preview")
        ) { html in
            form.write(
                values, faults, words, options: ["window": AlertForms.windows(with: values["window"], words)], to: &html
            )
            html.actions { html in
                html.submit(words["Save rule"], .class("primary"))
                html.submit(words["Preview"], .name("intent"), .value("preview"))
                html.linkButton(words["Cancel"], ConsoleSection.alerts.link)
            }
        }
    }
}

extension SimplePage {
    /// Asks before a rule is deleted.
    package static func deletion(of rule: AlertRule) -> SimplePage {
        let page = ["console", "alerts", "rules", rule.id.lowercased]
        return question(
            .alerts, "Delete the rule “\(rule.draft.name)”?", "Delete rule", HTMLLink(path: page + ["delete"]),
            [("revision", "\(rule.revision)")], back: HTMLLink(path: page)
        ) { _, words, html in
            html.paragraph(
                words[
                    "No message is sent, even if the rule fires now. Messages that wait are still "
                        + "delivered. This cannot be undone."])
            html.add(.p, .class("muted"), text: words.condition(rule.draft) + ".")
        }
    }
}

/// The state of a rule in words, with since when, and muting.
struct AlertState {
    let rule: AlertRule
    let now: UTCInstant

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
