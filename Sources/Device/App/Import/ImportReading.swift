import DeviceWords
import Foundation
import HTML
import SubGuardDomain
import SubGuardEngine

/// How a statement was read, to be corrected: encoding, order of dates, and what each column holds.
struct ImportReading {
    /// Columns beyond these keep what was detected.
    static let mostColumns = 40

    private let visit: AppVisit
    private let id: UUID
    private let file: StatementImportReport.File
    private let chosen: StatementOptions

    init(_ visit: AppVisit, _ id: UUID, _ file: StatementImportReport.File, _ chosen: StatementOptions) {
        self.visit = visit
        self.id = id
        self.file = file
        self.chosen = chosen
    }

    func write(to html: inout HTMLWriter) {
        // Other formats say themselves what is what.
        guard let layout = file.layout else { return }
        html.add(.details, .class("more after")) { html in
            html.add(.summary, text: visit.text("Read it differently"))
            html.add(.form, .methodPost, .action(HTMLLink("import", "again")), .class("panel stack")) { html in
                visit.hidden("id", id.lowercased, to: &html)
                html.add(.div, .class("fields")) { html in
                    visit.choice(
                        "encoding", visit.text("Encoding"), current: (chosen.encoding ?? file.encoding).rawValue,
                        StatementEncoding.allCases.map { ($0.rawValue, $0.rawValue) }, to: &html)
                    visit.choice(
                        "date_order", visit.text("Dates"), current: layout.dateOrder.rawValue,
                        DateOrder.allCases.map { ($0.rawValue, visit.text($0.phrase)) }, to: &html)
                    for (index, column) in layout.columns.enumerated().prefix(Self.mostColumns) {
                        visit.choice(
                            "column_\(index + 1)", visit.text("Column “\(column.name)”"),
                            current: column.field.rawValue,
                            StatementField.allCases.map { ($0.rawValue, visit.text($0.phrase)) }, to: &html)
                    }
                }
                html.add(.button, .type("submit"), text: visit.text("Look at it again"))
            }
        }
    }
}

extension StatementField {
    var phrase: Phrase {
        switch self {
        case .date: "date"
        case .payee: "payee"
        case .description: "wording"
        case .kind: "payment type"
        case .amount: "amount"
        case .debit: "debit"
        case .credit: "credit"
        case .currency: "currency"
        case .direction: "direction"
        case .state: "booked or pending"
        case .ignore: "ignored"
        }
    }
}

extension DateOrder {
    fileprivate var phrase: Phrase {
        switch self {
        case .dmy: "day, month, year"
        case .mdy: "month, day, year"
        case .ymd: "year, month, day"
        }
    }
}
