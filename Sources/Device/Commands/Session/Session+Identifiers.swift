import DeviceWords
import Foundation
import SubGuardDomain
import SubGuardEngine

extension Session {
    /// Finds a subscription by its id, by the first 8 or more characters of it, or by its name: ignoring case and
    /// accents, the whole name or, if it is the only one, its beginning or that of a word in it. Throws an error that
    /// lists the ids and names when several match: ids made in the same millisecond share their first 13 characters.
    func subscriptionID(_ text: String) throws -> UUID {
        if let id = Self.uuid(text) { return id }
        if text.utf8.count >= 8 {
            let ids = try store.subscriptions.ids(beginning: text)
            if !ids.isEmpty {
                return try only(
                    text, .subscription, try ids.map { .init(id: $0, name: try store.subscriptions.load($0).name) })
            }
        }
        return try named(
            text, .subscription, try store.subscriptions.list(at: moment).map { .init(id: $0.id, name: $0.name) })
    }

    /// A person by id or name; `me` and `moi` are the owner, who becomes a person by the first use of the word.
    func personID(_ text: String) throws -> UUID {
        if ["me", "moi"].contains(TextFolding.fold(text)) {
            // A read-only store answers as well: nothing that is read needs the name.
            try? makeMe()
            return Person.me
        }
        return try id(text, .person) { try store.sharing.people().map { .init(id: $0.id, name: $0.name) } }
    }
    func groupID(_ text: String) throws -> UUID {
        try id(text, .group) { try store.sharing.groups().map { .init(id: $0.id, name: $0.name) } }
    }
    func expenseID(_ text: String) throws -> UUID {
        try id(text, .expense) { try store.sharing.expenses().map { .init(id: $0.id, name: $0.title) } }
    }
    func budgetID(_ text: String) throws -> UUID {
        try id(text, .budget) {
            try store.budgets.list(at: moment).map { standing in
                .init(id: standing.budget.id, name: name(standing.budget))
            }
        }
    }
    func transactionID(_ text: String) throws -> UUID {
        try id(text, .transaction) { try store.transactions.list().map { .init(id: $0.id, name: $0.title) } }
    }

    func receiptID(_ text: String) throws -> UUID {
        try id(text, .receipt) { try store.receipts.list().map { .init(id: $0.id, name: $0.name) } }
    }

    func occurrenceID(_ text: String) throws -> OccurrenceID {
        if let id = OccurrenceID(wire: text) { return id }
        if !text.contains(":") {
            do {
                return try openOccurrence(of: try subscriptionID(text))
            } catch DeviceStoreError.notFound {
                throw DeviceStoreError.notFound(.occurrence, id: text)
            }
        }
        guard let colon = text.lastIndex(of: ":"), let day = CalendarDay(iso: String(text[text.index(after: colon)...]))
        else { throw DeviceStoreError.notFound(.occurrence, id: text) }
        return OccurrenceID(subscriptionID: try subscriptionID(String(text[..<colon])), billingOn: day)
    }

    /// Reads ids of charges, each one once, in the order given.
    func occurrenceIDs(_ texts: [String]) throws -> [OccurrenceID] {
        var seen: Set<OccurrenceID> = []
        return try texts.map { try occurrenceID($0) }.filter { seen.insert($0).inserted }
    }

    /// The charges that are missed or pending, soonest first.
    func openOccurrences() throws -> [Occurrence] {
        try store.ledger.missed(at: moment).reversed() + store.ledger.pending(at: moment)
    }

    /// The charge that a subscription's name alone stands for: its only one that is missed or pending.
    private func openOccurrence(of id: UUID) throws -> OccurrenceID {
        let open = try openOccurrences().filter { $0.id.subscriptionID == id }
        guard let first = open.first else {
            throw Fault(
                "occurrence", .notFound, "Nothing to confirm. Name a charge with its day, as `upcoming` shows it.")
        }
        guard open.count == 1 else {
            throw DeviceStoreError.ambiguous(
                .occurrence, id: first.name,
                candidates: open.prefix(10).map { .init(id: id, name: "\($0.name):\($0.billingOn.iso)") })
        }
        return first.id
    }

    static func uuid(_ text: String) -> UUID? { text.utf8.count == 36 ? UUID(uuidString: text) : nil }

    private func id(
        _ text: String, _ entity: DeviceStoreError.Entity, _ all: () throws -> [DeviceStoreError.Candidate]
    ) throws -> UUID {
        if let id = Self.uuid(text) { return id }
        let (digits, all) = (Self.digits(text), try all())
        let found = text.utf8.count >= 8 ? all.filter { Self.digits($0.id.lowercased).hasPrefix(digits) } : []
        return found.isEmpty ? try named(text, entity, all) : try only(text, entity, found)
    }

    /// The only one with this name, or else the only one whose name begins so, or else one of whose words begins so.
    private func named(
        _ text: String, _ entity: DeviceStoreError.Entity, _ all: [DeviceStoreError.Candidate]
    ) throws -> UUID {
        let folded = TextFolding.fold(text)
        guard !folded.isEmpty else { throw DeviceStoreError.notFound(entity, id: text) }
        let names = all.map { (candidate: $0, name: TextFolding.fold($0.name)) }
        let ways: [(String) -> Bool] = [
            { $0 == folded }, { $0.hasPrefix(folded) }, { $0.contains(" " + folded) },
        ]
        let found = ways.lazy.map { way in names.filter { way($0.name) } }.first { !$0.isEmpty } ?? []
        return try only(text, entity, found.map(\.candidate))
    }

    /// The id without hyphens, which are optional.
    private static func digits(_ text: String) -> String { text.lowercased().filter { $0 != "-" } }

    private func only(
        _ text: String, _ entity: DeviceStoreError.Entity, _ found: [DeviceStoreError.Candidate]
    ) throws -> UUID {
        guard let first = found.first else {
            throw DeviceStoreError.notFound(entity, id: text)
        }
        guard found.count == 1 else {
            throw DeviceStoreError.ambiguous(entity, id: text, candidates: Array(found.prefix(10)))
        }
        return first.id
    }
}
