import ArgumentParser
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct ExpensesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "expenses", abstract: "What members of a group paid for several of them.",
        subcommands: [Add.self, List.self, Delete.self])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Adds an expense and prints its id.")

        @Option(help: "The group's id, or the beginning of it.") var group: String
        @Option(help: "What it was.") var title: String
        @Option(parsing: .unconditional, help: "What it cost.") var amount: String
        @Option(help: "An ISO 4217 code, such as EUR.") var currency: String
        @Option(help: "Who paid: an id, or ID=amount with commas between.") var paidBy: String
        @Option(help: "The day.") var on: DayArgument
        @Option(help: "How it is divided.") var split = SplitKind.even
        @Option(help: "Among whom, ids with commas between. Default: all members.") var between: String?
        @Option(help: "ID=percentage, amount or number, with commas between.") var parts: String?
        @Option(help: "What kind of expense it is.") var category: String?
        @Option(help: "Anything worth knowing.") var notes: String?
        @OptionGroup var options: GlobalOptions

        func validate() throws {
            guard between == nil || parts == nil else {
                throw ValidationError("--between and --parts exclude each other")
            }
            guard split == .even || parts != nil else {
                throw ValidationError("--split \(split.rawValue) needs --parts")
            }
            guard split != .even || parts == nil else { throw ValidationError("--split even has no --parts") }
        }

        func run() throws {
            try Session.write(options) { session in
                let group = try session.store.sharing.group(try session.groupID(group))
                let amount: Money = try session.checked { () throws(Fault) in
                    try FieldRules.amount(self.amount, try FieldRules.currency(self.currency))
                }
                let people = try between.map { try session.personIDs($0) } ?? group.memberIDs
                var expense = GroupExpense(
                    id: session.store.makeID(session.moment), groupID: group.id, title: title, amount: amount,
                    payers: try payers(amount, session),
                    split: try session.split(split, between: people, parts: parts, currency: amount.currency),
                    spentOn: on.day, createdAt: session.moment.now)
                expense.category = category ?? ""
                expense.notes = notes ?? ""
                try session.store.sharing.save(expense, at: session.moment)
                try session.print(object: { try $0.fields(expense) }, text: { expense.id.lowercased })
            }
        }

        private func payers(_ amount: Money, _ session: Session) throws -> [PersonAmount] {
            guard paidBy.contains("=") else {
                return [PersonAmount(personID: try session.personID(paidBy), minorUnits: amount.minorUnits)]
            }
            return try session.personValues(paidBy, field: "paid_by").map { person, text in
                let paid = try session.checked { () throws(Fault) in
                    try FieldRules.amount(text, amount.currency, field: "paid_by")
                }
                return PersonAmount(personID: person, minorUnits: paid.minorUnits)
            }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Expenses, latest first.")

        @Option(help: "Only of this group.") var group: String?
        @OptionGroup var options: GlobalOptions

        func run() throws {
            try Session.read(options) { session in
                let group = try group.map { try session.groupID($0) }
                let names = try session.personNames()
                try session.print(
                    try session.store.sharing.expenses(of: group), json: { try $1.fields($0) },
                    columns: [
                        ("id", .left), (session.text("day", "jour"), .left), (session.text("title", "titre"), .left),
                        (session.text("amount", "montant"), .right), (session.text("paid by", "payé par"), .left),
                    ], empty: session.text("No expense yet.", "Aucune dépense encore.")
                ) { expense in
                    [
                        .init(expense.id.lowercased, .grey), .init(session.day(expense.spentOn)), .init(expense.title),
                        .init(session.money(expense.amount)),
                        .init(
                            expense.payers.map { names[$0.personID] ?? session.text("(deleted)", "(supprimé)") }
                                .joined(separator: ", ")),
                    ]
                }
            }
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Deletes an expense.")

        @Argument(help: "Its id, or the beginning of it.") var id: String
        @OptionGroup var options: GlobalOptions

        func run() throws {
            try Session.write(options) { session in
                let id = try session.expenseID(id)
                try session.store.sharing.deleteExpense(id, at: session.moment)
                session.print(deleted: id)
            }
        }
    }
}

extension Session {
    /// Gives a broken rule its place among the refusals.
    func checked<Value>(_ body: () throws(Fault) -> Value) throws -> Value {
        do { return try body() } catch { throw DeviceStoreError.invalid(error) }
    }
}

extension JSONWriter {
    fileprivate mutating func fields(_ expense: GroupExpense) throws {
        field("id", expense.id.lowercased)
        field("group_id", expense.groupID.lowercased)
        field("title", expense.title)
        money(expense.amount)
        field("on", expense.spentOn.iso)
        field("split", expense.split.kind.rawValue)
        people("paid_by", expense.payers, expense.amount.currency)
        people("parts", try expense.split.parts(of: expense.amount), expense.amount.currency)
        field("category", expense.category)
        field("notes", expense.notes)
    }

    private mutating func people(_ name: String, _ amounts: [PersonAmount], _ currency: Currency) {
        key(name)
        beginArray()
        for amount in amounts {
            beginObject()
            field("person_id", amount.personID.lowercased)
            field("amount", Money(minorUnits: amount.minorUnits, currency: currency).decimal)
            endObject()
        }
        endArray()
    }
}
