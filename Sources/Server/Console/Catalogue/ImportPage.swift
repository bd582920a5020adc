package import Backend
import HTML
import SubGuardContract
import SubGuardDomain

/// The import of a file: choose it, see what would happen, import it.
package struct ImportPage: Sendable {
    /// The report of a dry run or of an import.
    package struct Report: Sendable {
        let isDryRun: Bool
        let isApplied: Bool
        /// By the names of the API: rows, inserted, updated, unchanged.
        let counts: [String: Int]
        let failed: [CatalogueImportReport.FailedRow]
        let failedOmitted: Int
        /// The first new and changed items.
        let changes: [CatalogueImportReport.Change]
        /// Columns of the file that are not known.
        let ignoredColumns: [String]

        /// What the address of the page says, if no more is kept.
        package init(counts: [String: Int], isDryRun: Bool) {
            self.isDryRun = isDryRun
            isApplied = !isDryRun
            self.counts = counts
            failed = []
            failedOmitted = counts["failed"] ?? 0
            changes = []
            ignoredColumns = []
        }

        /// What the address of the page can say: without rows, items and columns.
        package var brief: Report { Report(counts: notice, isDryRun: isDryRun) }

        fileprivate var failedCount: Int { failed.count + failedOmitted }
        /// The number of rows that create or change an item.
        fileprivate var writes: Int { (counts["inserted"] ?? 0) + (counts["updated"] ?? 0) }
        fileprivate var isRefused: Bool { !isDryRun && !isApplied }

        /// The counts for the address of the page.
        package var notice: [String: Int] {
            var notice: [String: Int] = [:]
            for name in ["rows", "inserted", "updated", "unchanged"] { notice[name] = counts[name] ?? 0 }
            notice["failed"] = failedCount
            notice["dry_run"] = isDryRun ? 1 : 0
            return notice
        }

        /// What an import, or the check of one, has found.
        package init(_ report: CatalogueImportReport, isDryRun: Bool) {
            self.isDryRun = isDryRun
            isApplied = report.isApplied
            counts = [
                "rows": report.rows, "inserted": report.inserted, "updated": report.updated,
                "unchanged": report.unchanged,
            ]
            failed = report.failed
            failedOmitted = report.failedCount - report.failed.count
            changes = report.changes
            ignoredColumns = report.ignoredColumns
        }
    }

    private let report: Report?
    private let faults: FormFaults
    /// The checked file, to import it without choosing it again; nil if there is none or it is too large.
    private let content: String?
    private let fileName: String
    private let skipsBadRows: Bool
    private let idempotencyKey: String

    /// Larger files are not kept in the page.
    package static let maximumKeptBytes = 2 << 20

    package init(
        report: Report? = nil, faults: FormFaults = FormFaults(), content: String? = nil, fileName: String = "",
        skipsBadRows: Bool = false, idempotencyKey: String
    ) {
        self.report = report
        self.faults = faults
        self.content = content
        self.fileName = fileName
        self.skipsBadRows = skipsBadRows
        self.idempotencyKey = idempotencyKey
    }

    private static let action = HTMLLink("console", "catalogue", "import")

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(.catalogue, title: words["Import"]) { html in
            html.crumb(HTMLLink("console", "catalogue"), words["Back to the list"])
            frame.top(
                "Import",
                "A CSV or JSON file as the export writes it. Items are found by their slug; nothing "
                    + "is ever deleted.", to: &html)
            CatalogueForms.edit.writeSummary(faults, words, to: &html)
            if let report { write(report, words, to: &html) }
            writeForm(words, to: &html)
        }
    }

    private func writeForm(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.form, .class("form section"), .methodPost, .multipart, .action(Self.action)) { html in
            html.hidden("idempotency_key", idempotencyKey)
            html.add(.div, .class("field")) { html in
                html.add(.label, .for("f-file"), text: words["File"])
                html.add(
                    .input, .type("file"), .id("f-file"), .name("file"), .required,
                    .accept(".csv,.json,text/csv,application/json"), .aria("describedby", "f-file-hint"))
                html.add(
                    .p, .class("hint"), .id("f-file-hint"),
                    text: words["At most 32 MiB and 100,000 rows. The columns may be in any order."])
            }
            html.add(.p, .class("actions")) { html in
                html.add(
                    .button, .type("submit"), .class("primary"), .name("step"), .value("check"),
                    text: words["Check the file"])
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
                    html.add(.p, .class("actions")) { html in
                        html.add(
                            .button, .type("submit"), .name("step"), .value("import"), text: words["Import at once"])
                    }
                }
            }
        }
    }

    private func write(_ report: Report, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(
            .section, report.isRefused ? .class("panel stack bad") : .class("panel stack"),
            .role(report.isRefused ? "alert" : "status"), .tabindex(-1), .data("focus")
        ) { html in
            html.add(
                .h2,
                text: words[
                    report.isDryRun
                        ? "Result of the check: nothing was changed"
                        : report.isApplied ? "The file was imported" : "The file was refused: nothing was changed"])
            if !fileName.isEmpty { html.add(.p, .class("muted")) { html in html.add(.bdi, text: fileName) } }
            html.add(.dl, .class("counts")) { html in
                for (name, count) in [
                    ("Rows" as Sentence, report.counts["rows"] ?? 0), ("New items", report.counts["inserted"] ?? 0),
                    ("Changed items", report.counts["updated"] ?? 0),
                    ("Unchanged", report.counts["unchanged"] ?? 0), ("Rows with errors", report.failedCount),
                ] {
                    html.add(.div) { html in
                        html.add(.dt, text: words[name])
                        html.add(.dd, text: words.number(Int64(count)))
                    }
                }
            }
            if !report.failed.isEmpty { writeFailed(report, words, to: &html) }
            writeNext(report, words, to: &html)
            writeChanges(report, words, to: &html)
        }
    }

    private func writeFailed(_ report: Report, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.table(
            .label(words["Rows with errors"]), caption: words["Rows with errors"], unseen: true,
            of: report.failed.flatMap { row in row.errors.map { (number: row.number, fault: $0) } },
            [
                .heading(words["Row"], { _ in .class("number") }) { row, html in
                    html.text(words.number(Int64(row.number)))
                },
                .text(words["Field"]) { Self.field($0.fault, words) },
                .text(words["Problem"], isLabelled: false) { words.plain($0.fault) },
            ])
        if !report.ignoredColumns.isEmpty {
            html.add(
                .p,
                text: words.text(
                    "Columns that are not known were ignored: %1", report.ignoredColumns.joined(separator: ", ")))
        }
        if report.failedOmitted > 0 {
            html.add(.p, text: words.text("%1 further rows have errors.", words.number(Int64(report.failedOmitted))))
        }
    }

    /// Each new and changed item with its values, those before and after.
    private func writeChanges(_ report: Report, _ words: ConsoleWords, to html: inout HTMLWriter) {
        if !report.changes.isEmpty {
            html.table(
                .label(words["New and changed items"]), caption: words["New and changed items"], of: report.changes,
                [
                    .heading(words["Name"]) { change, html in
                        html.add(.bdi, text: change.after.name)
                        html.add(.span, .class("under"), text: change.after.slug)
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
        let omitted = report.writes - report.changes.count
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

    private func writeNext(_ report: Report, _ words: ConsoleWords, to html: inout HTMLWriter) {
        guard report.isDryRun || report.isRefused, report.writes > 0 else { return }
        guard let content else {
            html.add(.p, text: words["The file is too large to keep in this page. Choose it again to import it."])
            return
        }
        html.add(.form, .methodPost, .multipart, .action(Self.action)) { html in
            html.hidden("idempotency_key", idempotencyKey)
            html.hidden("step", "import")
            html.hidden("file_name", fileName)
            if report.failedCount > 0 { html.hidden("skip_bad", "true") }
            html.add(.textarea, .name("content"), .hidden, .aria("hidden", "true"), text: content)
            html.add(
                .button, .type("submit"), .class("primary"),
                text: report.failedCount == 0
                    ? words["Import it now"]
                    : words.count(Int64(report.writes), "Import the %1 good row|Import the %1 good rows"))
        }
    }
}
