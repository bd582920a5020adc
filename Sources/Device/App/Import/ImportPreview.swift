import DeviceWords
import HTML
import SubGuardDomain
import SubGuardEngine
import SubGuardStatementImport
import SubGuardStatements

/// What an import would do.
struct ImportPreview {
    let visit: AppVisit
    let pending: HeldFile<ImportKind>
    var error: DeviceStoreError?
    /// Whether something has changed since the preview that was accepted.
    var isRepeated = false
    private static let mostLines = 100

    /// The page, and the file with what it has listed. Throws what refuses the whole file.
    func page() throws -> (page: [UInt8], kind: ImportKind) {
        switch pending.kind {
        case .bank(var bank):
            var options = bank.options
            options.isDryRun = true
            let report = try visit.store.statements.importFiles(
                [StatementFile(name: pending.name, bytes: pending.bytes)], options, at: visit.moment)
            let matches = ImportMatches(visit, report)
            (bank.listed, bank.hasRest) = (matches.listed, matches.rest > 0)
            let form = report.files.first.map {
                ImportReading(visit: visit, id: pending.id, file: $0, chosen: bank.reading)
            }
            let page = document(
                after: { html in form?.write(to: &html) }, { html in write(report, matches, to: &html) })
            return (page, .bank(bank))
        case .other(let file):
            let options = try ImportOptions(file, visit)
            let (report, differences) = try visit.store.portability.importPreview(
                pending.bytes, options, at: visit.moment)
            let isCurrencyMissing = report.refused.contains { $0.faults.contains { $0.pointer == "currency" } }
            let page = document(
                after: { html in
                    ImportReading.writeForm(visit, id: pending.id, isOpen: isCurrencyMissing, to: &html) {
                        ImportPages.writeCurrency(options.currency?.code ?? "", visit, to: &$0)
                    }
                }, { html in write(report, differences, to: &html) })
            return (page, pending.kind)
        }
    }

    private func document(after: (inout HTMLWriter) -> Void = { _ in }, _ body: (inout HTMLWriter) -> Void) -> [UInt8] {
        visit.page(.subscriptions, title: visit.text("Import")) { html in
            html.crumb(ImportPages.link, visit.text("Another file"))
            html.top(pending.name)
            if isRepeated {
                html.refusal(visit.text("Something was changed since you looked. Nothing was imported; look again."))
            }
            if let error { html.refusal(ImportWords.lines(error, visit, isTable: false), "notice bad lines") }
            html.post(HTMLLink("import", "accept"), "stack") { html in
                html.hidden("id", pending.id.lowercased)
                body(&html)
                html.add(.p, .class("actions")) { html in
                    html.submit(visit.text("Import"), "primary")
                    html.linkButton(visit.text("Back"), HTMLLink())
                }
            }
            after(&html)
        }
    }

    // MARK: Bank statements

