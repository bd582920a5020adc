public import Foundation
import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

extension DeviceStore.Receipts {
    /// Keeps a file as the receipt of an expense or a transaction. Its kind is decided by its bytes.
    ///
    /// Throws ``DeviceStoreError/notFound(_:id:)`` for an unknown owner, and ``DeviceStoreError/invalid(_:)`` for a
    /// file that is too large or of another kind, and beyond `Receipt.maximumPerOwner` or `Receipt.maximumTotal`.
    @discardableResult
    public func add(_ bytes: [UInt8], named name: String, to owner: Receipt.Owner, at moment: Moment) throws -> Receipt
    {
        try store.write(at: moment, as: .receiptAdded) { unit in
            let receipt = Receipt(
                id: store.makeID(moment), owner: owner, name: try Receipt.name(name),
                kind: try Receipt.kind(of: bytes), byteCount: bytes.count, createdAt: moment.now)
            try unit.requireOwner(owner)
            try unit.requireRoom(for: receipt)
            try unit.save(receipt, Data(bytes).base64EncodedString())
            return receipt
        }
    }

    /// The receipts of an expense or a transaction, or all; the oldest first.
    public func list(of owner: Receipt.Owner? = nil) throws -> [Receipt] {
        let sql = """
            SELECT id, expense_id, transaction_id, name, kind, size, created_at FROM receipts \
            WHERE ?1 IS NULL OR expense_id = ?1 OR transaction_id = ?1 ORDER BY created_at, id
            """
        return try store.read { session in
            try session.query(sql, [owner.map { .uuid($0.id) } ?? .null]) { row in
                let owner: Receipt.Owner = row.isNull(1) ? .transaction(try row.uuid(2)) : .expense(try row.uuid(1))
                guard let kind = Receipt.Kind(rawValue: try row.text(4)) else { throw SQLError.malformed("receipt") }
                return Receipt(
                    id: try row.uuid(0), owner: owner, name: try row.text(3), kind: kind,
                    byteCount: Int(try row.integer(5)),
                    createdAt: UTCInstant(millisecondsSinceEpoch: try row.integer(6)))
            }
        }
    }

    /// Throws ``DeviceStoreError/notFound(_:id:)``.
    public func load(_ id: UUID) throws -> Receipt {
        guard let receipt = try list().first(where: { $0.id == id }) else {
            throw DeviceStoreError.notFound(.receipt, id: id.lowercased)
        }
        return receipt
    }

    /// The file. Throws ``DeviceStoreError/notFound(_:id:)``.
    public func content(of id: UUID) throws -> [UInt8] {
        let sql = "SELECT content FROM receipts WHERE id = ?"
        let text = try store.read { try $0.first(sql, [.uuid(id)]) { try $0.text(0) } }
        guard let text else { throw DeviceStoreError.notFound(.receipt, id: id.lowercased) }
        guard let data = Data(base64Encoded: text) else { throw DeviceStoreError.storage("a receipt is damaged") }
        return Array(data)
    }

    /// Deletes a receipt. Throws ``DeviceStoreError/notFound(_:id:)``.
    public func delete(_ id: UUID, at moment: Moment) throws {
        try store.delete(id, from: EntityTables.receipts, .receipt, at: moment, as: .receiptDeleted)
    }
}

extension UnitOfWork {
    fileprivate func requireOwner(_ owner: Receipt.Owner) throws {
        let (table, entity) =
            switch owner {
            case .expense: (EntityTables.expenses, DeviceStoreError.Entity.expense)
            case .transaction: (EntityTables.transactions, .transaction)
            }
        guard try table.row([.uuid(owner.id)], in: session) != nil else {
            throw DeviceStoreError.notFound(entity, id: owner.id.lowercased)
        }
    }

    fileprivate func requireRoom(for receipt: Receipt) throws {
        let sql = """
            SELECT coalesce(sum(size), 0), coalesce(sum(?1 IN (expense_id, transaction_id)), 0) FROM receipts
            """
        let (total, own) =
            try session.first(sql, [.uuid(receipt.owner.id)]) { (Int(try $0.integer(0)), Int(try $0.integer(1))) }
            ?? (0, 0)
        guard own < Receipt.maximumPerOwner else {
            throw Fault("file", .outOfRange, "There are \(Receipt.maximumPerOwner) receipts already.")
        }
        guard total + receipt.byteCount <= Receipt.maximumTotal else {
            throw Fault(
                "file", .outOfRange, "All receipts together may have \(Receipt.maximumTotal / 1024 / 1024) MiB.")
        }
    }

    fileprivate func save(_ receipt: Receipt, _ content: String) throws {
        let owner: [SQLValue] =
            switch receipt.owner {
            case .expense(let id): [.uuid(id), .null]
            case .transaction(let id): [.null, .uuid(id)]
            }
        try EntityTables.receipts.save(
            [.uuid(receipt.id)],
            owner + [
                .text(receipt.name), .text(receipt.kind.rawValue), .count(receipt.byteCount), .text(content),
                .instant(receipt.createdAt),
            ], in: self)
    }

    /// Throws a fault when there are more receipts than can be added: two devices that merge may have so many together.
    func requireRoomForReceipts() throws {
        let crowded = """
            SELECT coalesce(e.title, t.title, ''), count(*) FROM receipts r \
            LEFT JOIN expenses e ON e.id = r.expense_id LEFT JOIN transactions t ON t.id = r.transaction_id \
            GROUP BY r.expense_id, r.transaction_id HAVING count(*) > ? ORDER BY count(*) DESC LIMIT 1
            """
        let owner = try session.first(crowded, [.count(Receipt.maximumPerOwner)]) {
            (title: try $0.text(0), count: Int(try $0.integer(1)))
        }
        if let owner {
            let (title, count, most) = (RefusedBooking.shown(owner.title), owner.count, Receipt.maximumPerOwner)
            throw Fault(
                "receipts", .outOfRange,
                "“\(title)” would have \(count) receipts, at most \(most): delete some on each device that has them.")
        }
        let total = try session.count("SELECT coalesce(sum(size), 0) FROM receipts")
        guard total <= Receipt.maximumTotal else {
            let (mebibytes, most) = ((total >> 20) + 1, Receipt.maximumTotal >> 20)
            throw Fault(
                "receipts", .outOfRange,
                "All receipts would have \(mebibytes) MiB, at most \(most): delete some on each device that has them.")
        }
    }

    /// Throws a fault when a receipt of a backup is none: another kind than it says, or too large.
    func requireSoundReceipts() throws {
        try session.forEach("SELECT name, kind, size, content FROM receipts", []) { row in
            let name = try row.text(0)
            guard try Receipt.name(name) == name else {
                throw Fault("name", .invalidFormat, "Must be the name of a file.")
            }
            guard let data = Data(base64Encoded: try row.text(3)) else {
                throw Fault("content", .invalidFormat, "Must be base64.")
            }
            let kind = try Receipt.kind(of: Array(data))
            guard kind.rawValue == (try row.text(1)), data.count == Int(try row.integer(2)) else {
                throw Fault("kind", .invalidFormat, "Must be that of the content.")
            }
        }
    }
}
