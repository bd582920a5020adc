import DeviceWords
import HTML
import HTTPServer
import SubGuardClient
import SubGuardDomain
import SubGuardEngine

/// The consent to anonymous events, with all pending uploads: events, sessions and crash reports.
enum PrivacyPages {
    static let link = HTMLLink("privacy")
    private static let mostShown = 100

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/privacy") { try page($0) },
            gate.form("/privacy") { visit, form in
                guard let consent = AnalyticsConsent(rawValue: form["consent"] ?? ""), consent != .undecided else {
                    throw AppRefusal.unreadable("No answer was chosen.")
                }
                try visit.store.analytics.setConsent(consent, at: visit.moment)
                return .page(link)
            },
        ]
    }

    private static func page(_ visit: AppVisit) throws -> [UInt8] {
        let consent = try visit.store.analytics.consent()
        let counts = try visit.store.analytics.queueCounts()
        let preview = try SendingPreview(
            of: visit.store, device: visit.context.device, limit: mostShown, at: visit.moment)
        let erasures = try visit.store.analytics.pendingErasures()
        return visit.subpage(visit.text("Privacy")) { html in
            html.sentence(
                visit.text("Consent to anonymous events, sessions and crash reports for the server:"),
                visit.text(consent.phrase), .b)
            html.add(.p, .class("after"), text: visit.text("They never have names, amounts or dates of yours."))
            html.add(
                .p, text: visit.text("Nothing is sent without your consent, nor without a server that you have set."))
            if erasures > 0 {
                html.add(
                    .p, .class("notice warn"),
                    text: visit.text("The server still has to erase the events already sent."))
            }
            html.add(.div, .class("actions after")) { html in
                for (answer, label) in [
                    (AnalyticsConsent.granted, visit.text("Allow")), (.revoked, visit.text("Refuse and erase")),
                ] where answer != consent {
                    html.button(label, post: link, ["consent": answer.rawValue])
                }
            }
            WaitingSection(visit: visit, preview: preview, eventCount: counts.waiting).write(to: &html)
            html.fold(visit.text("All events that there are"), "more after") { html in
                html.rows(EventRegistry.events) { event, html in
                    html.add(.code, text: event.name)
                    html.add(.span, .class("breaks"), text: event.properties.map(\.name).joined(separator: ", "))
                }
            }
        }
    }
}
