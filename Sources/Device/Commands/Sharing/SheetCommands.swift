import ArgumentParser
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

/// The forms of a group's sheet.
enum SheetFormat: String, CaseIterable, ExpressibleByArgument {
    case csv
    case json
}

extension GroupsCommand {
    struct Export: ReadCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write the expenses of a group to standard output, as Spliit exports them.",
            discussion: """
                CSV has a row for each expense and a column for each person; an expense that several people paid takes \
                a row for each. JSON keeps everything. Expenses that were settled outside of the program are left out.
                """)

        @Argument(help: "Name of the group, or the id.") var group: String
        @Option(help: "Output format.") var format = SheetFormat.csv
        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws {
            let id = try session.groupID(group)
            let sheet = try session.store.sharing.sheet(of: id)
            let bytes =
                format == .json
                ? sheet.json(id: id.lowercased) : try sheet.csv()
            StandardStream.file(String(decoding: bytes, as: UTF8.self))
        }
    }

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add the expenses of a sheet of Spliit, Splitwise, Cospend, IHateMoney or `groups export`.",
            discussion: """
                The program is told by the columns. Payments become repayments. \
                People are found by name, and added if they are missing. What the group has already is left out, so \
                the same file can be imported again. All or nothing; `undo` takes it back.
                """)

        @Argument(help: "CSV or JSON file; - for standard input.") var file: String
        @Option(help: "Group to add to, by name or id. Default: the one with the sheet's name, or a new one.")
        var into: String?
        @Option(help: "Name of the group; CSV has none. Default: the name of the file.") var name: String?
        @Option(help: "Your name in the sheet.") var me: String?
        @Option(help: "Currency of a sheet that does not name one, such as EUR.") var currency: String?
        @OptionGroup var options: GlobalOptions

        func run() throws {
            let bytes = try ImportCommand.bytes(file)
            try Session.write(options) { session in
                let currency = try currency.map { code in
                    try FieldRules.currency(code)
                }
                var sheet = try sheet(bytes, currency, session)
                sheet.name = name ?? sheet.name
                let into = try into.map { try session.groupID($0) }
                let mine = try me.map { try name(of: $0, in: sheet) }
                if mine != nil { _ = try session.personID("me") }
                let report = try session.store.sharing.take(sheet, into: into, me: mine, at: session.moment)
                session.print { json in
                    json.field("group_id", report.groupID.lowercased)
                    json.field("format", sheet.source.rawValue)
                    json.field("expenses", report.expenses)
                    json.field("repayments", report.repayments)
                    json.field("known", report.known)
                    json.field("without_effect", sheet.rowsWithoutEffect)
                    json.strings("people", report.people)
                } text: {
                    let (repayments, people, idle) = (report.repayments, report.people.count, sheet.rowsWithoutEffect)
                    return session.list([
                        "\(report.expenses) expense added|\(report.expenses) expenses added",
                        repayments > 0 ? "\(repayments) repayment added|\(repayments) repayments added" : nil,
                        people > 0 ? "\(people) person added|\(people) people added" : nil,
                        report.known > 0 ? "\(report.known) already known|\(report.known) already known" : nil,
                        idle > 0 ? "\(idle) row without effect skipped|\(idle) rows without effect skipped" : nil,
                    ])
                }
            }
        }

        private func sheet(_ bytes: [UInt8], _ currency: Currency?, _ session: Session) throws -> GroupSheet {
            let title = file == "-" ? "" : URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
            let named = try session.namedCurrencies()
            do {
                return try GroupSheet.read(bytes, name: title, currency: currency, preferring: named)
            } catch {
                throw DeviceStoreError.invalidFields(Array(error))
            }
        }

        private func name(of text: String, in sheet: GroupSheet) throws -> String {
            guard let name = sheet.people.first(where: { TextFolding.fold($0) == TextFolding.fold(text) }) else {
                throw Fault("me", .notFound, "Must be a person of the sheet.")
            }
            return name
        }
    }
}
