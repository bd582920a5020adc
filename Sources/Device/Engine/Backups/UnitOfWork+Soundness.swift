import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

extension UnitOfWork {
    /// Validates all data with the rules of the domain. The error names the table, the row and the field.
    func requireSound() throws {
        let subscriptions = EntityTables.subscriptions
        try requireSound(subscriptions) { _ = try Subscription($0).validated() }
        for (_, subscription) in try self.subscriptions.all() {
            try Self.named(subscriptions, subscription.name) { _ = try subscription.validated() }
        }
        try requireSound(EntityTables.people) { _ = try Person($0, in: session).validated() }
        try requireSound(EntityTables.groups) { row in
            // Merging can leave a group without members.
            _ = try PersonGroup(row, in: session).validated(mayBeEmpty: true)
        }
        try requireSound(EntityTables.expenses) { row in
            let expense = try GroupExpense(row, in: session)
            // Membership is not checked: the group merges separately.
            _ = try expense.validated(members: Set(expense.payers.map(\.personID) + expense.split.people))
        }
        try requireSound(EntityTables.transactions) { _ = try Transaction($0, in: session).validated() }
        try requireRoomForReceipts()
        try requireRoomForPhotos()
        try Self.named(EntityTables.receipts, "") { try requireSoundReceipts() }
        try Self.named(EntityTables.personPhotos, "") { try requireSoundPhotos() }
        try Self.named(EntityTables.budgets, "") {
            for budget in try DeviceStore.Budgets.all(session) {
                _ = try FieldRules.positive(budget.limit, field: "limit")
            }
        }
        for table in [EntityTables.shares, EntityTables.sharePeriods] {
            try requireSound(table) { row in
                var values = ValueReader(row.values)
                let split = try PersonAmountText.split(try values.text(), try values.text())
                if let notes = table.columns.firstIndex(where: { $0.name == "notes" }),
                    case .text(let text) = row.values[notes]
                {
                    _ = try FieldRules.note(text, field: "notes")
                }
                // A period without a share names no person.
                guard !split.people.isEmpty || !split.weights.isEmpty else { return }
                try SubscriptionShare(subscriptionID: UUID(), split: split).requireShape()
            }
        }
        try requireSound(EntityTables.repayments) { _ = try Repayment($0, in: session).validated() }
        try requireSound(EntityTables.ownRates) { row in
            var (key, values) = (ValueReader(row.key), ValueReader(row.values))
            guard Currency(code: try key.text()) != nil else { throw SQLError.malformed("currency") }
            guard ExchangeRate(try values.text()) != nil else { throw SQLError.malformed("rate") }
        }
        for table in [EntityTables.withdrawals, EntityTables.additions] {
            try requireSound(table) { row in
                guard case .text(let name) = row.key[0], EntityTables.named(name)?.isWithdrawable ?? false else {
                    throw SQLError.malformed("entity")
                }
            }
        }
        _ = try withdrawnRows()
        try requireSound(EntityTables.formerPeople) { row in
            var values = ValueReader(row.values)
            _ = try FieldRules.name(try values.text(), field: "name")
        }
        let badPaid = "SELECT 1 FROM ledger WHERE paid NOT BETWEEN 0 AND ? LIMIT 1"
        if try session.first(badPaid, [.integer(FieldRules.maximumMinorUnits)], { _ in true }) != nil {
            throw BackupDocument.damaged("table ledger, paid: The amount is out of range.")
        }
        if let table = try session.first("PRAGMA foreign_key_check", [], { try $0.text(0) }) {
            throw BackupDocument.damaged("table \(table) refers to a missing row")
        }
    }

    private func requireSound(_ table: EntityTable, _ check: (EntityRow) throws -> Void) throws {
        let name = table.columns.firstIndex { $0.name == "name" || $0.name == "title" }
        for row in try session.query(table.selectAll, [], table.read) {
            var text = ""
            if let name, case .text(let named) = row.values[name] { text = named }
            try Self.named(table, text) { try check(row) }
        }
    }

    /// Says in which row something is wrong.
    private static func named(_ table: EntityTable, _ name: String, _ body: () throws -> Void) throws {
        // What breaks a rule may be the length of the name.
        let row = name.isEmpty ? "" : ", “\(RefusedBooking.shown(name))”"
        do {
            try body()
        } catch let error as Fault {
            throw BackupDocument.damaged("table \(table.name)\(row), \(error.pointer): \(error.detail)")
        } catch let errors as FaultList {
            let fault = errors.first.map { "\($0.pointer): \($0.detail)" } ?? ""
            throw BackupDocument.damaged("table \(table.name)\(row), \(fault)")
        } catch let error as SQLError {
            throw BackupDocument.damaged("table \(table.name)\(row): \(error.context)")
        }
    }
}

extension UnitOfWork {
    /// Two devices can each put one of two subscriptions into the other. Neither would ever be counted, so of those
    /// that include each other the one that was put into another last is by itself again. So is one of a chain with
    /// more than ``SubscriptionTable/mostBundles`` levels. Returns their ids.
    ///
    /// The time of the edit stays as it is: every device decides alike, and the edit holds again where nothing makes a
    /// circle or too long a chain of it.
    func openCircles() throws -> Set<UUID> {
        let table = EntityTables.subscriptions
        let bundled = table.selectAll.replacing(" ORDER BY ", with: " WHERE bundled_in IS NOT NULL ORDER BY ")
        var outer: [UUID: UUID] = [:]
        var edited: [UUID: String] = [:]
        for row in try session.query(bundled, [], table.read) {
            let subscription = try Subscription(row)
            outer[subscription.id] = subscription.bundledIn
            edited[subscription.id] = row.stamps["bundled_in"]
        }
        var opened: Set<UUID> = []
        func open(_ links: some Sequence<UUID>) throws {
            let last = links.max { (edited[$0] ?? "", $0) < (edited[$1] ?? "", $1) }
            guard let last else { return }
            try session.execute("UPDATE subscriptions SET bundled_in = NULL WHERE id = ?", [.uuid(last)])
            outer[last] = nil
            opened.insert(last)
        }
        let starts = outer.keys.sorted()
        var visited: Set<UUID> = []
        for start in starts {
            var path: [UUID] = []
            var next: UUID? = start
            while let id = next, visited.insert(id).inserted {
                path.append(id)
                next = outer[id]
            }
            // Unless a circle ends here, the rest is known.
            guard let next, let first = path.firstIndex(of: next) else { continue }
            try open(path[first...])
        }
        for start in starts {
            var links: [UUID] = []
            var next: UUID? = start
            while let id = next, let bundle = outer[id], links.count <= SubscriptionTable.mostBundles {
                links.append(id)
                next = bundle
            }
            if links.count > SubscriptionTable.mostBundles { try open(links) }
        }
        return opened
    }
}
