import DeviceWords
import HTML
import SubGuardDomain
import SubGuardEngine

/// What an import would do.
struct ImportPreview {
    private let visit: AppVisit
    private let pending: HeldFile<ImportKind>
    private let error: DeviceStoreError?
    private static let mostLines = 100

    init(_ visit: AppVisit, _ pending: HeldFile<ImportKind>, error: DeviceStoreError? = nil) {
        self.visit = visit
        self.pending = pending
        self.error = error
    }

    /// The page, and the file with what it has listed. Throws what refuses the whole file.
    func page() throws -> (page: [UInt8], kind: ImportKind) {
        switch pending.kind {
        case .bank(var bank):
            var options = StatementImportOptions()
            options.reading = bank.reading
            options.skipsBadRows = true
            options.isDryRun = true
            let report = try visit.store.statements.importFiles(
                [StatementFile(name: pending.name, bytes: pending.bytes)], options, at: visit.moment)
            let matches = ImportMatches(visit, report)
            (bank.listed, bank.hasRest) = (matches.listed, matches.rest > 0)
            let form = report.files.first.map { ImportReading(visit, pending.id, $0, bank.reading) }
            let page = document(
                after: { html in form?.write(to: &html) }, { html in write(report, matches, to: &html) })
            return (page, .bank(bank))
        case .other(let format, let columns):
            var options = ImportOptions(format: format)
            options.columns = columns
            options.skipsBadRows = true
            options.currency = try visit.store.subscriptions.usualCurrency()
            let (report, differences) = try visit.store.portability.importPreview(
                pending.bytes, options, at: visit.moment)
            return (document { html in write(report, differences, to: &html) }, pending.kind)
        }
    }

    private func document(
        after: (inout HTMLWriter) -> Void = { _ in }, _ body: (inout HTMLWriter) -> Void
    ) -> [UInt8] {
        visit.page(.subscriptions, title: visit.text("Import")) { html in
            html.crumb(ImportPages.link, visit.text("Another file"))
            html.add(.div, .class("top")) { $0.add(.h1, text: pending.name) }
            if let error {
                html.add(
                    .p, .class("notice bad lines"), .role("alert"), .tabindex(-1), .data("focus"),
                    text: ImportWords.lines(error, visit, isTable: false))
            }
            html.add(.form, .methodPost, .action(HTMLLink("import", "accept")), .class("stack")) { html in
                html.hidden("id", pending.id.lowercased)
                body(&html)
                html.add(.p, .class("actions")) { html in
                    html.add(.button, .type("submit"), .class("primary"), text: visit.text("Import"))
                    html.add(.a, .class("button"), .href(HTMLLink()), text: visit.text("Back"))
                }
            }
            after(&html)
        }
    }

    // MARK: Bank statements

