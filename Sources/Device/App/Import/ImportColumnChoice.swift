import HTML
import SubGuardDomain
import SubGuardEngine
import SubGuardStatements

/// The first rows of a file whose columns or currency cannot be told, with a choice for each column.
struct ImportColumnChoice {
    private let visit: AppVisit
    private let pending: HeldFile<ImportKind>
    private let error: DeviceStoreError
    /// What each column holds: a value of ``options``.
    private let current: [String]
    private let options: [(value: String, text: String)]
    private let rows: [(line: Int, cells: [String])]
    /// Fields of bank statements only.
    private var statement: (reading: StatementOptions, sample: StatementSample)?

    /// Nil for a file without columns, and for an error that no choice mends.
    init?(_ visit: AppVisit, _ pending: HeldFile<ImportKind>, _ error: DeviceStoreError) {
        guard case .invalid(let fault) = error, fault.pointer != "file",
            [FaultCode.required, .duplicate, .unknownField].contains(fault.code)
        else { return nil }
        switch pending.kind {
        case .bank(let bank):
            guard let sample = try? Statement.sample(pending.bytes, bank.reading) else { return nil }
            statement = (bank.reading, sample)
            current = sample.fields.map(\.rawValue)
            options = ImportReading.fields(visit)
            rows = sample.rows.map { ($0.line, $0.cells) }
        case .other(let file) where file.format == .csv:
            guard let table = ImportTable(pending.bytes) else { return nil }
            current = (file.columns ?? table.columns).fields.map { $0?.rawValue ?? "" }
            options =
                [("", visit.text("ignored"))]
                + SubscriptionField.allCases.map { ($0.rawValue, visit.label($0)) }
            rows = table.rows
        case .other: return nil
        }
        self.visit = visit
        self.pending = pending
        self.error = error
    }

    func page() -> [UInt8] {
        visit.page(.subscriptions, title: visit.text("Import")) { html in
            html.crumb(ImportPages.link, visit.text("Another file"))
            html.top(pending.name)
            html.refusal(ImportWords.lines(error, visit, isTable: statement == nil), "notice bad lines")
            html.post(HTMLLink("import", "again"), "stack") { html in
                html.hidden("id", pending.id.lowercased)
                writeRows(to: &html)
                if let (reading, sample) = statement {
                    html.add(.div, .class("fields")) { html in
                        ImportReading.writeFields(visit, reading, sample.encoding, sample.dates?.order, to: &html)
                    }
                }
                html.add(.p, .class("actions")) { html in
                    html.submit(visit.text("Preview again"), "primary")
                    html.linkButton(visit.text("Back"), HTMLLink())
                }
            }
        }
    }

    private func writeRows(to html: inout HTMLWriter) {
        let title = visit.text("The first rows")
        html.add(.div, .class("scroll"), .tabindex(0), .role("region"), .aria("label", title)) { html in
            html.add(.table, .class("sample")) { html in
                html.add(.caption, text: title)
                html.add(.thead) { html in
                    html.add(.tr) { html in
                        html.add(.th, .scope("col"), text: visit.text("Row"))
                        for (index, value) in current.enumerated() {
                            html.add(.th, .scope("col")) { html in write(index + 1, value, to: &html) }
                        }
                    }
                }
                html.add(.tbody) { html in
                    for row in rows {
                        html.add(.tr) { html in
                            html.add(.td, .class("muted"), text: "\(row.line)")
                            for cell in row.cells { html.add(.td, .class("amount"), text: cell) }
                        }
                    }
                }
            }
        }
    }

    private func write(_ number: Int, _ value: String, to html: inout HTMLWriter) {
        let label = visit.text("Column \("\(number)")")
        guard number <= ImportReading.mostColumns else { return html.text(label) }
        html.choice("column_\(number)", label, current: value, options)
    }
}

extension AppVisit {
    /// The name of a field in forms and in the choice of columns.
    func label(_ field: SubscriptionField) -> String {
        switch field {
        case .id: text("Id")
        case .name: text("Name")
        case .amount: text("Amount")
        case .currency: text("Currency")
        case .cycle: text("Cycle")
        case .nextBillingOn: text("Next charge")
        case .scope: text("Scope")
        case .category: text("Category")
        case .trialStartsOn: text("Trial starts on")
        case .trialEndsOn: text("Trial ends on")
        case .startedOn: text("Since")
        case .contractEndsOn: text("Contract term ends on")
        case .minimumMonths: text("Minimum term in months")
        case .extensionMonths: text("Renewal term in months")
        case .noticeDays: text("Notice period in days")
        case .paymentMethod: text("Payment method")
        case .website: text("Website")
        case .notes: text("Notes")
        case .anchorOn: text("First charge")
        case .status: text("Status")
        case .cancelsOn: text("No longer charged from")
        case .trialConverts: text("Charged after the trial")
        case .remind: text("Reminders")
        case .details: text("Details")
        case .icon: text("Icon")
        case .color: text("Colour")
        case .catalogueItemID: text("Catalogue item")
        case .endsOn: text("Fixed term ends on")
        case .isVariable: text("Estimate")
        case .bundledIn: text("Included in")
        case .replacedBy: text("Replaced by")
        }
    }
}
