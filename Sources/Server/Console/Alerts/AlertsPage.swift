import HTML
import ServerContract
package import SubGuardDomain
package import Telemetry

/// Rules, thresholds, channels and the delivery log.
package struct AlertsPage: ConsolePage {
    private let rules: [AlertRule]
    private let overview: AlertOverview
    private let next: String?
    private let isFirstPage: Bool
    private let now: UTCInstant
    private let refusals: [Refusal]

    /// - Parameter refusals: why a message was not sent.
    package init(
        rules: [AlertRule], overview: AlertOverview, next: String?, isFirstPage: Bool, now: UTCInstant,
        refusals: [Refusal] = []
    ) {
        self.rules = rules
        self.overview = overview
        self.next = next
        self.isFirstPage = isFirstPage
        self.now = now
        self.refusals = refusals
    }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        let mayChange = frame.may(.testAlerts)
        return frame.page(
            .alerts, "Alerts", "Messages when a figure crosses a value, or when a number of users is reached."
        ) { html in
            guard mayChange else { return }
            html.linkButton(
                words["New rule"], HTMLLink("console", "alerts", "rules", "new"), style: "button primary")
        } main: { html in
            frame.notice(
                [
                    "tested": "The test is queued; the log below shows its state.", "resent": "It is queued again.",
                    "thresholds": "The thresholds are saved.", "deleted": "The rule was deleted.",
                ], to: &html)
            frame.refusal(refusals, to: &html)
            html.section(words["Rules"], headingID: "rules") { html in writeRules(frame, to: &html) }
            html.section(words["Thresholds"], headingID: "thresholds") { html in
                writeThresholds(words, mayChange: mayChange, to: &html)
            }
            html.section(words["Channels"], headingID: "channels") { html in
                writeChannels(frame, mayChange: mayChange, to: &html)
            }
            html.section(words["Delivery log"], headingID: "deliveries") { html in
                DeliveryLog(deliveries: overview.deliveries, next: next, isFirstPage: isFirstPage)
                    .write(frame, mayChange: mayChange, to: &html)
            }
        }
    }

    // MARK: Rules

    private func writeRules(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        guard !rules.isEmpty else {
            return frame.empty(
                "No rules yet",
                "A rule watches a figure, such as crash-free sessions below 99.5% in the last 24 hours.",
                isInSection: true, to: &html)
        }
        html.table(
            .labelledBy("rules"), of: rules,
            [
                .named(words["Rule"]) { rule in
                    (rule.draft.name, HTMLLink("console", "alerts", "rules", rule.id.lowercased))
                },
                .text(words["Fires when"]) { words.condition($0.draft) },
                .text(words["Now"]) { words.measured($0.current.value, of: $0.draft) },
                .text(words["State"]) { rule, html in AlertState(rule: rule, now: now).write(words, to: &html) },
            ])
    }

    // MARK: Thresholds

    private func writeThresholds(_ words: ConsoleWords, mayChange: Bool, to html: inout HTMLWriter) {
        html.hint(words["Numbers of users, each announced once, ever."])
        if overview.list.thresholds.isEmpty {
            html.add(.p, .class("muted"), text: words["No thresholds."])
        } else {
            html.rows(overview.list.thresholds) { threshold, html in
                html.add(.strong, text: words.number(threshold.users))
                html.muted(words.state(of: threshold))
            }
        }
        guard mayChange else { return }
        html.actions("actions after") { html in
            html.linkButton(words["Edit thresholds"], HTMLLink("console", "alerts", "thresholds"))
        }
    }

    // MARK: Channels

    private func writeChannels(_ frame: ConsoleFrame, mayChange: Bool, to html: inout HTMLWriter) {
        let words = frame.words
        guard !overview.channels.isEmpty else {
            return frame.empty(
                "No channel is configured",
                "Set alerts_slack_webhook_url, alerts_smtp_url or alerts_webhook_url and restart the server.",
                isInSection: true, to: &html)
        }
        html.table(
            .labelledBy("channels"), of: overview.channels.enumerated(),
            [
                .heading(words["Channel"]) { row, html in html.text(words.name(row.element.target.channel)) },
                .text(words["Receiver"]) { row, html in html.bdi(row.element.target.label) },
                .text(words["State"]) { row, html in
                    guard let disabledAt = row.element.disabledAt else {
                        return html.rating(words["in use"], isGood: true)
                    }
                    let reason = row.element.disabledReason ?? ""
                    html.rating(
                        words.text("disabled since %1: %2", words.instant(disabledAt), reason), isGood: false)
                },
                mayChange
                    ? .actions { row, html in
                        // A test goes to all receivers of a channel.
                        let channel = row.element.target.channel
                        guard !overview.channels[..<row.offset].contains(where: { $0.target.channel == channel }) else {
                            return
                        }
                        writeTest(channel, frame, to: &html)
                    } : nil,
            ])
        if mayChange, overview.channels.count > 1 {
            html.add(.div, .class("actions after")) { html in writeTest(nil, frame, to: &html) }
        }
    }

    private func writeTest(_ channel: AlertChannel?, _ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        html.postButton(
            words[channel == nil ? "Test all channels" : "Send a test"], HTMLLink("console", "alerts", "test"),
            [frame.keyed()] + (channel.map { [("channel", $0.rawValue)] } ?? []),
            channel.map { .aria("label", words.text("Send a test through %1", words.name($0))) })
    }
}

