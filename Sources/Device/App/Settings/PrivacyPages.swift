import DeviceWords
import HTML
import HTTPServer
import SubGuardClient
import SubGuardDomain
import SubGuardEngine

/// The consent to anonymous events, with everything that waits to be sent: events, sessions and crash reports.
enum PrivacyPages {
    static let link = HTMLLink("privacy")
    private static let mostShown = 100

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/privacy") { visit in AppResponse.page(try page(visit)) },
            gate.form("/privacy") { visit, form in
                guard let consent = AnalyticsConsent(rawValue: form["consent"] ?? ""), consent != .undecided else {
                    throw AppRefusal.unreadable("No answer was chosen.")
                }
                try visit.store.analytics.setConsent(consent, at: visit.moment)
                return AppResponse.seeOther(link.text)
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
            html.add(.p) { html in
                html.text(visit.text("Consent to anonymous events, sessions and crash reports for the server:"))
                html.text(" ")
                html.add(.b, text: visit.text(consent.phrase))
            }
            html.add(
                .p, .class("after"), text: visit.text("They never have names, amounts or dates of yours."))
            html.add(
                .p, text: visit.text("Nothing is sent without your consent, nor without a server that you have set."))
            if erasures > 0 {
                html.add(
                    .p, .class("notice warn"),
                    text: visit.text("The server still has to erase the events already sent."))
            }
            html.add(.div, .class("actions after")) { html in
                if consent != .granted { answer(.granted, visit.text("Allow"), to: &html) }
                if consent != .revoked { answer(.revoked, visit.text("Refuse and erase"), to: &html) }
            }
            WaitingSection(visit: visit, preview: preview, eventCount: counts.waiting).write(to: &html)
            writeVocabulary(visit, to: &html)
        }
    }

    private static func answer(_ consent: AnalyticsConsent, _ label: String, to html: inout HTMLWriter) {
        html.add(.form, .methodPost, .action(link)) { html in
            html.add(
                .button, .type("submit"), .name("consent"), .value(consent.rawValue), text: label)
        }
    }

    /// Every event that there can be.
    private static func writeVocabulary(_ visit: AppVisit, to html: inout HTMLWriter) {
        html.add(.details, .class("more after")) { html in
            html.add(.summary, text: visit.text("All events that there are"))
            html.add(.ul, .class("waits")) { html in
                for event in EventRegistry.events {
                    html.add(.li) { html in
                        html.add(.code, text: event.name)
                        html.add(
                            .span, .class("breaks"), text: event.properties.map(\.name).joined(separator: ", "))
                    }
                }
            }
        }
    }
}
