import Foundation
import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// How far the journal reaches.
enum JournalReach {
    static let entries = 500
    static let days = 90
}

extension UnitOfWork {
    /// Runs a change and keeps what it wrote for ``DeviceStore/Journal/undo(_:at:)``.
    func journaling<Result>(_ kind: JournalKind, _ body: () throws -> Result) throws -> Result {
        // A restore replaces every row, and compares them itself.
        let log = kind == .restored ? nil : ChangeLog(session: session)
        try log?.start()
        let result = try body()
        try enter(kind, try log?.take() ?? replacedRows)
        return result
    }

    /// Adds an entry, unless nothing changed. What was taken back before can no longer be made again.
    private func enter(_ kind: JournalKind, _ changes: [JournalChange]) throws {
        let changes = Self.worthKeeping(changes, kind)
        guard changes.contains(where: { !$0.table.isOfWithdrawals }) || !changedSettings.isEmpty else { return }
        try session.execute("DELETE FROM journal WHERE is_undone = 1")
        let details = try details(kind, changes)
        let sql = "INSERT INTO journal (made_at, kind, details) VALUES (?, ?, ?) RETURNING num"
        let arguments: [SQLValue] = [.instant(moment.now), .text(kind.rawValue), .text(details.wire)]
        guard let entry = try session.first(sql, arguments, { try $0.integer(0) }) else { return }
        let record = "INSERT INTO journal_records (entry, position, name, before, after) VALUES (?, ?, ?, ?, ?)"
        let texts =
            changes.map { ($0.table.name, $0.before.map($0.table.wire), $0.after.map($0.table.wire)) }
            + changedSettings.map { (ChangedSetting.table, $0.wire($0.before), $0.wire($0.after)) }
        for (position, (name, before, after)) in texts.enumerated() {
            try session.execute(
                record,
                [.integer(entry), .count(position), .text(name), .text(orNull: before), .text(orNull: after)])
        }
        try prune()
    }

    /// How many changes of files the journal holds: each may have 3 MiB.
    private static let files = 20

    private func prune() throws {
        // With what came before: without this change, an undo of that would take the file along.
        let files = """
            DELETE FROM journal WHERE num <= (SELECT num FROM journal \
            WHERE kind IN ('receipt_added', 'receipt_deleted', 'photo_set') ORDER BY num DESC LIMIT 1 OFFSET ?)
            """
        try session.execute(files, [.count(Self.files)])
        // Counted from a change of a day or more ago: a clock that runs ahead for a while does not age the others.
        let (day, now) = (Int64(86_400_000), moment.now.millisecondsSinceEpoch)
        let aged = """
            DELETE FROM journal WHERE made_at < (SELECT max(made_at) FROM journal WHERE made_at <= ?) - ?
            """
        try session.execute(aged, [.integer(now - day), .integer(Int64(JournalReach.days) * day)])
        let surplus = "DELETE FROM journal WHERE num <= (SELECT num FROM journal ORDER BY num DESC LIMIT 1 OFFSET ?)"
        try session.execute(surplus, [.count(JournalReach.entries)])
    }

    /// Leaves out the billing days that a new subscription brings with it: they go with it, and come with it again.
    private static func worthKeeping(_ changes: [JournalChange], _ kind: JournalKind) -> [JournalChange] {
        guard kind == .subscriptionAdded else { return changes }
        return changes.filter { change in
            guard change.table.name == EntityTables.ledger.name, let after = change.after else { return true }
            return after.row.stamps != Stamps(base: "", wire: "")
        }
    }

    // MARK: Description

    private func details(_ kind: JournalKind, _ changes: [JournalChange]) throws -> JournalDetails {
        var details = JournalDetails()
        if changedSettings.count > 1 {
            details.changed = changedSettings.count
            return details
        }
        if let setting = changedSettings.first {
            details.name = setting.name
            details.value = setting.after
            return details
        }
        switch kind {
        case .imported, .statementImported, .merged, .restored:
            let seen = changes.filter { !$0.table.isOfWithdrawals }
            details.added = seen.count { $0.before == nil }
            details.removed = seen.count { $0.after == nil }
            details.changed = seen.count - details.added - details.removed
            let added = { (table: EntityTable) in
                seen.count { $0.before == nil && $0.table.name == table.name }
            }
            details.subscriptions = added(EntityTables.subscriptions)
            details.charges = added(EntityTables.ledger)
        default:
            guard let main = Self.main(kind, changes) else { break }
            details.added = main.isAddition ? 1 : 0
            details.removed = main.isRemoval ? 1 : 0
            details.name = try name(main)
            details.on = main.days.last
            details.amount = try amount(kind, main)
            details.state = main.state
            if let pausedFrom { (details.on, details.state, details.removed) = (pausedFrom, .paused, 0) }
            if kind == .rateSet { details.value = main.text("rate") }
            // Several charges at once: how many, in place of the name and day of one.
            let charges = changes.count { change in
                change.table.name == EntityTables.ledger.name && change.isActedUpon(kind)
            }
            if kind == .chargeConfirmed || kind == .chargeSkipped, charges > 1 {
                details.name = nil
                details.on = nil
                details.changed = charges
            }
            details.fields = main.changedRegisters
            // A new amount is a price from a day, and so a row of its own.
            if kind == .subscriptionEdited, details.fields.isEmpty || main.table.name != EntityTables.subscriptions.name
            {
                details.fields = ["price"]
            }
        }
        return details
    }

