import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct PeopleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "people", abstract: "Manage the people you share costs with.",
        subcommands: [Add.self, List.self, Show.self, Edit.self, Delete.self, Photo.self], defaultSubcommand: List.self)

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Add a person and print the id.")

        @Argument(help: "Name of the person; the same as --name.") var person: String?
        @OptionGroup var fields: PersonOptions
        @OptionGroup var options: GlobalOptions

        func validate() throws {
            let name = fields.name
            try require(name != nil || person != nil, "Missing expected argument '--name'")
            try require(name == nil || person == nil, "give the name once")
        }

        func run() throws {
            guard let name = fields.name ?? person else { return }
            try Session.write(options) { session in
                var person = Person(id: session.store.makeID(session.moment), name: name, createdAt: session.moment.now)
                fields.edit(&person)
                try session.store.sharing.save(person, photo: try fields.avatar.photoBytes(), at: session.moment)
                let saved = try session.store.sharing.person(person.id)
                try session.print(object: { try $0.fields(saved, session) }, text: { person.id.lowercased })
            }
        }
    }

    struct List: ReadCommand {
        static let configuration = CommandConfiguration(abstract: "List people alphabetically.")

        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws {
            let photos = try session.store.sharing.photos()
            let stored = try session.store.sharing.people()
            // The owner is there before the first use of the word `me` makes them a person.
            let isMeStored = stored.contains { $0.id == Person.me }
            let me = Person(id: Person.me, name: Person.myName(session.language), createdAt: session.moment.now)
            let isShown = !isMeStored && (session.isJSON || !stored.isEmpty)
            session.print(
                isShown ? ([me] + stored).sorted { $0.name < $1.name } : stored,
                json: { $1.fields($0, photos[$0.id], isStored: isMeStored || $0.id != Person.me) },
                empty: "No people yet.",
                [.id { $0.id }, .text("") { $0.mark }, .text("name") { $0.name }, .text("email") { $0.email }])
        }
    }

    struct Show: ReadCommand {
        static let configuration = CommandConfiguration(abstract: "Show everything about a person.")

        @Argument(help: "Name of the person, or the id.") var id: String
        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws {
            let person = try session.store.sharing.person(try session.personID(id))
            let photo = try session.store.sharing.photos()[person.id]
            session.print(object: { $0.fields(person, photo) }) {
                var sheet = FactSheet(person.name)
                sheet.add("id", person.id.lowercased)
                if case .photo = person.avatar, let photo {
                    let kibibytes = "\((photo.byteCount + 1023) / 1024)"
                    sheet.add(session.text("avatar"), session.text("photo, \(photo.mediaType), \(kibibytes) KiB"))
                } else {
                    sheet.add(session.text("avatar"), person.mark)
                }
                sheet.add(session.text("colour"), person.color)
                sheet.add(session.text("email"), person.email)
                sheet.add(session.text("phone"), person.phone)
                sheet.add(session.text("notes"), person.notes)
                return sheet.text(session.style)
            }
        }
    }

    struct Edit: WriteCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change a person.", discussion: "`people edit me --name NAME` changes your own name.")

        @Argument(help: "Name of the person, or the id.") var id: String
        @OptionGroup var fields: PersonOptions
        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws {
            let saved = try session.store.sharing.changePerson(
                try session.personID(id), photo: try fields.avatar.photoBytes(), at: session.moment, fields.edit)
            try session.print(object: { try $0.fields(saved, session) }, text: { saved.name })
        }
    }

    struct Delete: WriteCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete a person and show what was theirs.",
            discussion: """
                The parts of the others stay as they are: you bear the person's parts of subscriptions, and expenses \
                keep their part and their name.
                """)

        @Argument(help: "Name of the person, or the id.") var id: String
        @Flag(help: "Also with an open balance.") var force = false
        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws {
            let id = try session.personID(id)
            let name = try session.names()[id] ?? id.lowercased
            let departed = try session.store.sharing.deletePerson(id, isForced: force, at: session.moment)
            session.print(departed, of: id, named: name, try session.names())
        }
    }
}

