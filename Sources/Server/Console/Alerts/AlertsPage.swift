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
        return frame.page(.alerts, title: words[.alerts]) { html in
            frame.top(.alerts, .alertsLead, to: &html) { html in
                if idempotencyKey != nil {
                    html.add(
                        .a, .class("button primary"), .href(HTMLLink("console", "alerts", "rules", "new")),
                        text: words[.alertNewRule])
                }
            }
            if let notice { write(notice, words, to: &html) }
            section("rules", .alertRules, words, &html) { html in writeRules(frame, to: &html) }
            section("thresholds", .alertThresholds, words, &html) { html in writeThresholds(words, to: &html) }
            section("channels", .alertChannels, words, &html) { html in writeChannels(frame, to: &html) }
            section("deliveries", .alertDeliveries, words, &html) { html in
                writeDeliveries(words, to: &html)
            }
        }
    }

    private func section(
        _ id: String, _ title: Phrase, _ words: ConsoleWords, _ html: inout HTMLWriter,
        content: (inout HTMLWriter) -> Void
    ) {
        html.add(.section, .class("section")) { html in
            html.add(.h2, .id(id), text: words[title])
            content(&html)
        }
    }

    private func write(_ notice: Notice, _ words: ConsoleWords, to html: inout HTMLWriter) {
        let phrase: Phrase
        switch notice {
        case .tested: phrase = .alertTested
        case .resent: phrase = .alertResent
        case .thresholdsSaved: phrase = .alertThresholdsSaved
        case .ruleDeleted: phrase = .alertDeleted
        case .refused(let sentences): return FormNotice.refused(sentences, words, to: &html)
        }
        FormNotice.done(words[phrase], to: &html)
    }

    /// A scrolling table with its headings; the last column has no name if `hasActions`.
    private func table(
        _ label: String, _ columns: [Phrase], hasActions: Bool = false, _ words: ConsoleWords,
        _ html: inout HTMLWriter, rows: (inout HTMLWriter) -> Void
    ) {
        html.add(.div, .class("scroll"), .role("region"), .aria("labelledby", label), .tabindex(0)) { html in
            html.add(.table, .class("stacked")) { html in
                html.add(.thead) { html in
                    html.add(.tr) { html in
                        for column in columns { html.add(.th, .scope("col"), text: words[column]) }
                        if hasActions { html.add(.td) { _ in } }
                    }
                }
                html.add(.tbody) { html in rows(&html) }
            }
        }
    }

    // MARK: Rules

    private func writeRules(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        guard !rules.isEmpty else { return frame.emptySection(.alertNoRules, .alertNoRulesHint, to: &html) }
        table("rules", [.alertRule, .alertCondition, .alertValueNow, .alertState], words, &html) { html in
            for rule in rules {
                html.add(.tr) { html in
                    html.add(.th, .scope("row")) { html in
                        html.add(.a, .href(HTMLLink("console", "alerts", "rules", rule.id.lowercased))) { html in
                            html.add(.bdi, text: rule.draft.name)
                        }
                    }
                    html.add(.td, .data("label", words[.alertCondition]), text: words.condition(rule.draft))
                    html.add(
                        .td, .data("label", words[.alertValueNow]),
                        text: words.value(rule.current.value, of: rule.draft))
                    html.add(.td, .data("label", words[.alertState])) { html in
                        AlertState(rule, now: now).write(words, to: &html)
                    }
                }
            }
        }
    }

    // MARK: Thresholds

    private func writeThresholds(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.p, .class("hint"), text: words[.alertThresholdsLead])
        if overview.list.thresholds.isEmpty {
            html.add(.p, .class("muted"), text: words[.alertNoThresholds])
        } else {
            html.add(.ul, .class("waits")) { html in
                for threshold in overview.list.thresholds {
                    html.add(.li) { html in
                        html.add(.strong, text: words.number(threshold.users))
                        var texts = [words[.alertThresholdWaits]]
                        if let firedAt = threshold.firedAt {
                            texts = [
                                words.text(
                                    .alertThresholdFired, words.day(firedAt.day),
                                    words.number(threshold.userCount ?? threshold.users))
                            ]
                        }
                        if let waitsUntil = threshold.waitsUntil {
                            texts.append(words.text(.alertThresholdNotSent, words.day(waitsUntil.day)))
                        }
                        if !threshold.isActive { texts.append(words[.alertThresholdRemoved]) }
                        html.add(.span, .class("muted"), text: texts.joined(separator: " · "))
                    }
                }
            }
        }
        if idempotencyKey != nil {
            html.add(.p, .class("actions after")) { html in
                html.add(
                    .a, .class("button"), .href(HTMLLink("console", "alerts", "thresholds")),
                    text: words[.alertEditThresholds])
            }
        }
    }

    // MARK: Channels

    private func writeChannels(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        guard !overview.channels.isEmpty else {
            return frame.emptySection(.alertNoChannels, .alertNoChannelsHint, to: &html)
        }
        let hasActions = idempotencyKey != nil
        table(
            "channels", [.alertChannel, .alertTarget, .alertState], hasActions: hasActions, words, &html
        ) { html in
            for (place, status) in overview.channels.enumerated() {
                // A test goes to all receivers of a channel.
                let isFirst = !overview.channels[..<place].contains { $0.target.channel == status.target.channel }
                html.add(.tr) { html in
                    html.add(.th, .scope("row"), text: words.name(status.target.channel))
                    html.add(.td, .data("label", words[.alertTarget])) { html in
                        html.add(.bdi, text: status.target.label)
                    }
                    html.add(.td, .data("label", words[.alertState])) { html in
                        if let disabledAt = status.disabledAt {
                            html.add(
                                .span, .class("rating bad"),
                                text: words.text(
                                    .alertDisabled, words.instant(disabledAt), status.disabledReason ?? ""))
                        } else {
                            html.add(.span, .class("rating good"), text: words[.alertInUse])
                        }
                    }
                    if hasActions {
                        html.add(.td, .class("rowactions")) { html in
                            if isFirst { writeTest(status.target.channel, words, to: &html) }
                        }
                    }
                }
            }
        }
        if hasActions, overview.channels.count > 1 {
            html.add(.div, .class("actions after")) { html in writeTest(nil, words, to: &html) }
        }
    }

    private func writeTest(_ channel: AlertChannel?, _ words: ConsoleWords, to html: inout HTMLWriter) {
        guard let idempotencyKey else { return }
        html.add(.form, .methodPost, .action(HTMLLink("console", "alerts", "test"))) { html in
            html.add(.input, .type("hidden"), .name("idempotency_key"), .value(idempotencyKey))
            if let channel { html.add(.input, .type("hidden"), .name("channel"), .value(channel.rawValue)) }
            html.add(
                .button, .type("submit"), channel.map { .aria("label", words.text(.alertTestOf, words.name($0))) },
                text: words[channel == nil ? .alertTestAll : .alertTest])
        }
    }

    // MARK: Deliveries

    private func writeDeliveries(_ words: ConsoleWords, to html: inout HTMLWriter) {
        guard !overview.deliveries.isEmpty else {
            return html.add(.p, .class("muted"), text: words[.alertNoDeliveries])
        }
        let columns: [Phrase] = [.alertMessage, .alertCreated, .alertChannel, .alertState, .alertAttempts]
        table("deliveries", columns, hasActions: idempotencyKey != nil, words, &html) { html in
            for delivery in overview.deliveries { write(delivery, words, to: &html) }
        }
        html.add(.nav, .class("paging"), .aria("label", words[.alertDeliveries])) { html in
            html.add(.p, .class("actions")) { html in
                if !isFirstPage {
                    html.add(
                        .a, .class("button"), .href(HTMLLink("console", "alerts", fragment: "deliveries")),
                        text: words[.firstPage])
                }
                if let next {
                    html.add(
                        .a, .class("button"), .rel("next"),
                        .href(HTMLLink("console", "alerts", query: [("cursor", next)], fragment: "deliveries")),
                        text: words[.nextPage])
                }
            }
        }
    }

    private func write(_ delivery: AlertDelivery, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.tr) { html in
            html.add(.th, .scope("row")) { html in html.add(.bdi, text: words.name(delivery.subject)) }
            html.add(.td, .data("label", words[.alertCreated])) { html in
                html.add(.time, .datetime(delivery.createdAt.rfc3339), text: words.instant(delivery.createdAt))
            }
            html.add(.td, .data("label", words[.alertChannel])) { html in
                html.text(words.name(delivery.channel))
                html.add(.span, .class("under")) { html in html.add(.bdi, text: delivery.target) }
            }
            html.add(.td, .data("label", words[.alertState])) { html in
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
                    html.add(.span, .class("under"), text: words.text(.alertNextAttempt, words.instant(instant)))
                }
            }
            html.add(
                .td, .class("number"), .data("label", words[.alertAttempts]),
                text: words.number(Int64(delivery.attempts)))
            if let idempotencyKey {
                html.add(.td, .class("rowactions")) { html in
                    let link = HTMLLink("console", "alerts", "deliveries", delivery.id.lowercased, "resend")
                    html.add(.form, .methodPost, .action(link)) { html in
                        html.add(.input, .type("hidden"), .name("idempotency_key"), .value(idempotencyKey))
                        html.add(
                            .button, .type("submit"),
                            .aria(
                                "label",
                                words.text(
                                    .alertResendOf, words.name(delivery.subject), words.name(delivery.channel))),
                            text: words[.alertResend])
                    }
                }
            }
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
            html.add(.span, .class("under"), text: words.text(.alertSince, words.instant(since)))
        }
        if let until = rule.draft.mutedUntil, until > now {
            html.add(.span, .class("under"), text: words.text(.alertMutedUntil, words.instant(until)))
        }
    }
}

extension ConsoleFrame {
    /// An empty state below the heading of a section.
    func emptySection(_ title: Phrase, _ hint: Phrase, to html: inout HTMLWriter) {
        html.add(.div, .class("empty")) { html in
            html.add(.h3, text: words[title])
            html.add(.p, text: words[hint])
        }
    }
}
