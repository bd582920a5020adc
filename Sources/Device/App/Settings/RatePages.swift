import DeviceWords
import HTML
import HTTPServer
import SubGuardDomain
import SubGuardEngine

/// Exchange rates: how old they are, which are missing, one's own, and the file of the European Central Bank.
enum RatePages {
    static let link = HTMLLink("rates")
    private static let maximumBytes = 4 << 20

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/rates", page),
            gate.form("/rates", again: page) { visit, form in
                try visit.store.rates.set(
                    form.code("currency"), unitsPerEuro: form.trimmed("rate").replacing(",", with: "."),
                    on: try form.day("on"), at: visit.moment)
                return .done(link)
            },
            gate.file("/rates/file", maximumBytes: maximumBytes, again: page) { visit, file in
                _ = try visit.store.rates.importFile(file.content, at: visit.moment)
                return .page(link)
            },
        ]
    }

    private static func page(_ visit: AppVisit) throws -> [UInt8] {
        let status = try visit.store.rates.status(at: visit.moment)
        let values = [("currency", status.missing.first?.code ?? ""), ("on", visit.moment.today.iso)]
        let fields = FieldWriter(visit, link, values)
        return visit.subpage(visit.text("Exchange rates")) { html in
            html.facts(facts(status, visit))
            html.add(.div, .class("fields after")) { html in
                html.post(link, "panel stack", .data("keep")) { html in
                    html.add(.h2, text: visit.text("A rate of your own"))
                    fields.line("currency", visit.text("Currency"), to: &html)
                    fields.line(
                        "rate", visit.text("Units for one euro"), hint: visit.text("Such as 1.0823 US dollars."),
                        to: &html)
                    fields.line("on", visit.text("From"), type: "date", to: &html)
                    html.submit(visit.text("Save"))
                }
                FileForm(
                    visit: visit, link: HTMLLink("rates", "file"), label: visit.text("File"),
                    hint: visit.text("eurofxref-hist.zip or eurofxref.csv from its website, as it is."),
                    most: maximumBytes, submit: visit.text("Import")
                ).write(to: &html, before: { $0.add(.h2, text: visit.text("Rates of the European Central Bank")) })
            }
        }
    }

    private static func facts(_ status: RateStatus, _ visit: AppVisit) -> [(name: String, text: String)] {
        var facts = [
            (visit.text("Home currency"), status.home?.code ?? "–"),
            (
                visit.text("Reference rates"),
                status.days.map { visit.text("up to \(visit.day($0.upperBound))") } ?? visit.text("none")
            ),
        ]
        facts += status.own.map { own in
            (
                visit.text("Your own"),
                "1 EUR = \(visit.number(own.rate.decimal)) \(own.currency.code), "
                    + visit.text("from \(visit.day(own.on))")
            )
        }
        if !status.missing.isEmpty {
            facts.append((visit.text("No rate for"), status.missing.map(\.code).joined(separator: ", ")))
        }
        return facts
    }
}