extension JSONWriter {
    fileprivate mutating func fields(_ person: Person, _ session: Session) throws {
        fields(person, try session.store.sharing.photos()[person.id])
    }

    fileprivate mutating func fields(_ person: Person, _ photo: PersonPhoto?, isStored: Bool = true) {
        field("id", person.id.lowercased)
        field("name", person.name)
        field("me", person.id == Person.me)
        field("email", person.email.isEmpty ? nil : person.email)
        field("phone", person.phone.isEmpty ? nil : person.phone)
        field("initials", person.initials)
        fields(avatar: person, photo)
        field("notes", person.notes)
        field("created_at", isStored ? person.createdAt.rfc3339 : nil)
    }
}

extension Session {
    /// Prints what was a deleted person's.
    fileprivate func print(_ departed: DepartedPerson, of id: UUID, named name: String, _ names: [UUID: String]) {
        print(
            object: { json in
                json.field("id", id.lowercased)
                json.field("deleted", true)
                json.array("shares", departed.parts) { json, part in
                    json.field("subscription_id", part.subscriptionID.lowercased)
                    json.field("name", part.name)
                    json.money(part.amount)
                }
                json.array("open", departed.open) { json, open in
                    json.field("from", open.from.lowercased)
                    json.field("to", open.to.lowercased)
                    json.money(open.amount)
                    json.field("since", open.since.iso)
                }
                json.array("balances", departed.balances) { json, balance in
                    json.field("group_id", balance.groupID.lowercased)
                    json.field("name", balance.name)
                    json.money(balance.amount)
                }
            },
            text: {
                let parts = departed.parts.map { text("\($0.name): \(money($0.amount)) was theirs, you pay it now") }
                let balances = departed.balances.map { balance in
                    let amount = balance.amount.magnitude
                    let said =
                        balance.amount.minorUnits > 0
                        ? text("\(balance.name): the group still owes them \(money(amount))")
                        : text("\(balance.name): they still owe the group \(money(amount))")
                    // The part that is between the two, as `balance` counts it.
                    guard let mine = balance.withOwner, mine.minorUnits != 0 else { return said }
                    let part = money(mine.magnitude)
                    return mine.minorUnits > 0
                        ? text("\(said); you owe them \(part) of the group")
                        : text("\(said); they owe you \(part) of the group")
                }
                let open = departed.open.map { open in
                    let (from, to) = (names[open.from] ?? "", names[open.to] ?? "")
                    let (amount, since) = (money(open.amount), day(open.since))
                    if open.to == Person.me { return text("\(from) owes you \(amount) since \(since)") }
                    return open.from == Person.me
                        ? text("you owe \(to) \(amount) since \(since)")
                        : text("\(from) owes \(to) \(amount) since \(since)")
                }
                return ([text("deleted \(name)")] + parts + open + balances).joined(separator: "\n")
            })
    }

    /// Names by id; deleted people are missing, as they bear no parts.
    func personNames() throws -> [UUID: String] {
        Dictionary(
            uniqueKeysWithValues: try store.sharing.people().map { person in
                (person.id, person.id == Person.me ? Person.myName(person.name, language) : person.name)
            })
    }
}

/// The flags of `people add` and `people edit`.
struct PersonOptions: ParsableArguments {
    @Option(help: "Name of the person.") var name: String?
    @Option(help: "Email address.") var email: String?
    @Option(help: "Phone number.") var phone: String?
    @Option(help: "Notes.") var notes: String?
    @OptionGroup var avatar: AvatarOptions

    /// Puts the given fields in the place of what the person has.
    func edit(_ person: inout Person) {
        person.name = name ?? person.name
        person.email = email ?? person.email
        person.phone = phone ?? person.phone
        person.notes = notes ?? person.notes
        avatar.edit(&person)
    }
}
