import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct GroupsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "groups", abstract: "Manage groups that share expenses.",
        subcommands: [Add.self, List.self, Show.self, Edit.self, Delete.self, Export.self, Import.self],
        defaultSubcommand: List.self)

    struct Add: WriteCommand {
        static let configuration = CommandConfiguration(abstract: "Add a group and print its id.")

        @Option(help: "Name of the group.") var name: String
        @Option(help: "Names of the members, separated by commas; the first one gets the cent that cannot be divided.")
        var members: String
        @Option(help: "Emoji for the group.") var emoji: String?
        @Option(help: "Description of the group.") var details: String?
        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws {
            var reader = ArgumentReader()
            try reader.name(session, name, field: "name")
            // In place of wrong members, any other.
            let people = try reader.people(session, members, field: "members") ?? [Person.me]
            var group = PersonGroup(
                id: session.store.makeID(session.moment), name: name, memberIDs: people,
                createdAt: session.moment.now)
            group.emoji = emoji ?? ""
            group.details = details ?? ""
            reader.check { () throws(FaultList) in _ = try group.validated() }
            try reader.finish()
            try session.store.sharing.save(group, at: session.moment)
            let saved = try session.store.sharing.group(group.id)
            try session.print(object: { try $0.fields(saved, session) }, text: { group.id.lowercased })
        }
    }

    struct List: ReadCommand {
        static let configuration = CommandConfiguration(
            abstract: "List groups alphabetically, with what each has spent.")

        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws {
            let names = try session.personNames()
            let totals = Dictionary(grouping: try session.store.sharing.expenses(), by: \.groupID).mapValues(\.totals)
            try session.print(
                try session.store.sharing.groups(), json: { try $1.fields($0, session) }, empty: "No groups yet.",
                [
                    .id { $0.id }, .text("name") { $0.title },
                    .text("members") { group in
                        group.members(on: session.moment.today).compactMap { names[$0] }.joined(separator: ", ")
                    },
                    .number("total") { session.money(totals[$0.id] ?? []) },
                ])
        }
    }

    struct Show: ReadCommand {
        static let configuration = CommandConfiguration(abstract: "Show everything about a group.")

        @Argument(help: "Name of the group, or the id.") var id: String
        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws {
            let group = try session.store.sharing.group(try session.groupID(id))
            let expenses = try session.store.sharing.expenses(of: group.id)
            let names = try session.names()
            let name = { (id: UUID) in names[id] ?? session.text("(deleted)") }
            try session.print(object: { try $0.fields(group, session) }) {
                var sheet = FactSheet(group.title)
                sheet.add("id", group.id.lowercased)
                sheet.add(
                    session.text("members"),
                    group.members(on: session.moment.today).map(name).joined(separator: ", "))
                for change in group.changes { sheet.add("", session.text(session.sentence(change, names))) }
                sheet.add(session.text("total"), session.money(expenses.totals))
                let count = expenses.count
                sheet.add(session.text("expenses"), count == 0 ? "" : "\(count)")
                sheet.add(session.text("details"), group.details)
                return sheet.text(session.style)
            }
        }
    }

    struct Edit: WriteCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change a group: its name, and who belongs to it.",
            discussion: """
                Expenses that are recorded keep their people; who left can still settle. With --from, people come and \
                go from that day on: an expense of an earlier day is shared by those who belonged to the group then.
                """)

        @Argument(help: "Name of the group, or the id.") var id: String
        @Option(help: "Name of the group.") var name: String?
        @Option(help: "People who join, separated by commas.") var add: String?
        @Option(help: "People who leave, separated by commas.") var remove: String?
        @Option(help: "First day with or without these people. Default: always.") var from: DayArgument?
        @Option(help: "Emoji for the group.") var emoji: String?
        @Option(help: "Description of the group.") var details: String?
        @OptionGroup var options: GlobalOptions

        func validate() throws {
            try require(from == nil || add != nil || remove != nil, "--from requires --add or --remove")
        }

        func run(_ session: Session) throws {
            let id = try session.groupID(id)
            let today = session.moment.today
            var reader = ArgumentReader()
            if let name { try reader.name(session, name, field: "name") }
            let leaving = try reader.people(session, remove ?? "", field: "remove") ?? []
            let joining = try reader.people(session, add ?? "", field: "add") ?? []
            try reader.finish()
            let saved = try session.store.sharing.changeGroup(id, at: session.moment) { group in
                group.name = name ?? group.name
                group.emoji = emoji ?? group.emoji
                group.details = details ?? group.details
                // Who has come or gone on a day before does so from today on.
                let isDated = group.changes.contains { joining.contains($0.personID) }
                if from != nil || isDated {
                    let day = from?.day(today, towards: .last) ?? today
                    try group.change(joining: joining, leaving: leaving, from: day)
                } else {
                    group.memberIDs.removeAll { leaving.contains($0) }
                    group.memberIDs += joining.filter { !group.memberIDs.contains($0) }
                }
            }
            try session.print(object: { try $0.fields(saved, session) }, text: { saved.name })
        }
    }

    struct Delete: WriteCommand {
        static let configuration = CommandConfiguration(abstract: "Delete a group and its expenses.")

        @Argument(help: "Name of the group, or its id.") var id: String
        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws {
            try session.delete(
                session.groupID(id), { try session.store.sharing.group($0).name },
                by: session.store.sharing.deleteGroup)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func fields(_ group: PersonGroup, _ session: Session) throws {
        field("id", group.id.lowercased)
        field("name", group.name)
        field("details", group.details)
        field("emoji", group.emoji)
        strings("members", group.members(on: session.moment.today).map(\.lowercased))
        array("membership", group.changes) { json, change in
            json.field("person", change.personID.lowercased)
            json.field("from", change.from.iso)
            json.field("member", change.isMember)
        }
        array("total", try session.store.sharing.expenses(of: group.id).totals) { $0.money($1) }
        field("created_at", group.createdAt.rfc3339)
    }
}

struct SettleCommand: ReadCommand {
    static let configuration = CommandConfiguration(
        commandName: "settle", abstract: "Show who should pay whom to settle a group, or to be quits with a person.",
        discussion: """
            Record a payment with `repay`, for a group with --group. What two people owe each other elsewhere is said: \
            settle the group or the person, not both.
            """)

    @Argument(help: "Name of the group or person, or the id.") var group: String
    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        let names = try session.names()
        let name = { (id: UUID) in names[id] ?? session.text("(deleted)") }
        let (transfers, settled) = try session.transfers(settling: group)
        let debts = try session.store.sharing.debts(at: session.moment)
        session.print(
            transfers,
            json: { transfer, json in
                json.field("from", transfer.0.from.lowercased)
                json.field("to", transfer.0.to.lowercased)
                json.money(transfer.1)
                json.field("from_name", names[transfer.0.from])
                json.field("to_name", names[transfer.0.to])
                let parts = debts.openParts(from: transfer.0.from, to: transfer.0.to)
                    .filter { $0.amount.currency == transfer.1.currency }
                json.array("parts", parts) { json, part in
                    json.field("group_id", part.groupID?.lowercased)
                    json.money(part.amount)
                }
            }, empty: "Everything is settled.",
            [
                .text("from") { name($0.0.from) }, .text("to") { name($0.0.to) },
                .number("amount") { session.money($0.1) },
            ])
        if !session.isJSON { try session.noteElsewhere(settled, transfers, debts) }
    }
}

