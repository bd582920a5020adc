import Foundation
import SubGuardDomain
import SubGuardEngine

extension Session {
    /// Finds a subscription by its id, or by the first 8 or more characters of it. Throws an error that lists the ids and
    /// names when several match: ids made in the same millisecond share their first 13 characters.
    func subscriptionID(_ text: String) throws -> UUID {
        if let id = Self.uuid(text) { return id }
        return try only(
            text, .subscription,
            try store.subscriptions.ids(beginning: text).map {
                .init(id: $0, name: try store.subscriptions.load($0).name)
            })
    }

    func personID(_ text: String) throws -> UUID {
        try id(text, .person) { try store.sharing.people().map { .init(id: $0.id, name: $0.name) } }
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
                .init(
                    id: standing.budget.id,
                    name: "\(standing.budget.category?.wire ?? "–") \(money(standing.budget.limit))")
            }
        }
    }
    func transactionID(_ text: String) throws -> UUID {
        try id(text, .transaction) { try store.transactions.list().map { .init(id: $0.id, name: $0.title) } }
    }

    func occurrenceID(_ text: String) throws -> OccurrenceID {
        if let id = OccurrenceID(wire: text) { return id }
        guard let colon = text.lastIndex(of: ":"), let day = CalendarDay(iso: String(text[text.index(after: colon)...]))
        else { throw DeviceStoreError.notFound(.occurrence, id: text) }
        return OccurrenceID(subscriptionID: try subscriptionID(String(text[..<colon])), billingOn: day)
    }

    /// Reads ids separated by commas.
    func personIDs(_ list: String) throws -> [UUID] { try list.split(separator: ",").map { try personID(String($0)) } }

    /// Reads `ID=value` pairs separated by commas, in order.
    func personValues(_ list: String, field: String) throws -> [(person: UUID, value: String)] {
        try list.split(separator: ",").map { part in
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2 else {
                throw DeviceStoreError.invalid(
                    Fault(field, .invalidFormat, "Must be ID=value, separated by commas.")
                )
            }
            return (try personID(String(pair[0])), String(pair[1]))
        }
    }

    static func uuid(_ text: String) -> UUID? { text.utf8.count == 36 ? UUID(uuidString: text) : nil }

    private func id(
        _ text: String, _ entity: DeviceStoreError.Entity, _ all: () throws -> [DeviceStoreError.Candidate]
    ) throws -> UUID {
        if let id = Self.uuid(text) { return id }
        let digits = Self.digits(text)
        return try only(text, entity, try all().filter { Self.digits($0.id.lowercased).hasPrefix(digits) })
    }

    /// The id without hyphens, which are optional.
    private static func digits(_ text: String) -> String { text.lowercased().filter { $0 != "-" } }

    private func only(
        _ text: String, _ entity: DeviceStoreError.Entity, _ found: [DeviceStoreError.Candidate]
    ) throws -> UUID {
        guard text.utf8.count >= 8, let first = found.first else {
            throw DeviceStoreError.notFound(entity, id: text)
        }
        guard found.count == 1 else {
            throw DeviceStoreError.ambiguous(entity, id: text, candidates: Array(found.prefix(10)))
        }
        return first.id
    }
}
