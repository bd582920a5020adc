import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct ReceiptsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipts", abstract: "Keep receipts of expenses and transactions.",
        discussion: """
            JPEG, PNG, WebP and PDF files of at most 2 MiB, ten of each expense or transaction. They are in the \
            database and in every backup.
            """,
        subcommands: [Add.self, List.self, Save.self, Delete.self], defaultSubcommand: List.self)

    struct Add: WriteCommand {
        static let configuration = CommandConfiguration(abstract: "Add a receipt and print its id.")

        @Argument(help: "Title of the expense or transaction, or the id.") var owner: String
        @Argument(help: "The file.") var file: String
        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws {
            let owner = try session.receiptOwner(owner)
            let receipt = try session.store.receipts.add(
                try WholeFile.read(file, maximumBytes: 2 * Receipt.maximumBytes), named: file, to: owner,
                at: session.moment)
            session.print(object: { $0.fields(receipt) }, text: { receipt.id.lowercased })
        }
    }

    struct List: ReadCommand {
        static let configuration = CommandConfiguration(abstract: "List receipts, the oldest first.")

        @Argument(help: "Only those of this expense or transaction.") var owner: String?
        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws {
            session.print(
                try session.store.receipts.list(of: owner.map { try session.receiptOwner($0) }),
                json: { $1.fields($0) }, empty: "No receipts yet.",
                [
                    .id { $0.id }, .text("name") { $0.name }, .number("size") { "\(($0.byteCount + 1023) / 1024) KiB" },
                    .text("date") { session.day(session.moment.time.day(at: $0.createdAt)) },
                ])
        }
    }

    struct Save: ReadCommand {
        static let configuration = CommandConfiguration(abstract: "Write a receipt to a file.")

        @Argument(help: "Name of the receipt, or the id.") var id: String
        @Argument(help: "A file that does not exist yet.") var file: String
        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws {
            let bytes = try session.store.receipts.content(of: try session.receiptID(id))
            try WholeFile.create(bytes, at: file)
            session.print(object: { $0.field("bytes", bytes.count) }, text: { "" })
        }
    }

    struct Delete: WriteCommand {
        static let configuration = CommandConfiguration(abstract: "Delete a receipt.")

        @Argument(help: "Name of the receipt, or the id.") var id: String
        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws {
            try session.delete(
                session.receiptID(id),
                { id in try session.store.receipts.list().first { $0.id == id }?.name ?? id.lowercased },
                by: session.store.receipts.delete)
        }
    }
}

extension Session {
    fileprivate func receiptOwner(_ text: String) throws -> Receipt.Owner {
        do {
            return .expense(try expenseID(text))
        } catch DeviceStoreError.notFound {
            return .transaction(try transactionID(text))
        }
    }
}

extension JSONWriter {
    fileprivate mutating func fields(_ receipt: Receipt) {
        field("id", receipt.id.lowercased)
        switch receipt.owner {
        case .expense(let id): field("expense_id", id.lowercased)
        case .transaction(let id): field("transaction_id", id.lowercased)
        }
        field("name", receipt.name)
        field("kind", receipt.kind.rawValue)
        field("bytes", receipt.byteCount)
        field("created_at", receipt.createdAt.rfc3339)
    }
}
