import ArgumentParser
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct TransactionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transactions", abstract: "Single payments and receipts beside the subscriptions.",
        subcommands: [Add.self, List.self, Delete.self])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Adds a transaction and prints its id.")

        @Option(help: "What it was.") var title: String
        @Option(parsing: .unconditional, help: "How much.") var amount: String
        @Option(help: "An ISO 4217 code, such as EUR.") var currency: String
        @Option(help: "The day.") var on: DayArgument
        @Option(help: "expense or income.") var type: Transaction.Kind
        @Option(help: "The id of the person it was with.") var person: String?
        @Option(help: "What kind it is.") var category: String?
        @Option(help: "Anything worth knowing.") var notes: String?
        @Option(help: "Tags, with commas between.") var tags: String?
        @Flag(help: "It comes again and again.") var recurring = false
        @OptionGroup var options: GlobalOptions

        func run() throws {
            try Session.write(options) { session in
                let amount: Money = try session.checked { () throws(Fault) in
                    try FieldRules.amount(self.amount, try FieldRules.currency(self.currency))
                }
                var transaction = Transaction(
                    id: session.store.makeID(session.moment), title: title, amount: amount, kind: type,
                    bookedOn: on.day, personID: try person.map { try session.personID($0) },
                    createdAt: session.moment.now)
                transaction.category = category ?? ""
                transaction.notes = notes ?? ""
                transaction.tags = (tags ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
                transaction.isRecurring = recurring
                try session.store.transactions.save(transaction, at: session.moment)
                session.print(object: { $0.fields(transaction) }, text: { transaction.id.lowercased })
            }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Transactions, latest first.")

        @Option(help: "The first day.") var from: DayArgument?
        @Option(help: "The last day.") var to: DayArgument?
        @Option(help: "Only with this person.") var person: String?
        @OptionGroup var options: GlobalOptions

        func run() throws {
            try Session.read(options) { session in
                let person = try person.map { try session.personID($0) }
                session.print(
                    try session.store.transactions.list(
                        from: from?.day ?? .earliest, through: to?.day ?? .latest, with: person),
                    json: { $1.fields($0) },
                    columns: [
                        ("id", .left), (session.text("day", "jour"), .left), (session.text("title", "titre"), .left),
                        (session.text("amount", "montant"), .right),
                    ], empty: session.text("No transaction yet.", "Aucune transaction encore.")
                ) { transaction in
                    let sign = transaction.kind == .expense ? "-" : "+"
                    return [
                        .init(transaction.id.lowercased, .grey), .init(session.day(transaction.bookedOn)),
                        .init(transaction.title),
                        .init(sign + session.money(transaction.amount), transaction.kind == .income ? .green : nil),
                    ]
                }
            }
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Deletes a transaction.")

        @Argument(help: "Its id, or the beginning of it.") var id: String
        @OptionGroup var options: GlobalOptions

        func run() throws {
            try Session.write(options) { session in
                let id = try session.transactionID(id)
                try session.store.transactions.delete(id, at: session.moment)
                session.print(deleted: id)
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func fields(_ transaction: Transaction) {
        field("id", transaction.id.lowercased)
        field("title", transaction.title)
        money(transaction.amount)
        field("type", transaction.kind.rawValue)
        field("on", transaction.bookedOn.iso)
        field("person_id", transaction.personID?.lowercased)
        field("category", transaction.category)
        field("recurring", transaction.isRecurring)
        key("tags")
        beginArray()
        for tag in transaction.tags { string(tag) }
        endArray()
        field("notes", transaction.notes)
    }
}
