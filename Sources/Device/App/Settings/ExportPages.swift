import Cryptography
import HTML
import HTTPServer
import HTTPTypes
import HTTPWire
import SubGuardDomain
import SubGuardEngine
import TextCoding

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
                        type: format.file.type)
                }
            }
    }

    private static func page(_ visit: AppVisit) -> [UInt8] {
        visit.subpage(visit.text("Export")) { html in
            html.paragraph(
                visit.text("Files for other programs. To keep everything, or to move, make a backup instead.")
            )
            html.rows(ExportFormat.allCases, style: "waits after") { format, html in
                let name = visit.text(format.file.name)
                html.entry(name) { html in
                    guard format == .csv else { return }
                    html.add(
                        .small, .class("muted"),
                        text: visit.text(
                            """
                            As of today, without other prices, planned pauses, ends of pauses, confirmations, skips, \
                            amounts paid and shares. The JSON file has them.
                            """))
                }
                html.add(
                    .a, .class("button"), .href(HTMLLink("export", format.rawValue)), .download(""),
                    .aria("label", visit.label(visit.text("Download"), name)),
                    text: visit.text("Download"))
            }
        }
    }
}

extension ExportFormat {
    fileprivate var suffix: String { self == .ical ? "ics" : rawValue }

    fileprivate var file: (type: String, name: Sentence) {
        switch self {
        case .csv: ("text/csv; charset=utf-8", "Subscriptions as a table (CSV)")
        case .json: ("application/json", "Everything (JSON)")
        case .ical:
            ("text/calendar; charset=utf-8", "Charges and last days to cancel for a calendar (iCalendar)")
        case .ledger: ("text/plain; charset=utf-8", "Past charges for ledger and hledger")
        case .beancount: ("text/plain; charset=utf-8", "Past charges for Beancount")
        }
    }
}

/// The address at which calendars on this machine refresh by themselves: its settings, and the file.
enum CalendarAddressPages {
    static let link = HTMLLink("settings", "calendar")

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/settings/calendar") { try page($0) },
            gate.form("/settings/calendar", isChange: false) { visit, form in
                let address = visit.store.calendarAddress
                do {
                    switch form["action"] {
                    case "on": try address.turnOn(at: visit.moment)
                    case "renew": try address.renew(at: visit.moment)
                    case "off": try address.turnOff(at: visit.moment)
                    default: throw AppRefusal.unreadable("The form is not one of the app's.")
                    }
                } catch DeviceStoreError.premiumRequired(let feature) {
                    let page = try page(visit, refusal: .premiumRequired(feature))
                    return .answer(AppResponse.page(page, .unprocessableContent))
                }
                return .page(link)
            },
            // No session: the secret in the address is what lets in.
            Route(.get, "/calendar/{file}", .blocking { file($0, gate.context) }),
        ]
    }

    // MARK: The file

    /// As `export --format ical` prints it. A wrong secret is answered like one that was never there.
    private static func file(_ request: Request, _ context: AppContext) -> Response {
        let words = (try? context.store.settings.language()) ?? context.language
        let store = context.store
        do {
            guard let name = try? request.parameters.text(), name.hasSuffix(".ics"),
                try store.calendarAddress.isSecret(String(name.dropLast(4)))
            else {
                return AppResponse.text(Sentence("There is no such calendar.").text(words), .notFound)
            }
            let text = try store.portability.export(.ical, language: words, at: context.moment())
            let tag = CalendarTag(of: text)
            return AppResponse.calendar(tag.isKnown(to: request) ? nil : text, tag: tag.text)
        } catch DeviceStoreError.premiumRequired(let feature) {
            return AppResponse.text(DeviceStoreError.premiumRequired(feature).displayText(words), .forbidden)
        } catch {
            return AppResponse.text(
                Sentence("The calendar cannot be read at the moment.").text(words), .serviceUnavailable)
        }
    }

    // MARK: The page

    private static func page(_ visit: AppVisit, refusal: DeviceStoreError? = nil) throws -> [UInt8] {
        let secret = try visit.store.calendarAddress.secret()
        return visit.subpage(visit.text("Calendar feed")) { html in
            if let refusal { html.refusal(visit.text(of: refusal)) }
            html.paragraph(
                visit.text(
                    """
                    Calendars on this device read the charges from an address, and refresh by themselves while the app \
                    runs.
                    """
                ))
            if let secret, let port = visit.context.origin?.port {
                html.add(.p, .class("after")) { html in
                    html.add(.code, .class("breaks"), text: AppServer.calendarAddress(port: port, secret: secret))
                }
                html.hint(
                    visit.text(
                        """
                        Add it to your calendar as a calendar on the network. Keep it to yourself: it needs no password.
                        """
                    ))
                html.hint(
                    visit.text(
                        """
                        On a machine that others use, renew it after the app was closed: a program that takes the port \
                        meanwhile receives the address.
                        """
                    ))
                html.add(.p, .class("actions after")) { html in
                    html.button(visit.text("New address"), post: link, ["action": "renew"])
                    html.button(visit.text("Turn off"), post: link, ["action": "off"])
                }
                html.hint(visit.text("Either way, the address above stops working."))
            } else {
                html.paragraph(visit.text("The address is off."))
                html.button(visit.text("Turn on"), post: link, ["action": "on"])
            }
        }
    }
}

extension AppServer {
    /// The address of the calendar with a secret, as served on a port.
    package static func calendarAddress(port: Int, secret: String) -> String {
        "http://127.0.0.1:\(port)/calendar/\(secret).ics"
    }
}

/// What a program is asked whether it has it.
private struct CalendarTag {
    /// Leaves out when the file was written, so that it changes only with what it says: weak.
    let text: String

    init(of calendar: String) {
        let lines = calendar.split(separator: "\r\n").filter { !$0.hasPrefix("DTSTAMP") }
        let hash = SHA256.hash(of: lines.joined(separator: "\n").utf8)
        text = "W/\"\(Hexadecimal.text(hash.prefix(16)))\""
    }

    func isKnown(to request: Request) -> Bool {
        request.head.hasMember(of: .ifNoneMatch) { given in
            given.elementsEqual("*".utf8) || given.elementsEqual(text.utf8)
                || given.elementsEqual(text.utf8.dropFirst(2))
        }
    }
}