/// What a settlement is of.
private enum Settled {
    case group(UUID)
    case person(UUID)
}

extension Session {
    /// The payments that settle a group, or everything that is open with a person.
    fileprivate func transfers(settling text: String) throws -> (transfers: [(Transfer, Money)], of: Settled) {
        let group: UUID
        do {
            group = try groupID(text)
            // A whole id may be of either kind.
            guard try store.sharing.groups().contains(where: { $0.id == group }) else {
                throw DeviceStoreError.notFound(.group, id: text)
            }
        } catch DeviceStoreError.notFound {
            let known = try Self.uuid(text).flatMap { id in try store.sharing.names()[id] == nil ? nil : id }
            guard let person = known ?? (Self.uuid(text) == nil ? try? personID(text) : nil) else {
                throw DeviceStoreError.notFound(.group, id: text)
            }
            // With oneself: everything that is open.
            let isMe = person == Person.me
            let open = try store.sharing.balances(at: moment).filter { isMe || $0.personID == person }
            let transfers = open.map { balance in
                let person = balance.personID
                let amount = balance.amount.magnitude
                let (from, to) = balance.amount.minorUnits > 0 ? (person, Person.me) : (Person.me, person)
                return (Transfer(from: from, to: to, minorUnits: amount.minorUnits), amount)
            }
            return (transfers, .person(person))
        }
        let transfers = try store.sharing.settlement(of: group).flatMap { part in
            part.transfers.map { ($0, Money(minorUnits: $0.minorUnits, currency: part.currency)) }
        }
        return (transfers, .group(group))
    }

    /// Says where else something is open between the same two people, so that nothing is paid twice.
    fileprivate func noteElsewhere(_ settled: Settled, _ transfers: [(Transfer, Money)], _ debts: [Debt]) throws {
        let (people, groups) = (try names(), try groupNames())
        switch settled {
        case .group(let group):
            for (transfer, amount) in transfers {
                if let elsewhere = elsewhere(transfer, in: amount.currency, of: group, debts, people) {
                    note(elsewhere)
                }
            }
        case .person(let person):
            guard person != Person.me else { return }
            let parts = debts.openParts(from: person, to: Person.me)
            let currencies = Set(parts.compactMap { $0.groupID == nil ? nil : $0.amount.currency })
            for part in parts where currencies.contains(part.amount.currency) {
                let said = arrow(part.amount, person, Person.me, people)
                guard let name = part.groupID.flatMap({ groups[$0] }) else {
                    note("of it outside of groups: \(said)")
                    continue
                }
                note("of it in the group \(name): \(said); `subguard settle \(ShellWord.quoted(name))` has it too")
            }
        }
    }
}
