import Foundation
import HTML
import SubGuardDomain
import SubGuardEngine
import SubGuardStatementImport
import SubGuardStatements

/// How a statement was read, to be corrected: encoding, order of dates, decimal mark, and what each column holds.
struct ImportReading {
    /// Columns beyond these keep what was detected.
    static let mostColumns = 40

    let visit: AppVisit
    let id: UUID
    let file: StatementImportReport.File
    let chosen: StatementOptions

    func write(to html: inout HTMLWriter) {
        // Other formats say themselves what is what; only QIF leaves the order of dates open.
        guard file.layout != nil || file.dates != nil else { return }
        let isOpen = file.dates?.isAssumed == true || file.isDecimalMarkAssumed
        Self.writeForm(visit, id: id, isOpen: isOpen, to: &html) { html in
            Self.writeFields(visit, chosen, file.encoding, file.dates?.order, to: &html)
            for (index, column) in (file.layout?.columns ?? []).enumerated().prefix(Self.mostColumns) {
                html.choice(
                    "column_\(index + 1)", visit.text("Column “\(column.name)”"), current: column.field.rawValue,
                    Self.fields(visit))
            }
        }
    }

    /// The form that reads the file again.
    static func writeForm(
        _ visit: AppVisit, id: UUID, isOpen: Bool, to html: inout HTMLWriter, fields: (inout HTMLWriter) -> Void
    ) {
        html.fold(visit.text("Read it differently"), "more after", isOpen: isOpen) { html in
            html.post(HTMLLink("import", "again")) { html in
                html.hidden("id", id.lowercased)
                html.add(.div, .class("fields")) { fields(&$0) }
                html.submit(visit.text("Preview again"))
            }
        }
    }

    /// What concerns the whole file.
    ///
    /// - Parameter order: that of the dates; nil when they need none.
    static func writeFields(
        _ visit: AppVisit, _ chosen: StatementOptions, _ encoding: StatementEncoding, _ order: DateOrder?,
        to html: inout HTMLWriter
    ) {
        html.choice(
            "encoding", visit.text("Encoding"), current: (chosen.encoding ?? encoding).rawValue,
            StatementEncoding.allCases.map { ($0.rawValue, $0.rawValue) })
        // Not fixed by looking again: another column may have other dates.
        let detected = order.map { visit.text("detected: \(visit.text($0.phrase))") } ?? visit.text("detected")
        html.choice(
            "date_order", visit.text("Dates"), current: chosen.dateOrder?.rawValue ?? "",
            [("", detected)] + DateOrder.allCases.map { ($0.rawValue, visit.text($0.phrase)) })
        html.choice(
            "decimal_mark", visit.text("Decimal mark"), current: chosen.decimalMark?.rawValue ?? "",
            [("", visit.text("detected"))] + DecimalMark.allCases.map { ($0.rawValue, visit.text($0.phrase)) })
        ImportPages.writeCurrency(chosen.currency?.code ?? "", visit, to: &html)
    }

    static func fields(_ visit: AppVisit) -> [(value: String, text: String)] {
        StatementField.allCases.map { ($0.rawValue, visit.text($0.phrase)) }
    }
}

extension ImportKind {
    /// The same kind of file, read as a form says. An empty currency keeps the former one.
    func read(as form: FormFields) -> ImportKind {
        switch with(Currency(code: form.code("currency"))) {
        case .bank(var bank):
            bank.reading.encoding = form["encoding"].flatMap { StatementEncoding(rawValue: $0) }
            bank.reading.dateOrder = form["date_order"].flatMap { DateOrder(rawValue: $0) }
            bank.reading.decimalMark = form["decimal_mark"].flatMap { DecimalMark(rawValue: $0) }
            bank.reading.mapping = [:]
            for number in 1...ImportReading.mostColumns {
                guard let field = form["column_\(number)"].flatMap({ StatementField(rawValue: $0) }) else { continue }
                bank.reading.mapping["\(number)"] = field
            }
            return .bank(bank)
        case .other(var file):
            let columns = (1...ImportReading.mostColumns).prefix { form["column_\($0)"] != nil }
            let fields = columns.map { number in
                form["column_\(number)"].flatMap { SubscriptionField(rawValue: $0) }
            }
            if !fields.isEmpty { file.columns = ImportColumns(fields: fields) }
            return .other(file)
        }
    }
}

extension StatementField {
    var phrase: Sentence {
        switch self {
        case .date: "date"
        case .payee: "payee"
        case .description: "wording"
        case .kind: "payment type"
        case .amount: "amount"
        case .debit: "debit"
        case .credit: "credit"
        case .fee: "fee"
        case .currency: "currency"
        case .direction: "direction"
        case .state: "booked or pending"
        case .balance: "balance"
        case .ignore: "ignored"
        }
    }
}

extension DateOrder {
    var phrase: Sentence {
        switch self {
        case .dmy: "day, month, year"
        case .mdy: "month, day, year"
        case .ymd: "year, month, day"
        }
    }
}

extension DecimalMark {
    var phrase: Sentence {
        switch self {
        case .point: "point: 12.34"
        case .comma: "comma: 12,34"
        }
    }
}

/// What is wrong with an imported file, for a person at a form and not at a terminal.
enum ImportWords {
    /// A row that cannot be read: its number, the column, what stands there, and why it is refused.
    static func row(_ row: Int, _ column: String, _ value: String, _ fault: Fault, _ visit: AppVisit) -> String {
        let why = visit.sentence(fault.detail)
        if column.isEmpty || column == "row" { return visit.text("Row \(number(row)): \(why)") }
        if value.isEmpty { return visit.text("Row \(number(row)), column “\(column)”, empty: \(why)") }
        return visit.text("Row \(number(row)), column “\(column)”, “\(value)”: \(why)")
    }

    /// Numbers of rows are not grouped.
    private static func number(_ row: Int) -> String { "\(row)" }

    /// The lines of an error.
    ///
    /// - Parameter isTable: whether the file is a table of subscriptions.
    static func lines(_ error: any Error, _ visit: AppVisit, isTable: Bool) -> String {
        if case .invalid(let fault)? = error as? DeviceStoreError, let text = text(fault, visit, isTable) {
            return text
        }
        return "\(error)".split(separator: "\n").prefix(12).map {
            visit.sentence(String($0.prefix(300)))
        }.joined(separator: "\n")
    }

    /// Nil for faults whose own sentence has no hint at an option of the command line.
    private static func text(_ fault: Fault, _ visit: AppVisit, _ isTable: Bool) -> String? {
        switch (fault.pointer, fault.code) {
        case ("currency", .required): visit.text("The file names no currency: enter it.")
        case ("file", .invalidUTF8): visit.text("The text is not in this encoding: choose another one.")
        case (_, .duplicate) where isTable: visit.text("Two columns hold the same. Change one of them.")
        case (_, .required) where isTable:
            visit.text("The columns were not recognised. Say which one holds the name, and which one the amount.")
        case (StatementField.date.rawValue, .required), (StatementField.amount.rawValue, .required):
            visit.text(
                "The columns were not recognised. Say which one holds the date, and which one or two hold the amount.")
        case (StatementField.description.rawValue, .required):
            visit.text("No column was recognised as the payee. Say which one names who was paid.")
        case ("encoding", _): visit.text("The text is not in this encoding: choose another one.")
        default: nil
        }
    }
}
