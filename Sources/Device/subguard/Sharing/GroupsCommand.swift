import ArgumentParser
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct GroupsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "groups", abstract: "Groups that share expenses.", subcommands: [Add.self, List.self, Delete.self])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Adds a group and prints its id.")

        @Option(help: "What it is called.") var name: String
        @Option(help: "Ids of people, with commas between.") var members: String
        @Option(help: "An emoji that stands for it.") var emoji: String?
        @Option(help: "What it is for.") var details: String?
        @OptionGroup var options: GlobalOptions

        func run() throws {
            try Session.write(options) { session in
                var group = PersonGroup(
                    id: session.store.makeID(session.moment), name: name, memberIDs: try session.personIDs(members),
                    createdAt: session.moment.now)
                group.emoji = emoji ?? ""
                group.details = details ?? ""
                try session.store.sharing.save(group, at: session.moment)
                let saved = try session.store.sharing.group(group.id)
                session.print(object: { $0.fields(saved) }, text: { group.id.lowercased })
            }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Groups by name.")

        @OptionGroup var options: GlobalOptions

        func run() throws {
            try Session.read(options) { session in
                let names = try session.personNames()
                session.print(
                    try session.store.sharing.groups(), json: { $1.fields($0) },
                    columns: [
                        ("id", .left), (session.text("name", "nom"), .left),
                        (session.text("members", "membres"), .left),
                    ], empty: session.text("No group yet.", "Aucun groupe encore.")
                ) { group in
                    [
                        .init(group.id.lowercased, .grey),
                        .init("\(group.emoji) \(group.name)".trimmingCharacters(in: .whitespaces)),
                        .init(group.memberIDs.compactMap { names[$0] }.joined(separator: ", ")),
                    ]
                }
            }
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Deletes a group with its expenses.")

        @Argument(help: "Its id, or the beginning of it.") var id: String
        @OptionGroup var options: GlobalOptions

        func run() throws {
            try Session.write(options) { session in
                let id = try session.groupID(id)
                try session.store.sharing.deleteGroup(id, at: session.moment)
                session.print(deleted: id)
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func fields(_ group: PersonGroup) {
        field("id", group.id.lowercased)
        field("name", group.name)
        field("details", group.details)
        field("emoji", group.emoji)
        key("members")
        beginArray()
        for member in group.memberIDs { string(member.lowercased) }
        endArray()
        field("created_at", group.createdAt.rfc3339)
    }
}

struct SettleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settle", abstract: "The fewest transfers that settle a group.")

    @Argument(help: "The group's id, or the beginning of it.") var group: String
    @OptionGroup var options: GlobalOptions

    func run() throws {
        try Session.read(options) { session in
            let names = try session.personNames()
            let name = { (id: UUID) in names[id] ?? session.text("(deleted)", "(supprimé)") }
            let transfers = try session.store.sharing.settlement(of: try session.groupID(group)).flatMap { part in
                part.transfers.map { ($0, Money(minorUnits: $0.minorUnits, currency: part.currency)) }
            }
            session.print(
                transfers,
                json: { transfer, json in
                    json.field("from", transfer.0.from.lowercased)
                    json.field("to", transfer.0.to.lowercased)
                    json.money(transfer.1)
                    json.field("from_name", names[transfer.0.from])
                    json.field("to_name", names[transfer.0.to])
                },
                columns: [
                    (session.text("from", "de"), .left), (session.text("to", "à"), .left),
                    (session.text("amount", "montant"), .right),
                ], empty: session.text("All is settled.", "Tout est réglé.")
            ) { [.init(name($0.0.from)), .init(name($0.0.to)), .init(session.money($0.1))] }
        }
    }
}