    private func write(_ report: StatementImportReport, _ matches: ImportMatches, to html: inout HTMLWriter) {
        for file in report.files {
            html.mutedLine(
                visit.text("\(file.rows) entry|\(file.rows) entries")
                    + " · \(file.format.rawValue), \(file.encoding.rawValue)"
                    + (file.dates.map { " · " + visit.text("dates: \(visit.text($0.order.phrase))") } ?? ""))
            if file.dates?.isAssumed == true {
                html.hint(
                    visit.text(
                        """
                        No row of the file proves the order of the dates. If it is wrong, change it under “Read it \
                        differently”.
                        """
                    ), "notice warn")
            }
            for note in file.notes { html.hint(visit.sentence(note.text), "notice warn") }
            if let layout = file.layout {
                let columns = layout.columns.filter { $0.field != .ignore }
                    .map { "\($0.name) = \(visit.text($0.field.phrase))" }.joined(separator: ", ")
                html.hint(visit.text("Columns: \(columns)"))
                html.hint(
                    visit.text("Decimal mark: \(String(layout.decimalMark.character))")
                        + (layout.chargesArePositive ? " · " + visit.text("positive amounts are charges") : ""))
            }
        }
        // What becomes of the entries that are no news.
        for phrase in report.knownPhrases { html.hint(visit.text(phrase)) }
        let new = report.proposals.filter { !matches.proposals.contains($0.id) }
        if !new.isEmpty {
            html.add(.h2, text: visit.text("Recurring charges"))
            html.add(.ul, .class("subscriptions")) { html in
                for proposal in new { write(proposal, to: &html) }
            }
        }
        matches.write(to: &html)
        write(
            report.chargedAfterCancelling.map { visit.text(visit.sentence($0)) },
            title: visit.text("Charged after cancelling"), to: &html)
        write(report.chargedTwice.map { visit.text(visit.sentence($0)) }, title: visit.text("Charged twice"), to: &html)
        write(report.refunds.map { visit.text(visit.sentence($0)) }, title: visit.text("Refunds"), to: &html)
        write(report.otherAmounts.map { visit.text(visit.sentence($0)) }, title: visit.text("Other amounts"), to: &html)
        if report.hasNothingNew { html.hint(visit.text("No new recurring charges were found."), "empty") }
        write(
            report.refused.map { ImportWords.row($0.row, $0.column, $0.value, $0.fault, visit) },
            title: visit.text("Rows that cannot be read, and are left out"), to: &html)
        writeExcluded(report.excluded, to: &html)
    }

    /// Folded away: names of others are among them.
    private func writeExcluded(_ excluded: [StatementExclusion], to html: inout HTMLWriter) {
        guard !excluded.isEmpty else { return }
        let summary = visit.text(
            """
            \(excluded.count) regular payment that is not proposed|\
            \(excluded.count) regular payments that are not proposed
            """
        )
        html.fold(summary, "more after") { html in
            html.hint(
                visit.text(
                    """
                    Cash, transfers, rent, loans, taxes and payments to persons are no subscriptions. Add one by hand \
                    if it is.
                    """
                ), "hint after")
            write(excluded.map { visit.text(visit.sentence($0)) }, to: &html)
        }
    }

    private func write(_ proposal: StatementProposal, to html: inout HTMLWriter) {
        html.proposal("p-\(proposal.id)", "proposal", value: proposal.id, isOn: proposal.confidence == .sure) { html in
            html.add(.b, text: proposal.name)
            html.add(.small, .class("muted"), text: proposal.why.map { visit.sentence($0.text) }.joined(separator: " "))
        } price: {
            $0.price(visit.money(proposal.amount), visit.cycle(proposal.cycle))
        }
    }

    // MARK: Other files

    private func write(_ report: ImportReport, _ differences: StoreDifferences, to html: inout HTMLWriter) {
        let count = report.added.count
        if count > 0 {
            html.paragraph(visit.text("\(count) subscription would be added|\(count) subscriptions would be added"))
        }
        if differences.isEmpty, !report.isFileEmpty {
            html.hint(visit.text("This file has nothing that is not here already."), "empty")
        }
        for note in report.notes(visit.words) { html.hint(visit.words.spaced(note), "notice warn") }
        let list = DifferenceList(visit)
        list.write(visit.text("Would be added"), differences.appearing, to: &html)
        list.write(visit.text("Would be changed"), differences.changing, to: &html)
        list.write(visit.text("Would disappear"), differences.disappearing, to: &html)
        write(
            report.refused.flatMap { row in
                row.faults.map { ImportWords.row(row.row, $0.pointer, row.values[$0.pointer] ?? "", $0, visit) }
            },
            title: visit.text("Rows that cannot be read, and are left out"), to: &html)
    }

    private func write(_ lines: [String], title: String? = nil, to html: inout HTMLWriter) {
        guard !lines.isEmpty else { return }
        if let title { html.add(.h2, text: title) }
        visit.list(lines, "waits changes", most: Self.mostLines, to: &html) { line, html in html.text(line) }
    }
}