    private func write(_ report: StatementImportReport, _ matches: ImportMatches, to html: inout HTMLWriter) {
        for file in report.files {
            html.add(
                .p, .class("muted"),
                text: visit.text("\(file.rows) entry|\(file.rows) entries")
                    + " · \(file.format.rawValue), \(file.encoding.rawValue)"
                    + (file.dates.map { " · " + visit.text("dates: \(visit.text($0.order.phrase))") } ?? ""))
            if file.dates?.isAssumed == true {
                html.add(
                    .p, .class("notice warn"),
                    text: visit.text(
                        "No row of the file proves the order of the dates. If it is wrong, change it under “Read it differently”."
                    ))
            }
            for note in file.notes {
                html.add(.p, .class("notice warn"), text: visit.sentence(note.text))
            }
            if let layout = file.layout {
                let columns = layout.columns.filter { $0.field != .ignore }
                    .map { "\($0.name) = \(visit.text($0.field.phrase))" }.joined(separator: ", ")
                html.add(.p, .class("hint"), text: visit.text("Columns: \(columns)"))
            }
        }
        let new = report.proposals.filter { !matches.proposals.contains($0.id) }
        if !new.isEmpty {
            html.add(.h2, text: visit.text("Recurring charges"))
            html.add(.ul, .class("subscriptions")) { html in
                for proposal in new { write(proposal, to: &html) }
            }
        }
        matches.write(to: &html)
        let late = report.chargedAfterCancelling.map { charged in
            let (amount, day) = (visit.money(charged.charge.amount), visit.day(charged.charge.on))
            return visit.text("\(charged.name): still charged after cancelling, \(amount) on \(day)")
        }
        write(late, title: visit.text("Charged after cancelling"), to: &html)
        let twice = report.chargedTwice.map { twice in
            let (name, amount, day) = (twice.name, visit.money(twice.charge.amount), visit.day(twice.charge.on))
            return twice.charge.isRefunded
                ? visit.text("\(name): charged twice, \(amount) again on \(day), which came back")
                : visit.text("\(name): charged twice, \(amount) again on \(day)")
        }
        write(twice, title: visit.text("Charged twice"), to: &html)
        write(report.refunds.map { visit.words.spaced($0.line(visit.words)) }, title: visit.text("Refunds"), to: &html)
        write(
            report.otherAmounts.map { visit.words.spaced($0.line(visit.words)) }, title: visit.text("Other amounts"),
            to: &html)
        if report.hasNothingNew {
            html.add(.p, .class("empty"), text: visit.text("No new recurring charges were found."))
        }
        write(
            report.refused.map { ImportWords.row($0.row, $0.column, $0.value, $0.fault, visit) },
            title: visit.text("Rows that cannot be read, and are left out"), to: &html)
        writeExcluded(report.excluded, to: &html)
    }

    /// Folded away: names of others are among them.
    private func writeExcluded(_ excluded: [StatementExclusion], to html: inout HTMLWriter) {
        guard !excluded.isEmpty else { return }
        html.add(.details, .class("more after")) { html in
            html.add(
                .summary,
                text: visit.text(
                    "\(excluded.count) regular payment that is not proposed|\(excluded.count) regular payments that are not proposed"
                ))
            html.add(
                .p, .class("hint after"),
                text: visit.text(
                    "Cash, transfers, rent, loans, taxes and payments to persons are no subscriptions. Add one by hand if it is."
                ))
            write(excluded.map { visit.words.spaced($0.line(visit.words)) }, to: &html)
        }
    }

    private func write(_ proposal: StatementProposal, to html: inout HTMLWriter) {
        let id = "p-\(proposal.id)"
        html.add(.li, .class("proposal")) { html in
            html.add(
                .input, .type("checkbox"), .id(id), .name("proposal"), .value(proposal.id),
                proposal.confidence == .sure ? .checked : nil)
            html.add(.label, .for(id), .class("entry")) { html in
                html.add(.b, text: proposal.name)
                html.add(
                    .small, .class("muted"),
                    text: proposal.why.map { visit.sentence($0.text) }.joined(separator: " "))
            }
            html.add(.span, .class("price")) { html in
                html.add(.b, .class("amount"), text: visit.money(proposal.amount))
                html.add(.small, .class("muted"), text: visit.cycle(proposal.cycle))
            }
        }
    }

    // MARK: Other files

    private func write(_ report: ImportReport, _ differences: StoreDifferences, to html: inout HTMLWriter) {
        let count = report.added.count
        if count > 0 {
            html.add(
                .p, text: visit.text("\(count) subscription would be added|\(count) subscriptions would be added"))
        }
        if differences.isEmpty, !report.isFileEmpty {
            html.add(.p, .class("empty"), text: visit.text("This file has nothing that is not here already."))
        }
        for note in report.notes(visit.words) {
            html.add(.p, .class("notice warn"), text: visit.words.spaced(note))
        }
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
        html.add(.ul, .class("waits changes")) { html in
            for line in lines.prefix(Self.mostLines) { html.add(.li, text: line) }
        }
        if lines.count > Self.mostLines {
            html.add(.p, .class("muted"), text: visit.text("\(lines.count - Self.mostLines) more"))
        }
    }
}
