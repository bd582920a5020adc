import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct TransactionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transactions", abstract: "Manage single expenses and income.",
        subcommands: [Add.self, List.self, Show.self, Edit.self, Delete.self], defaultSubcommand: List.self)

    struct Add: WriteCommand {
        static let configuration = CommandConfiguration(abstract: "Add a transaction and print its id.")

        @Option(help: "Title of the transaction.") var title: String
        @Option(help: "More about it, such as the shop; `list` shows it behind the title.") var subtitle: String?
        @Option(parsing: .unconditional, help: "Amount, such as 13.49.") var amount: String
        @Option(help: "Currency code, such as EUR. Default: the one named in the amount.") var currency: String?
        @Option(help: "Date of the transaction, such as 2027-01-15 or yesterday.") var on: DayArgument
        @Option(help: "expense or income.") var type: Transaction.Kind
        @Option(help: "The other person: a name, or the id.") var person: String?
        @Option(help: "Category of the transaction.") var category: String?
        @Option(help: "Notes.") var notes: String?
        @Option(help: "Tags, separated by commas.") var tags: String?
        @Flag(help: "Mark as recurring, for `list --recurring`.") var recurring = false
        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws {
            let code = try session.requireCurrency(currency, of: amount)
            var reader = ArgumentReader()
            try reader.name(session, title, field: "title")
            let amount = try reader.money(session, self.amount, code)
            let person = try reader.read("person") { try self.person.map { try session.personID($0) } }
            // In place of a wrong amount, any other.
            var transaction = Transaction(
                id: session.store.makeID(session.moment), title: title,
                amount: amount ?? Money(minorUnits: 1, currency: .eur), kind: type,
                bookedOn: on.day(session.moment.today, towards: .last), personID: person ?? nil,
                createdAt: session.moment.now)
            transaction.subtitle = subtitle ?? ""
            transaction.category = category ?? ""
            transaction.notes = notes ?? ""
            transaction.tags = Transaction.tags(tags ?? "")
            transaction.isRecurring = recurring
            reader.check { () throws(FaultList) in _ = try transaction.validated() }
            try reader.finish()
            try session.store.transactions.save(transaction, at: session.moment)
            session.print(object: { $0.fields(transaction) }, text: { transaction.id.lowercased })
        }
    }

    struct List: ReadCommand {
        static let configuration = CommandConfiguration(abstract: "List transactions, newest first.")

        @Option(help: "First day.") var from: DayArgument?
        @Option(help: "Last day.") var to: DayArgument?
        @Option(help: "Only transactions with this person.") var person: String?
        @Flag(help: "Only recurring transactions.") var recurring = false
        @Option(help: "Only transactions with this tag.") var tag: String?
        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws {
            let person = try person.map { text in
                try UnknownReference.naming("person") { try session.personID(text) }
            }
            let today = session.moment.today
            let tag = tag.map { TextFolding.fold($0) }
            session.print(
                try session.store.transactions.list(
                    from: from?.day(today, towards: .last) ?? .earliest,
                    through: to?.day(today, towards: .last) ?? .latest, with: person
                ).filter { transaction in
                    (!recurring || transaction.isRecurring)
                        && (tag == nil || transaction.tags.contains { TextFolding.fold($0) == tag })
                },
                json: { $1.fields($0) },
                empty: from == nil && to == nil && person == nil && !recurring && tag == nil
                    ? "No transactions yet." : "No matching transactions.",
                [
                    .id { $0.id }, .text("date") { session.day($0.bookedOn) },
                    .text("title") { $0.subtitle.isEmpty ? $0.title : "\($0.title) (\($0.subtitle))" },
                    .number("amount", { $0.kind == .income ? .green : nil }) { session.signed($0) },
                    .text("tags") { $0.tags.joined(separator: ", ") },
                    .text("", { _ in .grey }) { $0.isRecurring ? session.text("recurring") : "" },
                ])
        }
    }

    struct Show: ReadCommand {
        static let configuration = CommandConfiguration(abstract: "Show everything about a transaction.")

        @Argument(help: "Title of the transaction, or the id.") var id: String
        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws {
            let transaction = try session.store.transactions.load(try session.transactionID(id))
            let names = try session.names()
            session.print(object: { $0.fields(transaction) }) {
                var sheet = FactSheet(transaction.title)
                sheet.add("id", transaction.id.lowercased)
                sheet.add(session.text("subtitle"), transaction.subtitle)
                sheet.add(session.text("amount"), session.signed(transaction))
                sheet.add(session.text("date"), session.day(transaction.bookedOn))
                sheet.add(session.text("person"), transaction.personID.flatMap { names[$0] } ?? "")
                sheet.add(session.text("category"), transaction.category)
                sheet.add(session.text("tags"), transaction.tags.joined(separator: ", "))
                sheet.add(session.text("recurring"), session.yesOrNo(transaction.isRecurring))
                sheet.add(session.text("notes"), transaction.notes)
                return sheet.text(session.style)
            }
        }
    }

    struct Edit: WriteCommand {
        static let configuration = CommandConfiguration(abstract: "Change a transaction; what is not given stays.")

        @Argument(help: "Title of the transaction, or the id.") var id: String
        @Option(help: "Title of the transaction.") var title: String?
        @Option(help: "More about it, such as the shop; `list` shows it behind the title.") var subtitle: String?
        @Option(parsing: .unconditional, help: "Amount, such as 13.49.") var amount: String?
        @Option(help: "Currency code, such as EUR.") var currency: String?
        @Option(help: "Date of the transaction, such as 2027-01-15 or yesterday.") var on: DayArgument?
        @Option(help: "expense or income.") var type: Transaction.Kind?
        @Option(help: "The other person; empty for none.") var person: String?
        @Option(help: "Category of the transaction.") var category: String?
        @Option(help: "Notes.") var notes: String?
        @Option(help: "Tags, separated by commas.") var tags: String?
        @Flag(inversion: .prefixedNo, help: "Whether it is recurring, for `list --recurring`.") var recurring: Bool?
        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws {
            let id = try session.transactionID(id)
            let other = try UnknownReference.naming("person") {
                try person.flatMap { $0.isEmpty ? nil : try session.personID($0) }
            }
            let saved = try session.store.transactions.change(id, at: session.moment) { transaction in
                transaction.title = title ?? transaction.title
                transaction.subtitle = subtitle ?? transaction.subtitle
                if amount != nil || currency != nil {
                    transaction.amount = try session.money(
                        amount ?? transaction.amount.decimal, currency ?? transaction.amount.currency.code)
                }
                transaction.bookedOn = on?.day(session.moment.today, towards: .last) ?? transaction.bookedOn
                transaction.kind = type ?? transaction.kind
                if person != nil { transaction.personID = other }
                transaction.category = category ?? transaction.category
                transaction.notes = notes ?? transaction.notes
                if let tags { transaction.tags = Transaction.tags(tags) }
                transaction.isRecurring = recurring ?? transaction.isRecurring
            }
            session.print(object: { $0.fields(saved) }, text: { saved.title })
        }
    }

    struct Delete: WriteCommand {
        static let configuration = CommandConfiguration(abstract: "Delete a transaction.")

        @Argument(help: "Title of the transaction, or the id.") var id: String
        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws {
            try session.delete(
                session.transactionID(id), { try session.store.transactions.load($0).title },
                by: session.store.transactions.delete)
        }
    }
}

extension Session {
    /// The amount, negative for an expense.
    fileprivate func signed(_ transaction: Transaction) -> String {
        (transaction.kind == .expense ? "-" : "+") + money(transaction.amount)
    }
}

extension JSONWriter {
    fileprivate mutating func fields(_ transaction: Transaction) {
        field("id", transaction.id.lowercased)
        field("title", transaction.title)
        field("subtitle", transaction.subtitle)
        money(transaction.amount)
        field("type", transaction.kind.rawValue)
        field("on", transaction.bookedOn.iso)
        field("person_id", transaction.personID?.lowercased)
        field("category", transaction.category)
        field("recurring", transaction.isRecurring)
        strings("tags", transaction.tags)
        field("notes", transaction.notes)
    }
}
