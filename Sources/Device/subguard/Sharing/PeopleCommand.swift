import ArgumentParser
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct PeopleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "people", abstract: "People with whom costs are shared.",
        subcommands: [Add.self, List.self, Delete.self])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Adds a person and prints the id.")

        @Option(help: "What they are called.") var name: String
        @Option(help: "Their mail address.") var email: String?
        @Option(help: "Their telephone number.") var phone: String?
        @Option(help: "Anything worth knowing.") var notes: String?
        @Option(help: "An emoji that stands for them.") var emoji: String?
        @OptionGroup var options: GlobalOptions

        func run() throws {
            try Session.write(options) { session in
                var person = Person(
                    id: session.store.makeID(session.moment), name: name, createdAt: session.moment.now)
                person.email = email ?? ""
                person.phone = phone ?? ""
                person.notes = notes ?? ""
                if let emoji { person.avatar = .emoji(emoji) }
                try session.store.sharing.save(person, at: session.moment)
                let saved = try session.store.sharing.person(person.id)
                session.print(object: { $0.fields(saved) }, text: { person.id.lowercased })
            }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "People by name.")

        @OptionGroup var options: GlobalOptions

        func run() throws {
            try Session.read(options) { session in
                session.print(
                    try session.store.sharing.people(), json: { $1.fields($0) },
                    columns: [("id", .left), (session.text("name", "nom"), .left), ("e-mail", .left)],
                    empty: session.text("Nobody yet.", "Personne encore.")
                ) { [.init($0.id.lowercased, .grey), .init($0.name), .init($0.email)] }
            }
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Deletes a person; expenses keep their parts without a name.")

        @Argument(help: "Their id, or the beginning of it.") var id: String
        @OptionGroup var options: GlobalOptions

        func run() throws {
            try Session.write(options) { session in
                let id = try session.personID(id)
                try session.store.sharing.deletePerson(id, at: session.moment)
                session.print(deleted: id)
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func fields(_ person: Person) {
        field("id", person.id.lowercased)
        field("name", person.name)
        field("email", person.email.isEmpty ? nil : person.email)
        field("phone", person.phone.isEmpty ? nil : person.phone)
        field("initials", person.initials)
        field("notes", person.notes)
        field("created_at", person.createdAt.rfc3339)
    }
}

extension Session {
    /// Names by id; those who are gone have none.
    func personNames() throws -> [UUID: String] {
        Dictionary(uniqueKeysWithValues: try store.sharing.people().map { ($0.id, $0.name) })
    }
}
