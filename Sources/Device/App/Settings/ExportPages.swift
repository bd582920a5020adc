import DeviceWords
import HTML
import HTTPServer
import SubGuardDomain
import SubGuardEngine

/// Files for other programs.
enum ExportPages {
    static let link = HTMLLink("export")

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/export") { visit in AppResponse.page(page(visit)) }
        ]
            + ExportFormat.allCases.map { format in
                gate.page("/export/\(format.rawValue)") { visit in
                    let text = try visit.store.portability.export(format, language: visit.words, at: visit.moment)
                    return AppResponse.download(
                        Array(text.utf8), named: "subguard-\(visit.moment.today.iso).\(format.suffix)",
                        type: format.mediaType)
                }
            }
    }

    private static func page(_ visit: AppVisit) -> [UInt8] {
        visit.subpage(visit.text("Export")) { html in
            html.add(
                .p, text: visit.text("Files for other programs. To keep everything, or to move, make a backup instead.")
            )
            html.add(.ul, .class("waits after")) { html in
                for format in ExportFormat.allCases {
                    html.add(.li) { html in
                        html.add(.span, text: visit.name(format))
                        html.add(
                            .a, .class("button"), .href(HTMLLink("export", format.rawValue)), .download(""),
                            .aria("label", "\(visit.text("Download"))\(visit.colon)\(visit.name(format))"),
                            text: visit.text("Download"))
                    }
                }
            }
        }
    }
}

extension ExportFormat {
    fileprivate var suffix: String {
        switch self {
        case .csv: "csv"
        case .json: "json"
        case .ical: "ics"
        case .ledger: "ledger"
        case .beancount: "beancount"
        }
    }

    fileprivate var mediaType: String {
        switch self {
        case .csv: "text/csv; charset=utf-8"
        case .json: "application/json"
        case .ical: "text/calendar; charset=utf-8"
        case .ledger, .beancount: "text/plain; charset=utf-8"
        }
    }
}

extension AppVisit {
    fileprivate func name(_ format: ExportFormat) -> String {
        switch format {
        case .csv: text("Subscriptions as a table (CSV)")
        case .json: text("Everything (JSON)")
        case .ical: text("Charges and last days to cancel for a calendar (iCalendar)")
        case .ledger: text("Past charges for ledger and hledger")
        case .beancount: text("Past charges for Beancount")
        }
    }

    /// A page below the settings.
    func subpage(_ title: String, body: (inout HTMLWriter) -> Void) -> [UInt8] {
        page(.settings, title: title) { html in
            html.crumb(AppSection.settings.link, text("Settings"))
            html.add(.div, .class("top")) { $0.add(.h1, text: title) }
            body(&html)
        }
    }

    /// A text field with its faults. The id of the field is its name.
    ///
    /// - Parameter isAmount: entered on a keyboard of digits, and hidden with the amounts.
    func field(
        _ name: String, _ label: String, value: String, hint: String? = nil, type: StaticString = "text",
        isAmount: Bool = false, faults: [Fault], to html: inout HTMLWriter
    ) {
        let own = faults.filter { $0.pointer == name }
        let about = own.isEmpty ? hint.map { _ in "\(name)-hint" } : "\(name)-fault"
        html.add(.div, .class("field")) { html in
            html.add(.label, .for(name), text: label)
            html.add(
                .input, .type(type), .id(name), .name(name), .value(value), .autocomplete("off"), .maxLength(200),
                isAmount ? .inputMode("decimal") : nil, own.isEmpty ? nil : .aria("invalid", "true"),
                about.map { .aria("describedby", $0) })
            for (index, fault) in own.enumerated() {
                html.add(
                    .p, .class("fault"), index == 0 ? .id("\(name)-fault") : nil, .role("alert"),
                    text: sentence(fault.detail))
            }
            if let hint { html.add(.p, .class("hint"), .id("\(name)-hint"), text: hint) }
        }
    }
}
