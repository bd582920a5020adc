import DeviceWords
import HTML
import HTTPServer
import JSONWire
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
            html.hint(visit.text("They never contain your names, amounts or dates."), "after")
            html.paragraph(visit.text("Nothing is sent without your consent, nor without a server that you have set."))
            if erasures > 0 {
                html.hint(
                    visit.text("The server still has to erase the events already sent."), "notice warn")
            }
            html.add(.div, .class("actions after")) { html in
                for (answer, label) in [
                    (AnalyticsConsent.granted, visit.text("Allow")), (.revoked, visit.text("Refuse and erase")),
                ] where answer != consent {
                    html.button(label, post: link, ["consent": answer.rawValue])
                }
            }
            WaitingSection(visit: visit, preview: preview, eventCount: counts.waiting).write(to: &html)
            html.fold(visit.text("All possible events"), "more after") { html in
                html.rows(EventRegistry.events) { event, html in
                    html.add(.code, text: event.name)
                    html.add(.span, .class("breaks"), text: event.properties.map(\.name).joined(separator: ", "))
                }
            }
        }
    }
}

/// What a sync would send now about the use of the app: in words, and exactly.
struct WaitingSection {
    let visit: AppVisit
    let preview: SendingPreview
    /// Of the whole queue; the preview has the oldest ones.
    let eventCount: Int

    /// Of each kind.
    private static let mostShown = 100

    func write(to html: inout HTMLWriter) {
        let isEmpty = preview.events.isEmpty && preview.sessions.isEmpty && preview.crashes.isEmpty
        html.section(visit.text("What would be sent now"), id: "waiting") { html in
            if isEmpty { html.mutedLine(visit.text("Nothing waits.")) }
            write(visit.text("Events"), preview.events, of: eventCount, to: &html) { event, html in
                html.add(.code, text: event["name"]?.stringValue ?? "")
                if let properties = event["properties"]?.objectValue, !properties.members.isEmpty {
                    html.add(.code, .class("breaks"), text: Self.text(properties))
                }
                html.add(.span, text: time(event["timestamp"]))
            }
            write(visit.text("Sessions"), preview.sessions, of: preview.sessions.count, to: &html) { session, html in
                let (total, crashed) = (Self.count(session["total"]), Self.count(session["crashed"]))
                html.add(.span) { html in
                    html.text(visit.text("\(total) session|\(total) sessions"))
                    if crashed > 0 {
                        html.text(", " + visit.text("\(crashed) of them crashed|\(crashed) of them crashed"))
                    }
                }
                html.add(.code, text: session["app_version"]?.stringValue ?? "")
                html.add(.span, text: time(session["started_at"]))
            }
            write(visit.text("Crash reports"), preview.crashes, of: preview.crashes.count, to: &html) { crash, html in
                html.add(.code, text: crash["type"]?.stringValue ?? "")
                for name in ["message", "app_version"] {
                    if let text = crash[name]?.stringValue { html.add(.code, .class("breaks"), text: text) }
                }
                html.add(.span, text: time(crash["timestamp"]))
            }
            if !isEmpty { writeExactly(to: &html) }
            html.hint(
                visit.text(
                    """
                    Events have a random number of this device, the version of SubGuard and the system. Sessions and \
                    crash reports name no device.
                    """
                ), "hint after")
        }
    }

    private func write(
        _ title: String, _ objects: [JSONObject], of count: Int, to html: inout HTMLWriter,
        _ body: (JSONObject, inout HTMLWriter) -> Void
    ) {
        guard !objects.isEmpty else { return }
        html.add(.h3, text: title)
        visit.list(objects, open: 8, most: Self.mostShown, of: count, to: &html, row: body)
    }

    /// The objects as they are in the requests.
    private func writeExactly(to html: inout HTMLWriter) {
        html.fold(visit.text("Exactly as it would be sent (JSON)"), "more after") { html in
            let objects = [preview.events, preview.sessions, preview.crashes].flatMap { $0.prefix(Self.mostShown) }
            html.rows(objects, style: "waits after") { object, html in
                html.add(.code, .class("breaks"), text: Self.text(object))
            }
            html.hint(visit.text("Random numbers that are missing here are made when it is sent."), "hint after")
        }
    }

    private static func text(_ object: JSONObject) -> String {
        String(decoding: JSONValue.object(object).serialized(), as: UTF8.self)
    }

    private static func count(_ value: JSONValue?) -> Int { value?.integerValue.map { Int($0) } ?? 0 }

    private func time(_ value: JSONValue?) -> String {
        value?.stringValue.flatMap { UTCInstant(rfc3339: $0) }.map { visit.time($0) } ?? ""
    }
}
