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
            gate.page("/export") { page($0) }
        ]
            + ExportFormat.allCases.map { format in
                gate.answer("/export/\(format.rawValue)") { visit in
                    let text = try visit.store.portability.export(format, language: visit.words, at: visit.moment)
                    return AppResponse.download(
                        Array(text.utf8), named: "subguard-\(visit.moment.today.iso).\(format.suffix)",
                        type: format.mediaType)
                }
            }
    }

    private static func page(_ visit: AppVisit) -> [UInt8] {
        visit.subpage(visit.text("Export")) { html in
            html.paragraph(
                visit.text("Files for other programs. To keep everything, or to move, make a backup instead.")
            )
            html.rows(ExportFormat.allCases, style: "waits after") { format, html in
                html.add(.span, text: visit.name(format))
                html.add(
                    .a, .class("button"), .href(HTMLLink("export", format.rawValue)), .download(""),
                    .aria("label", visit.label(visit.text("Download"), visit.name(format))),
                    text: visit.text("Download"))
            }
        }
    }
}

extension ExportFormat {
    fileprivate var suffix: String { self == .ical ? "ics" : rawValue }

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
}
