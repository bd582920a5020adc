public import Foundation
import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

extension DeviceStore.Transactions {
    /// Adds or changes a transaction.
    public func save(_ transaction: Transaction, at moment: Moment) throws {
        try store.write(at: moment, as: .transactionSaved) { try $0.save(transaction) }
    }

    /// Transactions of a range of days and of a person (nil for all), newest first.
    public func list(
        from first: CalendarDay = .earliest, through last: CalendarDay = .latest, with person: UUID? = nil
    ) throws -> [Transaction] {
        try store.read { session in
            try session.query(EntityTables.transactions.selectAll, [], EntityTables.transactions.read)
                .map(Transaction.init)
                .filter { $0.bookedOn >= first && $0.bookedOn <= last && (person == nil || $0.personID == person) }
                .sorted { ($1.bookedOn, $1.id.lowercased) < ($0.bookedOn, $0.id.lowercased) }
        }
    }

    /// Throws ``DeviceStoreError/notFound(_:id:)``.
    public func load(_ id: UUID) throws -> Transaction {
        try Transaction(store.row(id, of: EntityTables.transactions, .transaction))
    }

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

extension Transaction {
    init(_ row: EntityRow) throws {
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
