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
            for var transaction in try Transaction.all(in: unit.session) where transaction.personID == id {
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
    package static var table: EntityTable { EntityTables.people }

    package func save(in unit: UnitOfWork) throws { try unit.save(self) }

    package init(_ row: EntityRow, in session: any SQLSession) throws {
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

/// What was a deleted person's.
public struct DepartedPerson: Sendable, Hashable {
    /// A part of a subscription, at today's price.
    public struct Part: Sendable, Hashable {
        /// The subscription that is shared with them.
        public var subscriptionID: UUID
        /// The name of the subscription.
        public var name: String
        /// Their part of the price of one charge; never 0.
        public var amount: Money
    }

    /// An open balance in a group.
    public struct Balance: Sendable, Hashable {
        /// The group with the open balance.
        public var groupID: UUID
        /// The name of the group.
        public var name: String
        /// Positive when the group owes them, negative when they owe.
        public var amount: Money
        /// What of the group is open between them and the owner, positive when the owner owes; nil when nothing is.
        public var withOwner: Money?
    }

    /// What is open between them and one other person, outside of groups.
    public struct Open: Sendable, Hashable {
        /// The person who owes.
        public var from: UUID
        /// The person who is owed.
        public var to: UUID
        /// How much is owed; positive.
        public var amount: Money
        /// The day since which it has been open in this direction.
        public var since: CalendarDay
    }

    /// Sorted by name.
    public var parts: [Part] = []
    /// Who still has to give money to whom; sorted by person and currency.
    public var open: [Open] = []
    /// Sorted by name and currency.
    public var balances: [Balance] = []

    init(_ person: UUID, _ session: any SQLSession, today: CalendarDay) throws {
        let shared = try session.query(
            """
            SELECT id FROM subscriptions WHERE num IN (SELECT subscription FROM shares WHERE parts LIKE ?1 \
            UNION SELECT subscription FROM share_periods WHERE parts LIKE ?1 AND is_removed = 0)
            """,
            [.text("%\(person.lowercased)%")]
        ) { try $0.uuid(0) }
        for id in shared {
            guard let share = try SharePlan(id, session, today: today).current else { continue }
            let subscription = try SubscriptionTable(session).load(id)
            let price = subscription.price(on: today)
            // Fixed parts that exceed the price are undefined.
            guard !share.exceeds(price),
                let part = try share.parts(of: price).others.first(where: { $0.personID == person }),
                part.minorUnits != 0
            else { continue }
            parts.append(
                Part(
                    subscriptionID: id, name: subscription.name,
                    amount: Money(minorUnits: part.minorUnits, currency: price.currency)))
        }
        parts.sort { ($0.name, $0.subscriptionID) < ($1.name, $1.subscriptionID) }
        let debts = try DebtReader(session: session, today: today).all()
        let mine = debts.openParts(from: Person.me, to: person)
        let direct = debts.filter { $0.groupID == nil }
        open = direct.balances(of: person).map { balance in
            // Positive when the other one owes.
            let isOwed = balance.amount.minorUnits > 0
            let (from, to) = isOwed ? (balance.personID, person) : (person, balance.personID)
            return Open(from: from, to: to, amount: balance.amount.magnitude, since: balance.since)
        }
        var groups: [UUID: [Currency: Balances]] = [:]
        for expense in try GroupExpense.all(in: session) where !expense.isSettled {
            groups[expense.groupID, default: [:]][expense.amount.currency, default: Balances()]
                .add(paid: expense.payers, parts: try expense.split.parts(of: expense.amount))
        }
        for repayment in try Repayment.all(in: session) {
            guard let group = repayment.groupID else { continue }
            groups[group, default: [:]][repayment.amount.currency, default: Balances()].add(
                Transfer(from: repayment.from, to: repayment.to, minorUnits: repayment.amount.minorUnits))
        }
        for (group, currencies) in groups {
            let name = try PersonGroup.load(group, in: session).name
            for (currency, balance) in currencies {
                guard let minorUnits = balance.minorUnits[person], minorUnits != 0 else { continue }
                balances.append(
                    Balance(
                        groupID: group, name: name, amount: Money(minorUnits: minorUnits, currency: currency),
                        withOwner: mine.first { $0.groupID == group && $0.amount.currency == currency }?.amount))
            }
        }
        balances.sort {
            ($0.name, $0.groupID, $0.amount.currency.code)
                < ($1.name, $1.groupID, $1.amount.currency.code)
        }
    }
}
