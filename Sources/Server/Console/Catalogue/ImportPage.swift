import Catalogue
import HTML
import SubGuardContract
import SubGuardDomain

/// The import of a file: choose it, see what would happen, import it.
package struct ImportPage: ConsolePage {
    private let report: Report?
    private let faults: FormFaults
    /// The checked file, to import it without choosing it again; nil if there is none or it is too large.
    private let content: String?
    private let fileName: String
    private let skipsBadRows: Bool

    /// Larger files are not kept in the page.
    package static let maximumKeptBytes = 2 << 20

    package init(
        report: Report? = nil, faults: FormFaults = FormFaults(), content: String? = nil, fileName: String = "",
        skipsBadRows: Bool = false
    ) {
        self.report = report
        self.faults = faults
        self.content = content
        self.fileName = fileName
        self.skipsBadRows = skipsBadRows
    }

    private static let action = HTMLLink("console", "catalogue", "import")

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        frame.page(
            .catalogue, "Import",
            "A CSV or JSON file as the export writes it. Items are found by their slug; nothing "
                + "is ever deleted.", back: ("Back to the list", ConsoleSection.catalogue.link)
        ) { html in
            CatalogueForms.edit.writeSummary(faults, words, to: &html)
            if let report { write(report, frame, to: &html) }
            writeForm(frame, to: &html)
        }
    }

    private func writeForm(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        // A large file that was checked is chosen again.
        let checked = content == nil ? report?.checked.map { [(name: "checked", value: $0)] } ?? [] : []
        html.form(Self.action, [frame.keyed()] + checked, .class("form section"), .multipart) { html in
            html.field(
                "f-file", words["File"],
                hint: words["At most 32 MiB and 100,000 rows. The columns may be in any order."]
            ) { html, marks in
                html.add(
                    .input, .type("file"), .id("f-file"), .name("file"), .required,
                    .accept(".csv,.json,text/csv,application/json"), marks.described)
            }
            html.actions { html in
                html.submit(words["Check the file"], .class("primary"), .name("step"), .value("check"))
                html.add(
                    .span, .class("hint"), text: words["Nothing is changed yet: the next page shows what would happen."]
                )
            }
            html.add(.details, .class("what"), skipsBadRows ? .open : nil) { html in
                html.add(.summary, text: words["Import without a check"])
                html.add(.div, .class("stack")) { html in
                    html.add(.label, .class("choice")) { html in
                        html.add(
                            .input, .type("checkbox"), .name("skip_bad"), .value("true"), skipsBadRows ? .checked : nil)
                        html.text(words["Skip rows with errors instead of refusing the file"])
                    }
                    html.actions { $0.submit(words["Import at once"], .name("step"), .value("import")) }
                }
            }
        }
    }

    private func write(_ report: Report, _ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let (words, found) = (frame.words, report.found)
        let isBad = report.isRefused || found.isStale
        html.add(
            .section, .class(isBad ? "panel stack bad" : "panel stack"), .role(isBad ? "alert" : "status"),
            .tabindex(-1), .data("focus")
        ) { html in
            html.add(
                .h2,
                text: words[
                    report.isDryRun || found.isStale
                        ? "Result of the check: nothing was changed"
                        : found.isApplied ? "The file was imported" : "The file was refused: nothing was changed"])
            if !fileName.isEmpty { html.add(.p, .class("muted")) { $0.bdi(fileName) } }
            if found.isStale {
                html.paragraph(
                    words[
                        "Another person changed the catalogue after the check, so nothing was imported. This is what "
                            + "the file would change now."])
            }
            func count(_ name: Sentence, _ count: Int) -> Fact? { Fact(words[name], words.number(Int64(count))) }
            html.facts(
                [
                    count("Rows", found.rows), count("New items", found.inserted),
                    count("Changed items", found.updated), count("Unchanged", found.unchanged),
                    count("Rows with errors", found.failedCount),
                ], style: "counts")
            if !found.failed.isEmpty { writeFailed(found, words, to: &html) }
            if !found.ignoredColumns.isEmpty {
                html.paragraph(
                    words.text(
                        "Columns that are not known were ignored: %1", found.ignoredColumns.joined(separator: ", ")))
            }
            writeNext(report, frame, to: &html)
            writeChanges(report, words, to: &html)
        }
    }

    private func writeFailed(_ found: CatalogueImportReport, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.table(
            .label(words["Rows with errors"]), caption: words["Rows with errors"], unseen: true,
            of: found.failed.flatMap { row in row.errors.map { (number: row.number, fault: $0) } },
            [
                .heading(words["Row"], { _ in .class("number") }) { row, html in
                    html.text(words.number(Int64(row.number)))
                },
                .text(words["Field"]) { Self.field($0.fault, words) },
                .text(words["Problem"], isLabelled: false) { words.plain($0.fault) },
            ])
        let omitted = found.failedCount - found.failed.count
        guard omitted > 0 else { return }
        html.paragraph(words.text("%1 further rows have errors.", words.number(Int64(omitted))))
    }

    /// Each new and changed item with its values, those before and after.
    private func writeChanges(_ report: Report, _ words: ConsoleWords, to html: inout HTMLWriter) {
        let changes = report.found.changes
        if !changes.isEmpty {
            html.table(
                .label(words["New and changed items"]), caption: words["New and changed items"], of: changes,
                [
                    .heading(words["Name"]) { change, html in
                        html.bdi(change.after.name)
                        html.under(change.after.slug)
                    },
                    .number(words["Row"]) { words.number(Int64($0.number)) },
                    .text(words["Change"], isLabelled: false) { words[$0.before == nil ? "New item" : "Changed item"] },
                    .text(words["Values"], isLabelled: false) { change, html in
                        FieldDiff(
                            before: change.before.map { NewCatalogueItem($0).jsonObject },
                            after: NewCatalogueItem(change.after).jsonObject
                        ).writeItem(words, to: &html)
                    },
                ])
        }
        let omitted = report.writes - changes.count
        guard omitted > 0 else { return }
        html.add(
            .p, .class("muted"),
            text: words.count(
                Int64(omitted),
                "%1 further new or changed item is not listed.|%1 further new or changed items are not listed."))
    }

    /// The member after the position of the row: `#/line/3/name`, `#/items/0/aliases/1`.
    private static func field(_ fault: Fault, _ words: ConsoleWords) -> String {
        let parts = fault.pointer.split(separator: "/").dropFirst().map(String.init)
        let names = parts.filter { Int($0) == nil && $0 != "line" && $0 != "items" }
        return names.first.map { CatalogueForms.label($0, words) } ?? "–"
    }

    private func writeNext(_ report: Report, _ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        guard report.isDryRun || report.isRefused || report.found.isStale, report.writes > 0 else { return }
        guard let content else {
            html.paragraph(words["The file is too large to keep in this page. Choose it again to import it."])
            return
        }
        let skips = report.found.failedCount > 0 ? [(name: "skip_bad", value: "true")] : []
        html.form(
            Self.action,
            [frame.keyed(), ("step", "import"), ("file_name", fileName), ("checked", report.checked ?? "")] + skips,
            .multipart
        ) { html in
            html.add(.textarea, .name("content"), .hidden, .aria("hidden", "true"), text: content)
            html.submit(
                report.found.failedCount == 0
                    ? words["Import it now"]
                    : words.count(Int64(report.writes), "Import the %1 good row|Import the %1 good rows"),
                .class("primary"))
        }
    }
}