    /// The row that the change is about.
    private static func main(_ kind: JournalKind, _ changes: [JournalChange]) -> JournalChange? {
        let wanted: EntityTable =
            switch kind {
            case .priceSet: EntityTables.prices
            case .stateSet: EntityTables.states
            case .chargeConfirmed, .chargeSkipped, .chargePaid: EntityTables.ledger
            case .shareSaved: EntityTables.shares
            case .personSaved, .personDeleted: EntityTables.people
            case .photoSet: EntityTables.personPhotos
            case .groupSaved, .groupDeleted: EntityTables.groups
            case .expenseSaved, .expenseDeleted: EntityTables.expenses
            case .transactionSaved, .transactionDeleted: EntityTables.transactions
            case .budgetSet, .budgetDeleted: EntityTables.budgets
            case .rateSet: EntityTables.ownRates
            case .repaymentSaved, .repaymentDeleted: EntityTables.repayments
            case .receiptAdded, .receiptDeleted: EntityTables.receipts
            default: EntityTables.subscriptions
            }
        let own = changes.filter { change in
            change.table.name == wanted.name || kind == .stateSet && change.table.holdsStates
        }
        // A corrected date overrules the row of the former one: the change is about the other.
        if kind == .stateSet {
            let holding = own.filter { $0.after != nil && $0.integer("is_overruled") == 0 && !$0.isRemoval }
            if let main = holding.first(where: \.isAddition) ?? holding.first { return main }
        }
        // The next charge of a prepaid card moves with the one that was paid.
        if let acted = own.first(where: { $0.isActedUpon(kind) }) { return acted }
        return own.first { $0.after != nil && kind != .subscriptionDeleted } ?? own.first { $0.after == nil }
            ?? changes.first
    }

    private func name(_ change: JournalChange) throws -> String? {
        if change.table.name != EntityTables.subscriptions.name, let id = change.subscription {
            return try session.first("SELECT name FROM subscriptions WHERE id = ?", [.uuid(id)]) { try $0.text(0) }
        }
        if [EntityTables.groupMembers.name, EntityTables.memberships.name].contains(change.table.name),
            let id = change.key.first
        {
            return try session.first("SELECT name FROM groups WHERE id = ?", [id]) { try $0.text(0) }
        }
        if change.table.name == EntityTables.personPhotos.name, let id = change.key.first {
            return try session.first("SELECT name FROM people WHERE id = ?", [id]) { try $0.text(0) }
        }
        if let scope = change.text("scope"), !scope.isEmpty, change.table.name == EntityTables.budgets.name {
            return scope
        }
        if change.table.name == EntityTables.ownRates.name, case .text(let code)? = change.key.first { return code }
        if change.table.name == EntityTables.repayments.name, case .blob(let id)? = change.value("from_id") {
            return try session.first("SELECT name FROM people WHERE id = ?", [.blob(id)]) { try $0.text(0) }
        }
        return change.text("name") ?? change.text("title") ?? change.text("category")
    }

    private func amount(_ kind: JournalKind, _ change: JournalChange) throws -> Money? {
        switch kind {
        case .subscriptionAdded, .priceSet, .expenseSaved, .transactionSaved, .budgetSet, .repaymentSaved:
            guard let units = change.integer("amount"), let code = change.text("currency") else { return nil }
            return Currency(code: code).map { Money(minorUnits: units, currency: $0) }
        case .chargePaid:
            guard let units = change.integer("paid"), let id = change.subscription else { return nil }
            return Money(minorUnits: units, currency: try subscriptions.load(id).currency)
        default: return nil
        }
    }
}

extension JournalChange {
    private var row: EntityRow? { (after ?? before)?.row }

    /// Whether the row is new, or was taken back before.
    fileprivate var isAddition: Bool { before.map { table.isRemoved($0.row.values) } ?? true }

    /// Whether the row was taken back.
    fileprivate var isRemoval: Bool { after.map { table.isRemoved($0.row.values) } ?? true }

    fileprivate func value(_ column: String) -> SQLValue? {
        guard let row, let place = table.columns.firstIndex(where: { $0.name == column }) else { return nil }
        return row.values[place]
    }

    fileprivate func text(_ column: String) -> String? {
        if case .text(let text)? = value(column) { text } else { nil }
    }

    fileprivate func integer(_ column: String) -> Int64? {
        if case .integer(let number)? = value(column) { number } else { nil }
    }

    /// The days in the key.
    fileprivate var days: [CalendarDay] {
        zip(table.key, key).compactMap { column, value in
            guard column.kind == .day, case .integer(let days) = value else { return nil }
            return CalendarDay(daysSinceEpoch: Int(days))
        }
    }

    fileprivate var state: SubscriptionState? {
        guard table.holdsStates else { return nil }
        return integer("state").flatMap { SubscriptionState(rawValue: Int($0)) }
    }

    /// Whether it is what the user confirmed or skipped, not what follows from it.
    fileprivate func isActedUpon(_ kind: JournalKind) -> Bool {
        guard after != nil, table.name == EntityTables.ledger.name, let fate = integer("fate") else { return false }
        return switch kind {
        case .chargeConfirmed, .chargePaid: [1, 2].contains(fate) || fate == 4 && integer("acted_at") != nil
        case .chargeSkipped: fate == 3 && integer("acted_at") != nil
        default: false
        }
    }

    /// The registers that differ between both images.
    var changedRegisters: [String] {
        guard let before, let after else { return [] }
        return table.registers.filter { before.row.values[$0.columns] != after.row.values[$0.columns] }.map(\.name)
    }
}

/// A setting of the user that a unit of work changed; nil stands for the default.
struct ChangedSetting {
    /// The name of its rows in the journal, which no synchronised table has.
    static let table = "settings"

    let name: String
    let before: String?
    let after: String?

    func wire(_ value: String?) -> String? {
        var details = JournalDetails()
        details.name = name
        details.value = value
        return details.wire
    }
}
