import HTML
import SubGuardDomain
import Telemetry

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
