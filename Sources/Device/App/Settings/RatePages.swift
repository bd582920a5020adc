import DeviceWords
import HTML
import HTTPServer
import HTTPTypes
import SubGuardDomain
import SubGuardEngine

/// Exchange rates: how old they are, which are missing, one's own, and the file of the European Central Bank.
enum RatePages {
    static let link = HTMLLink("rates")
    private static let maximumBytes = 4 << 20

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/rates") { visit in AppResponse.page(try page(visit)) },
            gate.form("/rates", refill: { visit, form in try page(visit, values(form)) }) { visit, form in
                let typed = form["rate"] ?? ""
                do {
                    guard let day = CalendarDay(iso: form["on"] ?? "") else {
                        throw DeviceStoreError.invalid(Fault("on", .invalidDay, "Must be a date such as 2027-01-15."))
                    }
                    try visit.store.rates.set(
                        (form["currency"] ?? "").trimmingBlanks.uppercased(),
                        to: typed.trimmingBlanks.replacing(",", with: "."), on: day, at: visit.moment)
                    return AppResponse.seeOther(try visit.done(link))
                } catch let error as DeviceStoreError where !error.faults.isEmpty {
                    return AppResponse.page(try page(visit, values(form), error.faults), .unprocessableContent)
                }
            },
            gate.files("/rates/file", maximumBytes: maximumBytes) { visit, form in
                do {
                    guard let file = form.files.first, !file.content.isEmpty else {
                        throw DeviceStoreError.invalid(Fault("file", .required, "No file was chosen."))
                    }
                    _ = try visit.store.rates.importFile(file.content, at: visit.moment)
                    return AppResponse.seeOther(link.text)
                } catch let error as DeviceStoreError where !error.faults.isEmpty {
                    let faults = error.faults.map { Fault("file", $0.code, "\($0.detail)") }
                    return AppResponse.page(try page(visit, [:], faults), .unprocessableContent)
                }
            },
        ]
    }

    private static func values(_ form: FormFields) -> [String: String] {
        ["currency", "rate", "on"].reduce(into: [:]) { $0[$1] = form[$1] }
    }

    private static func page(
        _ visit: AppVisit, _ values: [String: String] = [:], _ faults: [Fault] = []
    ) throws -> [UInt8] {
        let status = try visit.store.rates.status(at: visit.moment)
        return visit.subpage(visit.text("Exchange rates")) { html in
            write(status, visit, to: &html)
            html.add(.div, .class("fields after")) { html in
                html.add(.form, .methodPost, .action(link), .class("panel stack"), .data("keep")) { html in
                    html.add(.h2, text: visit.text("A rate of your own"))
                    visit.field(
                        "currency", visit.text("Currency"),
                        value: values["currency"] ?? status.missing.first?.code ?? "", faults: faults, to: &html)
                    visit.field(
                        "rate", visit.text("Units for one euro"), value: values["rate"] ?? "",
                        hint: visit.text("Such as 1.0823 US dollars."), faults: faults, to: &html)
                    visit.field(
                        "on", visit.text("From"), value: values["on"] ?? visit.moment.today.iso, type: "date",
                        faults: faults, to: &html)
                    html.add(.button, .type("submit"), text: visit.text("Save"))
                }
                writeFileForm(visit, faults, to: &html)
            }
        }
    }

    private static func writeFileForm(_ visit: AppVisit, _ faults: [Fault], to html: inout HTMLWriter) {
        let own = faults.filter { $0.pointer == "file" }
        html.add(
            .form, .methodPost, .multipart, .action(HTMLLink("rates", "file")), .class("panel stack"), .data("drop"),
            .data("most", "\(maximumBytes)"),
            .data("too-large", visit.sentence("The file is larger than \(maximumBytes >> 20) MB."))
        ) { html in
            html.add(.h2, text: visit.text("Rates of the European Central Bank"))
            html.add(.div, .class("field")) { html in
                html.add(.label, .for("file"), text: visit.text("File"))
                html.add(
                    .input, .type("file"), .id("file"), .name("file"), .required,
                    own.isEmpty ? nil : .aria("invalid", "true"),
                    .aria("describedby", own.isEmpty ? "file-hint" : "file-fault"))
                for fault in own {
                    html.add(
                        .p, .class("fault"), .id("file-fault"), .role("alert"),
                        text: visit.sentence(String(fault.detail.prefix(300))))
                }
                html.add(
                    .p, .class("hint"), .id("file-hint"),
                    text: visit.text("eurofxref-hist.zip or eurofxref.csv from its website, as it is."))
            }
            html.add(.button, .type("submit"), text: visit.text("Import"))
        }
    }

    private static func write(_ status: RateStatus, _ visit: AppVisit, to html: inout HTMLWriter) {
        html.add(.ul, .class("waits")) { html in
            row(visit.text("Home currency"), status.home?.code ?? "–", to: &html)
            row(
                visit.text("Reference rates"),
                status.days.map { visit.text("up to \(visit.day($0.upperBound))") } ?? visit.text("none"), to: &html)
            for own in status.own {
                row(
                    visit.text("Your own"),
                    "1 EUR = \(number(own.rate.decimal, visit)) \(own.currency.code), "
                        + visit.text("from \(visit.day(own.on))"), to: &html)
            }
            if !status.missing.isEmpty {
                row(visit.text("No rate for"), status.missing.map(\.code).joined(separator: ", "), to: &html)
            }
        }
    }

    private static func number(_ decimal: String, _ visit: AppVisit) -> String {
        visit.words == .french ? decimal.replacing(".", with: ",") : decimal
    }

    private static func row(_ name: String, _ text: String, to html: inout HTMLWriter) {
        html.add(.li) { html in
            html.add(.b, text: name)
            html.add(.span, text: text)
        }
    }
}