extension ConsoleWords {
    /// Whether a number of users was reached, and whether its message waits.
    fileprivate func state(of threshold: AlertThreshold) -> String {
        var texts = [self["not reached yet"]]
        if let firedAt = threshold.firedAt {
            let users = number(threshold.userCount ?? threshold.users)
            texts = [text("reached on %1 with %2 users", day(firedAt.day), users)]
        }
        if let waitsUntil = threshold.waitsUntil {
            texts.append(
                text("not sent: no channel is configured; waits for one until %1", day(waitsUntil.day)))
        }
        if !threshold.isActive { texts.append(self["no longer in the list"]) }
        return texts.joined(separator: " · ")
    }
}

/// The messages that were sent, or are to be.
struct DeliveryLog {
    let deliveries: [AlertDelivery]
    let next: String?
    let isFirstPage: Bool

    func write(_ frame: ConsoleFrame, mayChange: Bool, to html: inout HTMLWriter) {
        let words = frame.words
        guard !deliveries.isEmpty else {
            return html.add(.p, .class("muted"), text: words["Nothing was sent yet."])
        }
        html.table(
            .labelledBy("deliveries"), of: deliveries,
            [
                .heading(words["Message"]) { row, html in html.bdi(words.name(row.subject)) },
                .instant("Created", words) { $0.createdAt },
                .text(words["Channel"]) { row, html in
                    html.text(words.name(row.channel))
                    html.add(.span, .class("under")) { $0.bdi(row.target) }
                },
                .text(words["State"]) { row, html in writeState(row, words, to: &html) },
                .number(words["Attempts"]) { words.number(Int64($0.attempts)) },
                mayChange ? .actions { row, html in writeResend(row, frame, to: &html) } : nil,
            ])
        Paging(
            first: isFirstPage ? nil : HTMLLink("console", "alerts", fragment: "deliveries"),
            next: next.map { HTMLLink("console", "alerts", query: [("cursor", $0)], fragment: "deliveries") },
            label: "Delivery log"
        ).write(words, to: &html)
    }

    private func writeState(_ delivery: AlertDelivery, _ words: ConsoleWords, to html: inout HTMLWriter) {
        let state = words.name(delivery.state)
        switch delivery.state {
        case .delivered: html.rating(state, isGood: true)
        case .dead: html.rating(state, isGood: false)
        case .pending, .retrying: html.rating(state)
        }
        if let error = delivery.lastError {
            let known = words.deliveryError(error)
            html.add(.span, .class("under"), known == nil ? .lang("en") : nil) { $0.bdi(known ?? error) }
        }
        if delivery.state == .retrying, let instant = delivery.nextAttemptAt {
            html.under(words.text("next attempt %1", words.instant(instant)))
        }
    }

    private func writeResend(_ delivery: AlertDelivery, _ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        let label = words.text("Resend: %1, %2", words.name(delivery.subject), words.name(delivery.channel))
        html.postButton(
            words["Resend"], HTMLLink("console", "alerts", "deliveries", delivery.id.lowercased, "resend"),
            [frame.keyed()], .aria("label", label))
    }
}
