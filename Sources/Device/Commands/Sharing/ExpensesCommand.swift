import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct ExpensesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "expenses", abstract: "Manage expenses of a group.",
        subcommands: [Add.self, List.self, Show.self, Edit.self, Delete.self], defaultSubcommand: List.self)

    struct Add: WriteCommand {
        static let configuration = CommandConfiguration(abstract: "Add an expense and print its id.")

        @Option(help: "Name of the group, or its id.") var group: String
        @Option(help: "Title of the expense.") var title: String
        @Option(parsing: .unconditional, help: "Total amount, such as 13.49 or \"13.49 €\".") var amount: String
        @Option(help: "Currency code, such as EUR. Default: the one named in the amount.") var currency: String?
        @Option(help: "Who paid: a person, or NAME=amount pairs separated by commas.") var paidBy: String
        @Option(help: "Date of the expense, such as 2027-01-15 or yesterday.") var on: DayArgument
        @Option(help: "How the amount is split.") var split = SplitKind.even
        @Option(help: "Who shares the expense: names separated by commas. Default: all members of that day.")
        var between: String?
        @Option(help: "Each person's percentage, amount or number of shares: NAME=value pairs separated by commas.")
        var parts: String?
        @Option(help: "Category of the expense.") var category: String?
        @Option(help: "Notes.") var notes: String?
        @Flag(help: "Record that it was settled outside of the program; it makes no debts then.") var settled = false
        @OptionGroup var options: GlobalOptions

        func validate() throws { try validate(split, between: between, parts: parts) }

        func run(_ session: Session) throws {
            let day = on.day(session.moment.today, towards: .last)
            let code = try session.requireCurrency(currency, of: amount)
            var reader = ArgumentReader()
            let group = try reader.read("group") {
                try session.store.sharing.group(try session.groupID(self.group))
            }
            try reader.name(session, title, field: "title")
            let amount = try reader.money(session, self.amount, code)
            // Parts of a wrong amount are only checked for whom they name.
            let some = try amount ?? session.money("1", "EUR")
            let payers = try reader.payers(session, paidBy)
            let paid = try reader.read("paid_by") { try session.paid(payers ?? [], some) }
            let people = try between.map { try reader.people(session, $0, field: "between") } ?? group?.members(on: day)
            let values = try parts.map { try reader.values(session, $0, field: "parts") ?? [] }
            let split = try reader.read("parts") {
                try session.split(self.split, between: people ?? [], parts: values, currency: some.currency)
            }
            // What is nil is refused below.
            var expense = GroupExpense(
                id: session.store.makeID(session.moment), groupID: group?.id ?? Person.me, title: title, amount: some,
                payers: paid ?? [], split: split ?? Split(kind: .even, people: []), spentOn: day,
                createdAt: session.moment.now)
            expense.category = category ?? ""
            expense.notes = notes ?? ""
            expense.isSettled = settled
            reader.check { () throws(FaultList) in _ = try expense.validatedFields() }
            try reader.finish()
            try session.store.sharing.save(expense, at: session.moment)
            session.noteDay(of: expense)
            try session.print(object: { try $0.fields(expense) }, text: { expense.id.lowercased })
        }
    }

    struct List: ReadCommand {
        static let configuration = CommandConfiguration(abstract: "List expenses, newest first.")

        @Option(help: "Only expenses of this group.") var group: String?
        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws {
            let group = try group.map { text in try UnknownReference.naming("group") { try session.groupID(text) } }
            let names = try session.names()
            try session.print(
                try session.store.sharing.expenses(of: group), json: { try $1.fields($0) }, empty: "No expenses yet.",
                [
                    .id { $0.id }, .text("date") { session.day($0.spentOn) }, .text("title") { $0.title },
                    .number("amount") { session.money($0.amount) },
                    .text("paid by") { expense in
                        expense.payers.map { names[$0.personID] ?? session.text("(deleted)") }.joined(separator: ", ")
                    },
                    .text("", { _ in .grey }) { $0.isSettled ? session.text("settled") : "" },
                ])
        }
    }

    struct Show: ReadCommand {
        static let configuration = CommandConfiguration(abstract: "Show everything about an expense.")

        @Argument(help: "Title of the expense, or the id.") var id: String
        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws {
            let expense = try session.store.sharing.expense(try session.expenseID(id))
            let group = try session.store.sharing.group(expense.groupID)
            let names = try session.names()
            let parts = try expense.split.parts(of: expense.amount)
            let people = { (amounts: [PersonAmount]) in
                amounts.map { part in
                    let amount = Money(minorUnits: part.minorUnits, currency: expense.amount.currency)
                    return "\(names[part.personID] ?? session.text("(deleted)")) \(session.money(amount))"
                }.joined(separator: ", ")
            }
            try session.print(object: { try $0.fields(expense) }) {
                var sheet = FactSheet(expense.title)
                sheet.add("id", expense.id.lowercased)
                sheet.add(session.text("group"), group.name)
                sheet.add(session.text("amount"), session.money(expense.amount))
                sheet.add(session.text("date"), session.day(expense.spentOn))
                sheet.add(session.text("paid by"), people(expense.payers))
                sheet.add(session.text("split"), expense.split.kind.displayName(session.language))
                sheet.add(session.text("parts"), people(parts))
                sheet.add(session.text("settled"), session.yesOrNo(expense.isSettled))
                sheet.add(session.text("category"), expense.category)
                sheet.add(session.text("notes"), expense.notes)
                return sheet.text(session.style)
            }
        }
    }

    struct Edit: WriteCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change an expense; what is not given stays.",
            discussion: "With a new amount, one payer pays all of it; several, and exact parts, have to be given again."
        )

        @Argument(help: "Title of the expense, or the id.") var id: String
        @Option(help: "Title of the expense.") var title: String?
        @Option(parsing: .unconditional, help: "Total amount, such as 13.49.") var amount: String?
        @Option(help: "Currency code, such as EUR.") var currency: String?
        @Option(help: "Who paid: a person, or NAME=amount pairs separated by commas.") var paidBy: String?
        @Option(help: "Date of the expense, such as 2027-01-15 or yesterday.") var on: DayArgument?
        @Option(help: "How the amount is split. Default: as before, or even with --between.") var split: SplitKind?
        @Option(help: "Who shares the expense, separated by commas.") var between: String?
        @Option(help: "Each person's percentage, amount or number of shares: NAME=value pairs separated by commas.")
        var parts: String?
        @Option(help: "Category of the expense.") var category: String?
        @Option(help: "Notes.") var notes: String?
        @Flag(inversion: .prefixedNo, help: "Whether it was settled outside of the program; it makes no debts then.")
        var settled: Bool?
        @OptionGroup var options: GlobalOptions

        func validate() throws { try validate(split, between: between, parts: parts) }

        func run(_ session: Session) throws {
            let id = try session.expenseID(id)
            // Names are looked up before the change, of which naming oneself would be another.
            var reader = ArgumentReader()
            let payers = try paidBy.flatMap { try reader.payers(session, $0) }
            let people = try between.flatMap { try reader.people(session, $0, field: "between") }
            let parts = try parts.flatMap { try reader.values(session, $0, field: "parts") }
            try reader.finish()
            let saved = try session.store.sharing.changeExpense(id, at: session.moment) { expense in
                if amount != nil || currency != nil {
                    expense.amount = try session.money(
                        amount ?? expense.amount.decimal, currency ?? expense.amount.currency.code)
                    if expense.payers.count == 1 { expense.payers[0].minorUnits = expense.amount.minorUnits }
                }
                if let payers { expense.payers = try session.paid(payers, expense.amount) }
                if split != nil || people != nil || parts != nil {
                    let kind = split ?? (parts == nil ? .even : expense.split.kind)
                    expense.split = try session.split(
                        kind, between: people ?? expense.split.people, parts: parts,
                        currency: expense.amount.currency)
                }
                expense.title = title ?? expense.title
                expense.spentOn = on?.day(session.moment.today, towards: .last) ?? expense.spentOn
                expense.category = category ?? expense.category
                expense.notes = notes ?? expense.notes
                expense.isSettled = settled ?? expense.isSettled
            }
            session.noteDay(of: saved)
            try session.print(object: { try $0.fields(saved) }, text: { saved.title })
        }
    }

    struct Delete: WriteCommand {
        static let configuration = CommandConfiguration(abstract: "Delete an expense.")

        @Argument(help: "Title of the expense, or the id.") var id: String
        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws {
            try session.delete(
                session.expenseID(id), { try session.store.sharing.expense($0).title },
                by: session.store.sharing.deleteExpense)
        }
    }
}

