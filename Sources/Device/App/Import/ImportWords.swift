import DeviceWords
import SubGuardDomain
import SubGuardEngine
import SubGuardStatements

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
