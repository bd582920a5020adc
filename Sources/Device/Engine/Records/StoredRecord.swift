package import Foundation
package import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// What is stored, added and changed as a whole: people, groups, their expenses, repayments, single payments.
package protocol StoredRecord {
    static var entity: DeviceStoreError.Entity { get }
    /// What the journal calls it when one was added or changed.
    static var saving: JournalKind { get }

    var id: UUID { get }

    /// Whose rows begin with its id.
    static var table: EntityTable { get }

    init(_ row: EntityRow, in session: any SQLSession) throws
    /// Writes it after the rules of its kind were checked.
    func save(in unit: UnitOfWork) throws
}

extension StoredRecord {
    static func find(_ id: UUID, in session: any SQLSession) throws -> Self? {
        try table.row([.uuid(id)], in: session).map { try Self($0, in: session) }
    }

    /// All of them, in the order of the table.
    static func all(in session: any SQLSession) throws -> [Self] {
        try session.query(table.selectAll, [], table.read).map { try Self($0, in: session) }
    }

    /// Throws ``DeviceStoreError/notFound(_:id:)``.
    static func load(_ id: UUID, in session: any SQLSession) throws -> Self {
        guard let found = try find(id, in: session) else {
            throw DeviceStoreError.notFound(entity, id: id.lowercased)
        }
        return found
    }

    /// Writes one that is not there yet.
    func add(in unit: UnitOfWork) throws {
        guard try Self.find(id, in: unit.session) == nil else {
            throw DeviceStoreError.duplicate(Self.entity, id: id.lowercased)
        }
        try save(in: unit)
    }
}

extension DeviceStore {
    /// Adds one. Throws ``DeviceStoreError/duplicate(_:id:)`` for an id that is there.
    package func add(_ record: some StoredRecord, at moment: Moment) throws {
        try write(at: moment, as: type(of: record).saving) { try record.add(in: $0) }
    }

    /// Changes one as it stands at that time, so that nothing is lost that others have changed since it was read.
    /// Returns what is stored. Throws ``DeviceStoreError/notFound(_:id:)`` for one that was deleted.
    @discardableResult
    func change<Record: StoredRecord>(
        _ id: UUID, as kind: JournalKind = Record.saving, at moment: Moment,
        _ body: (inout Record, UnitOfWork) throws -> Void
    ) throws -> Record {
        try write(at: moment, as: kind) { unit in
            var record = try Record.load(id, in: unit.session)
            try body(&record, unit)
            try record.save(in: unit)
            return try Record.load(id, in: unit.session)
        }
    }
}