extension ParsableCommand {
    fileprivate func validate(_ split: SplitKind?, between: String?, parts: String?) throws {
        try require(between == nil || parts == nil, "--between and --parts cannot be combined")
        let kind = split?.rawValue ?? ""
        try require(split == nil || split == .even || parts != nil, "--split \(kind) requires --parts")
        try require(split != .even || parts == nil, "--split even does not take --parts")
    }
}

extension ArgumentReader {
    /// Who paid: one person, or `ID=amount` pairs; nil after a fault was noted.
    fileprivate mutating func payers(
        _ session: Session, _ text: String
    ) throws -> [(person: UUID, value: String?)]? {
        guard text.contains("=") else {
            return try read("paid_by") { try session.personID(text) }.map { [($0, nil)] }
        }
        return try values(session, text, field: "paid_by")?.map { ($0.person, $0.value) }
    }
}

extension Session {
    /// Who paid which part of an amount; all of it without a value.
    fileprivate func paid(_ payers: [(person: UUID, value: String?)], _ amount: Money) throws -> [PersonAmount] {
        try payers.map { person, text in
            let paid = try text.map { try money($0, amount.currency.code, field: "paid_by") } ?? amount
            return PersonAmount(personID: person, minorUnits: paid.minorUnits)
        }
    }

    /// Reads an amount as people write it, in a currency given by its code. Errors name `field`, or `currency`.
    func money(_ text: String, _ currency: String, field: String = "amount") throws(Fault) -> Money {
        let currency = try FieldRules.currency(currency)
        return try FieldRules.amount(try AmountText.decimal(text, in: currency, field: field), currency, field: field)
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
        field("settled", expense.isSettled)
    }

    private mutating func people(_ name: String, _ amounts: [PersonAmount], _ currency: Currency) {
        array(name, amounts) { json, amount in
            json.field("person_id", amount.personID.lowercased)
            json.field("amount", Money(minorUnits: amount.minorUnits, currency: currency).decimal)
        }
    }
}

extension Session {
    /// Says that an expense of a day to come counts already.
    fileprivate func noteDay(of expense: GroupExpense) {
        guard expense.spentOn > moment.today, !expense.isSettled, !isJSON else { return }
        note("the expense is dated \(day(expense.spentOn)), and counts in balances from now on")
    }
}
