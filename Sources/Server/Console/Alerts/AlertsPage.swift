package import Backend
import HTML
package import SubGuardDomain

/// Rules, thresholds, channels and the delivery log.
package struct AlertsPage: Sendable {
    package enum Notice: Sendable {
        case tested, resent, thresholdsSaved, ruleDeleted
        /// The sentences of the API's problem, in English.
        case refused([Refusal])
    }

    private let rules: [AlertRule]
    private let overview: AlertOverview
    private let next: String?
    private let isFirstPage: Bool
    private let now: UTCInstant
    /// Nil for those who may change nothing; otherwise a new key for the next call.
    private let idempotencyKey: String?
    private let notice: Notice?

    package init(
        rules: [AlertRule], overview: AlertOverview, next: String?, isFirstPage: Bool, now: UTCInstant,
        idempotencyKey: String?, notice: Notice? = nil
    ) {
        self.rules = rules
        self.overview = overview
        self.next = next
        self.isFirstPage = isFirstPage
        self.now = now
        self.idempotencyKey = idempotencyKey
        self.notice = notice
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(.alerts, title: words["Alerts"]) { html in
            frame.top(
                "Alerts", "Messages when a figure crosses a value, or when a number of users is reached.", to: &html
            ) { html in
                if idempotencyKey != nil {
                    html.add(
                        .a, .class("button primary"), .href(HTMLLink("console", "alerts", "rules", "new")),
                        text: words["New rule"])
                }
            }
            if let notice { write(notice, words, to: &html) }
            section("rules", "Rules", words, &html) { html in writeRules(frame, to: &html) }
            section("thresholds", "Thresholds", words, &html) { html in writeThresholds(words, to: &html) }
            section("channels", "Channels", words, &html) { html in writeChannels(frame, to: &html) }
            section("deliveries", "Delivery log", words, &html) { html in
                writeDeliveries(words, to: &html)
            }
        }
    }

    private func section(
        _ id: String, _ title: Sentence, _ words: ConsoleWords, _ html: inout HTMLWriter,
        content: (inout HTMLWriter) -> Void
    ) {
        html.add(.section, .class("section")) { html in
            html.add(.h2, .id(id), text: words[title])
            content(&html)
        }
    }

    private func write(_ notice: Notice, _ words: ConsoleWords, to html: inout HTMLWriter) {
        let phrase: Sentence
        switch notice {
        case .tested: phrase = "The test is queued; the log below shows its state."
        case .resent: phrase = "It is queued again."
        case .thresholdsSaved: phrase = "The thresholds are saved."
        case .ruleDeleted: phrase = "The rule was deleted."
        case .refused(let sentences): return FormNotice.refused(sentences, words, to: &html)
        }
        FormNotice.done(words[phrase], to: &html)
    }

    // MARK: Rules

    private func writeRules(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        guard !rules.isEmpty else {
            return frame.emptySection(
                "No rules yet",
                "A rule watches a figure, such as crash-free sessions below 99.5% in the last 24 hours.", to: &html)
        }
        html.table(
            .labelledBy("rules"), of: rules,
            [
                .heading(words["Rule"]) { rule, html in
                    html.add(.a, .href(HTMLLink("console", "alerts", "rules", rule.id.lowercased))) { html in
                        html.add(.bdi, text: rule.draft.name)
                    }
                },
                .text(words["Fires when"]) { words.condition($0.draft) },
                .text(words["Now"]) { words.measured($0.current.value, of: $0.draft) },
                .text(words["State"]) { rule, html in AlertState(rule, now: now).write(words, to: &html) },
            ])
    }

    // MARK: Thresholds

    private func writeThresholds(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.p, .class("hint"), text: words["Numbers of users, each announced once, ever."])
        if overview.list.thresholds.isEmpty {
            html.add(.p, .class("muted"), text: words["No thresholds."])
        } else {
            html.add(.ul, .class("waits")) { html in
                for threshold in overview.list.thresholds {
                    html.add(.li) { html in
                        html.add(.strong, text: words.number(threshold.users))
                        var texts = [words["not reached yet"]]
                        if let firedAt = threshold.firedAt {
                            texts = [
                                words.text(
                                    "reached on %1 with %2 users", words.day(firedAt.day),
                                    words.number(threshold.userCount ?? threshold.users))
                            ]
                        }
                        if let waitsUntil = threshold.waitsUntil {
                            texts.append(
                                words.text(
                                    "not sent: no channel is configured; waits for one until %1",
                                    words.day(waitsUntil.day)))
                        }
                        if !threshold.isActive { texts.append(words["no longer in the list"]) }
                        html.add(.span, .class("muted"), text: texts.joined(separator: " · "))
                    }
                }
            }
        }
        if idempotencyKey != nil {
            html.add(.p, .class("actions after")) { html in
                html.add(
                    .a, .class("button"), .href(HTMLLink("console", "alerts", "thresholds")),
                    text: words["Edit thresholds"])
            }
        }
    }

    // MARK: Channels

    private func writeChannels(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        guard !overview.channels.isEmpty else {
            return frame.emptySection(
                "No channel is configured",
                "Set alerts_slack_webhook_url, alerts_smtp_url or alerts_webhook_url and restart the server.",
                to: &html)
        }
        let hasActions = idempotencyKey != nil
        html.table(
            .labelledBy("channels"), of: overview.channels.enumerated(),
            [
                .heading(words["Channel"]) { row, html in html.text(words.name(row.element.target.channel)) },
                .text(words["Receiver"]) { row, html in html.add(.bdi, text: row.element.target.label) },
                .text(words["State"]) { row, html in
                    guard let disabledAt = row.element.disabledAt else {
                        return html.add(.span, .class("rating good"), text: words["in use"])
                    }
                    html.add(
                        .span, .class("rating bad"),
                        text: words.text(
                            "disabled since %1: %2", words.instant(disabledAt), row.element.disabledReason ?? ""))
                },
                hasActions
                    ? .actions { row, html in
                        // A test goes to all receivers of a channel.
                        let channel = row.element.target.channel
                        guard !overview.channels[..<row.offset].contains(where: { $0.target.channel == channel }) else {
                            return
                        }
                        writeTest(channel, words, to: &html)
                    } : nil,
            ])
        if hasActions, overview.channels.count > 1 {
            html.add(.div, .class("actions after")) { html in writeTest(nil, words, to: &html) }
        }
    }

    private func writeTest(_ channel: AlertChannel?, _ words: ConsoleWords, to html: inout HTMLWriter) {
        guard let idempotencyKey else { return }
        html.add(.form, .methodPost, .action(HTMLLink("console", "alerts", "test"))) { html in
            html.hidden("idempotency_key", idempotencyKey)
            if let channel { html.hidden("channel", channel.rawValue) }
            html.add(
                .button, .type("submit"),
                channel.map { .aria("label", words.text("Send a test through %1", words.name($0))) },
                text: words[channel == nil ? "Test all channels" : "Send a test"])
        }
    }

    // MARK: Deliveries

    private func writeDeliveries(_ words: ConsoleWords, to html: inout HTMLWriter) {
        guard !overview.deliveries.isEmpty else {
            return html.add(.p, .class("muted"), text: words["Nothing was sent yet."])
        }
        html.table(
            .labelledBy("deliveries"), of: overview.deliveries,
            [
                .heading(words["Message"]) { row, html in html.add(.bdi, text: words.name(row.subject)) },
                .instant("Created", words) { $0.createdAt },
                .text(words["Channel"]) { row, html in
                    html.text(words.name(row.channel))
                    html.add(.span, .class("under")) { html in html.add(.bdi, text: row.target) }
                },
                .text(words["State"]) { row, html in writeState(row, words, to: &html) },
                .number(words["Attempts"]) { words.number(Int64($0.attempts)) },
                idempotencyKey.map { key in .actions { row, html in writeResend(row, key, words, to: &html) } },
            ])
        html.add(.nav, .class("paging"), .aria("label", words["Delivery log"])) { html in
            html.add(.p, .class("actions")) { html in
                if !isFirstPage {
                    html.add(
                        .a, .class("button"), .href(HTMLLink("console", "alerts", fragment: "deliveries")),
                        text: words["First page"])
                }
                if let next {
                    html.add(
                        .a, .class("button"), .rel("next"),
                        .href(HTMLLink("console", "alerts", query: [("cursor", next)], fragment: "deliveries")),
                        text: words["Next page"])
                }
            }
        }
    }

    private func writeState(_ delivery: AlertDelivery, _ words: ConsoleWords, to html: inout HTMLWriter) {
        let state = words.name(delivery.state)
        switch delivery.state {
        case .delivered: html.add(.span, .class("rating good"), text: state)
        case .dead: html.add(.span, .class("rating bad"), text: state)
        case .pending, .retrying: html.add(.span, .class("rating"), text: state)
        }
        if let error = delivery.lastError {
            let known = words.deliveryError(error)
            html.add(.span, .class("under"), known == nil ? .lang("en") : nil) { html in
                html.add(.bdi, text: known ?? error)
            }
        }
        if delivery.state == .retrying, let instant = delivery.nextAttemptAt {
            html.add(.span, .class("under"), text: words.text("next attempt %1", words.instant(instant)))
        }
    }

    private func writeResend(
        _ delivery: AlertDelivery, _ key: String, _ words: ConsoleWords, to html: inout HTMLWriter
    ) {
        let link = HTMLLink("console", "alerts", "deliveries", delivery.id.lowercased, "resend")
        html.add(.form, .methodPost, .action(link)) { html in
            html.hidden("idempotency_key", key)
            html.add(
                .button, .type("submit"),
                .aria(
                    "label", words.text("Resend: %1, %2", words.name(delivery.subject), words.name(delivery.channel))),
                text: words["Resend"])
        }
    }
}

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
        case .pending: html.add(.span, .class("rating"), text: state)
        case .ok: html.add(.span, .class("rating good"), text: state)
        case .firing: html.add(.span, .class("rating bad"), text: state)
        }
        if let since = rule.current.since {
            html.add(.span, .class("under"), text: words.text("since %1", words.instant(since)))
        }
        if let until = rule.draft.mutedUntil, until > now {
            html.add(.span, .class("under"), text: words.text("muted until %1", words.instant(until)))
        }
    }
}

extension ConsoleFrame {
    /// An empty state below the heading of a section.
    func emptySection(_ title: Sentence, _ hint: Sentence, to html: inout HTMLWriter) {
        html.add(.div, .class("empty")) { html in
            html.add(.h3, text: words[title])
            html.add(.p, text: words[hint])
        }
    }
}
