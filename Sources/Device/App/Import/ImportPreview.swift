import DeviceWords
import HTML
import SubGuardDomain
import SubGuardEngine

/// What an import would do.
struct ImportPreview {
    private let visit: AppVisit
    private let pending: HeldFile<ImportKind>
    private let error: DeviceStoreError?

    init(_ visit: AppVisit, _ pending: HeldFile<ImportKind>, error: DeviceStoreError? = nil) {
        self.visit = visit
        self.pending = pending
        self.error = error
    }

    /// Throws what refuses the whole file.
    func page() throws -> [UInt8] {
        switch pending.kind {
        case .bank(let reading):
            var options = StatementImportOptions()
            options.reading = reading
            options.skipsBadRows = true
            options.isDryRun = true
            let report = try visit.store.statements.importFiles(
                [StatementFile(name: pending.name, bytes: pending.bytes)], options, at: visit.moment)
            let form = report.files.first.map { ImportReading(visit, pending.id, $0, reading) }
            return document(after: { html in form?.write(to: &html) }, { html in write(report, to: &html) })
        case .other(let format):
            var options = ImportOptions(format: format)
            options.skipsBadRows = true
            options.isDryRun = true
            options.currency = try visit.store.subscriptions.usualCurrency()
            let report = try visit.store.portability.importFile(pending.bytes, options, at: visit.moment)
            return document { html in write(report, to: &html) }
        }
    }

    private func document(
        after: (inout HTMLWriter) -> Void = { _ in }, _ body: (inout HTMLWriter) -> Void
    ) -> [UInt8] {
        visit.page(.subscriptions, title: visit.text("Import")) { html in
            html.add(.p, .class("crumb")) { html in
                html.add(.a, .href(ImportPages.link), text: visit.text("Another file"))
            }
            html.add(.div, .class("top")) { $0.add(.h1, text: pending.name) }
            if let error {
                html.add(
                    .p, .class("notice bad"), .role("alert"), .tabindex(-1), .data("focus"),
                    text: visit.words.sentence("\(error)"))
            }
            html.add(.form, .methodPost, .action(HTMLLink("import", "accept")), .class("stack")) { html in
                visit.hidden("id", pending.id.lowercased, to: &html)
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

    private func write(_ report: StatementImportReport, to html: inout HTMLWriter) {
        for file in report.files {
            html.add(
                .p, .class("muted"),
                text: visit.text("\(file.rows) entry|\(file.rows) entries")
                    + " · \(file.format.rawValue), \(file.encoding.rawValue)")
            if let layout = file.layout {
                let columns = layout.columns.filter { $0.field != .ignore }
                    .map { "\($0.name) = \(visit.text($0.field.phrase))" }.joined(separator: ", ")
                html.add(.p, .class("hint"), text: visit.text("Columns: \(columns)"))
            }
        }
        if !report.proposals.isEmpty {
            html.add(.h2, text: visit.text("Recurring charges"))
            html.add(.ul, .class("subscriptions")) { html in
                for proposal in report.proposals { write(proposal, to: &html) }
            }
        }
        var known: [String] = []
        let confirmed = report.confirmed.count
        if confirmed > 0 {
            known.append(visit.text("\(confirmed) charge will be confirmed|\(confirmed) charges will be confirmed"))
        }
        for change in report.priceChanges {
            let (old, new) = (visit.money(change.from), visit.money(change.to))
            known.append(visit.text("\(change.name): price \(new) instead of \(old) from \(visit.day(change.on))"))
        }
        for charged in report.chargedAfterCancelling {
            let (amount, day) = (visit.money(charged.charge.amount), visit.day(charged.charge.on))
            known.append(visit.text("\(charged.name): still charged after cancelling, \(amount) on \(day)"))
        }
        write(known, to: &html)
        if report.proposals.isEmpty, known.isEmpty {
            html.add(.p, .class("empty"), text: visit.text("No new recurring charges were found."))
        }
        write(
            report.refused.map { text($0.row, $0.fault) },
            title: visit.text("Rows that cannot be read, and are left out"), to: &html)
    }

    private func write(_ proposal: StatementProposal, to html: inout HTMLWriter) {
        let id = "p-\(proposal.id)"
        html.add(.li, .class("proposal")) { html in
            html.add(
                .input, .type("checkbox"), .id(id), .name("proposal"), .value(proposal.id),
                proposal.confidence == .sure ? .checked : nil)
            html.add(.label, .for(id), .class("what-it-is")) { html in
                html.add(.b, text: proposal.name)
                html.add(
                    .small, .class("muted"),
                    text: proposal.why.map { visit.words.sentence($0.text) }.joined(separator: " "))
            }
            html.add(.span, .class("what-it-costs")) { html in
                html.add(.b, .class("amount"), text: visit.money(proposal.amount))
                html.add(.small, .class("muted"), text: proposal.cycle.displayName(visit.words).lowercased())
            }
        }
    }

    // MARK: Other files

    private func write(_ report: ImportReport, to html: inout HTMLWriter) {
        let (added, updated) = (report.added.count, report.updated.count)
        write(
            [
                visit.text("\(added) subscription would be added|\(added) subscriptions would be added"),
                visit.text("\(updated) would be changed|\(updated) would be changed"),
            ], to: &html)
        write(
            report.refused.flatMap { row in row.faults.map { text(row.row, $0) } },
            title: visit.text("Rows that cannot be read, and are left out"), to: &html)
    }

    private func write(_ lines: [String], title: String? = nil, to html: inout HTMLWriter) {
        guard !lines.isEmpty else { return }
        if let title { html.add(.h2, text: title) }
        html.add(.ul, .class("waits changes")) { html in
            for line in lines.prefix(100) { html.add(.li, text: line) }
        }
    }

    /// A row that cannot be read, and why.
    private func text(_ row: Int, _ fault: Fault) -> String {
        visit.words.sentence(
            fault.pointer == "row" ? "row \(row): \(fault.detail)" : "row \(row): \(fault.pointer): \(fault.detail)")
    }
}
