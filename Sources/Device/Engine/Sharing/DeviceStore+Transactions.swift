public import Foundation
package import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

extension DeviceStore.Transactions {
    /// Adds a transaction, or replaces one as a whole.
    public func save(_ transaction: Transaction, at moment: Moment) throws {
        try store.write(at: moment, as: .transactionSaved) { try $0.save(transaction) }
    }

    /// Changes a transaction as it is at that time: what others changed meanwhile stays. Returns what is stored. Throws
    /// ``DeviceStoreError/notFound(_:id:)``.
    @discardableResult
    public func change(
        _ id: UUID, at moment: Moment, _ body: (inout Transaction) throws -> Void
    ) throws -> Transaction {
        try store.change(id, at: moment) { transaction, _ in try body(&transaction) }
    }

    /// Transactions of a range of days and of a person (nil for all), newest first.
    public func list(
        from first: CalendarDay = .earliest, through last: CalendarDay = .latest, with person: UUID? = nil
    ) throws -> [Transaction] {
        try store.read { session in
            try Transaction.all(in: session)
                .filter { $0.bookedOn >= first && $0.bookedOn <= last && (person == nil || $0.personID == person) }
                .sorted { ($1.bookedOn, $1.id) < ($0.bookedOn, $0.id) }
        }
    }

    /// Throws ``DeviceStoreError/notFound(_:id:)``.
    public func load(_ id: UUID) throws -> Transaction { try store.read { try Transaction.load(id, in: $0) } }

    /// Deletes a payment. Throws ``DeviceStoreError/notFound(_:id:)``.
    public func delete(_ id: UUID, at moment: Moment) throws {
        try store.delete(id, from: EntityTables.transactions, .transaction, at: moment, as: .transactionDeleted)
    }
}

extension UnitOfWork {
    func save(_ transaction: Transaction) throws {
        let transaction = try transaction.validated()
        if let person = transaction.personID { try requirePeople([person]) }
        try EntityTables.transactions.save(
            [.uuid(transaction.id)],
            [
                .text(transaction.title), .text(transaction.subtitle), .integer(transaction.amount.minorUnits),
                .text(transaction.amount.currency.code), .text(transaction.kind.rawValue), .day(transaction.bookedOn),
                .text(transaction.category), .flag(transaction.isRecurring),
                .text(transaction.tags.joined(separator: ",")), .text(transaction.notes),
                .text(transaction.receiptPath), .uuid(orNull: transaction.personID), .instant(transaction.createdAt),
            ], in: self)
    }
}

extension Transaction: StoredRecord {
    package static var entity: DeviceStoreError.Entity { .transaction }
    package static var saving: JournalKind { .transactionSaved }
    package static var table: EntityTable { EntityTables.transactions }

    package func save(in unit: UnitOfWork) throws { try unit.save(self) }

    package init(_ row: EntityRow, in session: any SQLSession) throws {
        var key = ValueReader(row.key)
        var values = ValueReader(row.values)
        let title = try values.text()
        let subtitle = try values.text()
        let amount = try values.money()
        guard let kind = Kind(rawValue: try values.text()) else { throw SQLError.malformed("kind") }
        self.init(
            id: try key.uuid(), title: title, amount: amount, kind: kind, bookedOn: try values.day(), personID: nil,
            createdAt: UTCInstant(millisecondsSinceEpoch: 0))
        self.subtitle = subtitle
        category = try values.text()
        isRecurring = try values.flag()
        tags = try values.text().split(separator: ",").map(String.init)
        notes = try values.text()
        receiptPath = try values.text()
        personID = try values.optionalUUID()
        createdAt = try values.instant()
    }
}
