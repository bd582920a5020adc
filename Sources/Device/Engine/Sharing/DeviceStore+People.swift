public import Foundation
package import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

extension DeviceStore.Sharing {
    /// Adds a person, or replaces one as a whole. With another avatar than a photo, a stored one is removed. A `photo`,
    /// which is a PNG, JPEG or WebP file, becomes the avatar; nil keeps what is stored.
    public func save(_ person: Person, photo: [UInt8]? = nil, at moment: Moment) throws {
        try store.write(at: moment, as: .personSaved) { unit in
            var person = person
            if photo != nil { person.avatar = .photo }
            try unit.save(person)
            if let photo { try unit.save(photo: photo, of: person.id) }
        }
    }

    /// Changes a person as they are at that time: what others changed meanwhile stays. Returns what is stored. Throws
    /// ``DeviceStoreError/notFound(_:id:)``. A `photo` is taken as in ``save(_:photo:at:)``.
    @discardableResult
    public func changePerson(
        _ id: UUID, photo: [UInt8]? = nil, at moment: Moment, _ body: (inout Person) throws -> Void = { _ in }
    ) throws -> Person {
        try store.change(id, as: photo == nil ? .personSaved : .photoSet, at: moment) { person, unit in
            try body(&person)
            guard let photo else { return }
            try unit.save(photo: photo, of: id)
            person.avatar = .photo
        }
    }

    /// Sorted by name.
    public func people() throws -> [Person] { try store.read { try SharingReader($0).people() } }

    /// Throws ``DeviceStoreError/notFound(_:id:)``.
    public func person(_ id: UUID) throws -> Person { try store.read { try Person.load(id, in: $0) } }

    /// What would become the owner's with ``deletePerson(_:isForced:at:)``, and what would stay open in groups. Changes
    /// nothing.
    public func departure(of id: UUID, at moment: Moment) throws -> DepartedPerson {
        try store.read(at: moment) { try DepartedPerson(id, $0, today: moment.today) }
    }

    /// Deletes a person with their memberships. Shares and expenses keep the id, so that the parts of the others and
    /// the balances stay as they are; transactions have the name as their subtitle, if they have none.
    ///
    /// Returns what was theirs: the owner bears their parts of subscriptions from now on. Their name is kept for the
    /// past.
    ///
    /// Refuses a person with an open balance, unless `isForced`.
    @discardableResult
    public func deletePerson(_ id: UUID, isForced: Bool = false, at moment: Moment) throws -> DepartedPerson {
        try store.write(at: moment, as: .personDeleted) { unit in
            guard id != Person.me else { throw Fault("id", .builtIn, "You cannot be deleted.") }
            let person = try Person.load(id, in: unit.session)
            let departed = try DepartedPerson(id, unit.session, today: moment.today)
            let open = try DebtReader(session: unit.session, today: moment.today).all().balances(of: id)
            guard isForced || open.isEmpty else {
                throw Fault(
                    "", .conflict, "The balance is not settled; see `balance`. To delete anyway: --force.")
            }
            // The database drops the link; the name stays, as in expenses.
            for row in try unit.session.query(EntityTables.transactions.selectAll, [], EntityTables.transactions.read) {
                var transaction = try Transaction(row)
                guard transaction.personID == id else { continue }
                transaction.personID = nil
                if transaction.subtitle.isEmpty { transaction.subtitle = person.name }
                try unit.save(transaction)
            }
            try EntityTables.formerPeople.save([.uuid(id)], [.text(person.name), .day(moment.today)], in: unit)
            guard try unit.session.execute(EntityTables.people.deleteSQL, [.uuid(id)]) > 0 else {
                throw DeviceStoreError.notFound(.person, id: id.lowercased)
            }
            return departed
        }
    }
}

extension UnitOfWork {
    func save(_ person: Person) throws {
        let person = try person.validated()
        try EntityTables.people.save(
            [.uuid(person.id)],
            [
                .text(person.name), .text(person.email), .text(person.phone), .text(person.avatar.kind),
                .text(person.avatar.value),
                .text(person.notes), .instant(person.createdAt), .text(person.color),
            ], in: self)
        if person.avatar != .photo { try removePhoto(of: person.id) }
    }

    func requirePeople(_ ids: some Sequence<UUID>) throws {
        for id in ids { _ = try Person.load(id, in: session) }
    }
}

extension Person: StoredRecord {
    package static var entity: DeviceStoreError.Entity { .person }
    package static var saving: JournalKind { .personSaved }

    package static func find(_ id: UUID, in session: any SQLSession) throws -> Person? {
        try EntityTables.people.row([.uuid(id)], in: session).map(Person.init)
    }

    package func save(in unit: UnitOfWork) throws { try unit.save(self) }

    init(_ row: EntityRow) throws {
        var key = ValueReader(row.key)
        var values = ValueReader(row.values)
        self.init(id: try key.uuid(), name: try values.text(), createdAt: UTCInstant(millisecondsSinceEpoch: 0))
        email = try values.text()
        phone = try values.text()
        avatar = Avatar(kind: try values.text(), value: try values.text()) ?? .initials("")
        notes = try values.text()
        createdAt = try values.instant()
        color = try values.text()
    }
}

extension Person.Avatar {
    /// Nil for an unknown kind, and for a value that breaks the rules of its kind.
    init?(kind: String, value: String) {
        switch kind {
        // The number of a colour, which initials had once.
        case "initials": self = .initials(Int(value) == nil ? value : "")
        case "emoji":
            guard let emoji = try? FieldRules.emoji(value, field: "emoji") else { return nil }
            self = .emoji(emoji)
        // Once with the path of a file.
        case "photo": self = .photo
        default: return nil
        }
    }

    var kind: String {
        switch self {
        case .initials: "initials"
        case .emoji: "emoji"
        case .photo: "photo"
        }
    }

    var value: String {
        switch self {
        case .initials(let letters): letters.isEmpty ? "0" : letters
        case .emoji(let emoji): emoji
        case .photo: ""
        }
    }
}
